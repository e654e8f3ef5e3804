// Moves NVPTX IR to the host's processor, as text, before LLVM parses it.
//
// On NVPTX every shared or constant variable has an address space of its own, spelt in types, casts
// and initialisers. A CPU has one address space, so `addrspace(n)` goes and `addrspacecast` becomes
// `bitcast`, which LLVM folds between equal types. LLVM has no pass that changes the type of a
// global; on text it is one loop. What the address spaces told is noted first.
#include "device/lower/retarget.h"

#include <assert.h>
#include <llvm-c/Analysis.h>
#include <llvm-c/Comdat.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Linker.h>
#include <string.h>

#include "device/ir/mirror.h"
#include "device/ir/module.h"
#include "device/ir/shim.h"
#include "device/ir/target.h"

struct text {
    const char *p;
    const char *end;
};

static bool starts_with(const struct text *t, const char *word) {
    assert(t->p <= t->end);
    size_t length = strlen(word);
    return (size_t)(t->end - t->p) >= length && memcmp(t->p, word, length) == 0;
}

static const char *line_end(const struct text *t) {
    const char *newline = memchr(t->p, '\n', (size_t)(t->end - t->p));
    return newline ? newline : t->end;
}

// A line `@name = … addrspace(3) global …`: notes the space under the name.
static void note_space(struct gcl_module *m, const struct text *t) {
    assert(t->p < t->end && *t->p == '@');
    const char *end = line_end(t);
    g_autofree char *line = g_strndup(t->p, (gsize)(end - t->p));
    char *assign = strstr(line, " = "), *space = strstr(line, " addrspace(");
    if (!assign || !space)
        return;
    char *global = strstr(assign, " global "), *constant = strstr(assign, " constant ");
    char *kind = global && (!constant || global < constant) ? global : constant;
    if (!kind || space > kind)
        return;
    *assign = 0;
    char *name = line + 1;
    if (*name == '"') {
        name++;
        name[strlen(name) - 1] = 0;
    }
    g_hash_table_insert(m->spaces, g_strdup(name), GINT_TO_POINTER(atoi(space + 11)));
}

// Copies a quoted string as it is: names and byte strings may contain anything.
static void copy_string(struct text *t, GString *out) {
    assert(t->p < t->end && *t->p == '"');
    const char *close = memchr(t->p + 1, '"', (size_t)(t->end - t->p - 1));
    const char *stop = close ? close + 1 : t->end;
    g_string_append_len(out, t->p, stop - t->p);
    t->p = stop;
}

static GString *strip_spaces(struct gcl_module *m, const char *ir, size_t size) {
    GString *out = g_string_sized_new(size);
    struct text t = {ir, ir + size};
    bool line_start = true;

    while (t.p < t.end) {
        if (line_start && *t.p == '@')
            note_space(m, &t);
        if (line_start && starts_with(&t, "target ")) {
            t.p = line_end(&t);
            continue;
        }
        line_start = *t.p == '\n';
        if (*t.p == '"') {
            copy_string(&t, out);
        } else if (starts_with(&t, "addrspacecast")) {
            g_string_append(out, "bitcast");
            t.p += strlen("addrspacecast");
        } else if (starts_with(&t, " addrspace(")) {
            const char *close = memchr(t.p, ')', (size_t)(t.end - t.p));
            t.p = close ? close + 1 : t.end;
        } else {
            g_string_append_c(out, *t.p++);
        }
    }
    return out;
}

static LLVMModuleRef parse(struct gcl_module *m, const char *ir, size_t size, const char *source) {
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(ir, size, source);
    LLVMModuleRef module = NULL;
    char *message = NULL;
    if (LLVMParseIRInContext(m->context, buffer, &module, &message)) {
        gcl_module_error(m, GCL_CODE_BAD_DEVICE_IR, NULL,
                         "the device pass left IR that LLVM cannot read: %s", message);
        LLVMDisposeMessage(message);
        module = NULL;
    }
    return module;
}

static LLVMModuleRef parse_for_host(struct gcl_module *m, const struct gcl_device_input *input) {
    GString *text = strip_spaces(m, input->ir, input->size);
    LLVMModuleRef module = parse(m, text->str, text->len, input->source);
    g_string_free(text, TRUE);
    return module;
}

void gcl_retarget_visit_annotations(LLVMModuleRef module, gcl_annotation_visit *visit,
                                    void *context) {
    unsigned count = LLVMGetNamedMetadataNumOperands(module, "nvvm.annotations");
    g_autofree LLVMValueRef *nodes = g_new(LLVMValueRef, count + 1);
    LLVMGetNamedMetadataOperands(module, "nvvm.annotations", nodes);
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef operands[3];
        unsigned length;
        if (LLVMGetMDNodeNumOperands(nodes[i]) != 3)
            continue;
        LLVMGetMDNodeOperands(nodes[i], operands);
        if (!operands[0] || !LLVMIsAFunction(operands[0]) || LLVMIsDeclaration(operands[0]))
            continue;
        g_autofree char *key = g_strdup(LLVMGetMDString(operands[1], &length));
        visit(context, operands[0], key, (uint32_t)LLVMConstIntGetZExtValue(operands[2]));
    }
}

/// An input whose kernels are noted in the module.
struct noting {
    struct gcl_module *m;
    size_t input;
};

static void add_entry(void *context, LLVMValueRef function, const char *key, uint32_t value) {
    const struct noting *noting = context;
    size_t length;
    (void)value;
    if (strcmp(key, "kernel") != 0)
        return;
    struct gcl_device_entry *entry = g_new0(struct gcl_device_entry, 1);
    entry->input = noting->input;
    entry->name = g_strdup(LLVMGetValueName2(function, &length));
    entry->symbol = g_strdup(entry->name);
    g_ptr_array_add(noting->m->entries, entry);
}

static bool is_local(LLVMValueRef global) {
    LLVMLinkage linkage = LLVMGetLinkage(global);
    return !LLVMIsDeclaration(global) &&
           (linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage);
}

// Gives a symbol the name that it has in the linked module, in host code and GPU code alike: local
// ones of different inputs may have the same name, and some constants have none. Returns the name
// before, to be freed.
static char *name_symbol(struct gcl_module *m, size_t input, LLVMValueRef global, unsigned number) {
    size_t length;
    char *before = g_strdup(LLVMGetValueName2(global, &length));
    g_autofree char *base = length > 0 ? g_strdup(before) : g_strdup_printf(".unnamed.%u", number);
    g_autofree char *name = is_local(global) && m->input_count > 1
                                ? g_strdup_printf("%s.input%zu", base, input)
                                : g_strdup(base);
    if (strcmp(name, before) != 0)
        LLVMSetValueName2(global, name, strlen(name));
    return before;
}

static void note_owner(struct gcl_module *m, size_t input, LLVMValueRef global, const char *name) {
    size_t length;
    const char *symbol = LLVMGetValueName2(global, &length);
    if (LLVMIsDeclaration(global) || g_hash_table_contains(m->owners, symbol))
        return;
    struct gcl_device_variable *variable = g_new0(struct gcl_device_variable, 1);
    variable->input = input;
    variable->name = g_strdup(name);
    g_hash_table_insert(m->owners, g_strdup(symbol), variable);
}

static void note_variable(struct gcl_module *m, size_t input, LLVMValueRef global,
                          const char *before) {
    size_t length;
    const char *symbol = LLVMGetValueName2(global, &length);
    void *space = g_hash_table_lookup(m->spaces, before);
    if (space)
        g_hash_table_insert(m->spaces, g_strdup(symbol), space);
    note_owner(m, input, global, before);
}

static void note_function(struct gcl_module *m, size_t input, LLVMValueRef function,
                          const char *before) {
    size_t length;
    for (guint i = 0; i < m->entries->len; i++) {
        struct gcl_device_entry *entry = m->entries->pdata[i];
        if (entry->input == input && strcmp(entry->name, before) == 0) {
            g_free(entry->symbol);
            entry->symbol = g_strdup(LLVMGetValueName2(function, &length));
        }
    }
}

// What is done with a symbol of an input that has been given its name; NULL: nothing.
typedef void note(struct gcl_module *m, size_t input, LLVMValueRef global, const char *before);

static void name_all(struct gcl_module *m, LLVMModuleRef module, size_t input, note *variable,
                     note *function) {
    unsigned number = 0;
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
        g_autofree char *before = name_symbol(m, input, g, number++);
        if (variable)
            variable(m, input, g, before);
    }
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        g_autofree char *before = name_symbol(m, input, f, number++);
        if (function)
            function(m, input, f, before);
    }
}

// Adds a module of an input to those before it.
static bool link_input(struct gcl_module *m, LLVMModuleRef module, size_t input) {
    if (!m->module) {
        m->module = module;
    } else if (LLVMLinkModules2(m->module, module)) {
        gcl_module_error(m, GCL_CODE_DEVICE_LINK, NULL,
                         "%s defines device code that another file defines too",
                         m->inputs[input].source);
        return false;
    }
    return true;
}

static bool link_inputs(struct gcl_module *m) {
    for (size_t i = 0; i < m->input_count; i++) {
        LLVMModuleRef module = parse_for_host(m, &m->inputs[i]);
        if (!module)
            return false;
        gcl_retarget_visit_annotations(module, add_entry, &(struct noting){m, i});
        name_all(m, module, i, note_variable, note_function);
        if (!link_input(m, module, i))
            return false;
    }
    return true;
}

// A GPU's code says which lines it is of. LLVM has no other description that suits PTX.
static LLVMModuleRef parse_for_gpu(struct gcl_module *m, const struct gcl_device_input *input) {
    if (!m->options->debug && !m->options->lines)
        return parse(m, input->ir, input->size, input->source);
    // Descriptions come last; in front of them are the program's own texts.
    const char *begin = g_strstr_len(input->ir, (gssize)input->size, "\n!");
    size_t code = begin ? (size_t)(begin - input->ir) : input->size;
    g_autoptr(GString) text = g_string_new_len(input->ir + code, (gssize)(input->size - code));
    g_string_replace(text, "emissionKind: FullDebug", "emissionKind: DebugDirectivesOnly", 0);
    g_string_replace(text, "emissionKind: LineTablesOnly", "emissionKind: DebugDirectivesOnly", 0);
    // Else labels stand before and behind calls, which PTX writes on several lines.
    g_string_replace(text, "DIFlagAllCallsDescribed", "DIFlagPrototyped", 0);
    g_string_insert_len(text, 0, input->ir, (gssize)code);
    LLVMModuleRef module = parse(m, text->str, text->len, input->source);
    if (module)
        gcl_shim_drop_variables(module);
    return module;
}

bool gcl_retarget_keep(struct gcl_module *m) {
    for (size_t i = 0; i < m->input_count; i++) {
        LLVMModuleRef module = parse_for_gpu(m, &m->inputs[i]);
        if (!module)
            return false;
        name_all(m, module, i, NULL, NULL);
        if (!link_input(m, module, i))
            return false;
    }
    gcl_mirrors_drop(m->module);
    return true;
}

static void set_target(struct gcl_module *m) {
    char *layout = LLVMCopyStringRepOfTargetData(m->layout);
    char *triple = LLVMGetTargetMachineTriple(m->machine);
    LLVMSetDataLayout(m->module, layout);
    LLVMSetTarget(m->module, triple);
    LLVMDisposeMessage(layout);
    LLVMDisposeMessage(triple);
}

static void set_bounds(void *context, LLVMValueRef function, const char *key, uint32_t value) {
    struct gcl_device_kernel *kernel = gcl_module_kernel(context, function);
    if (kernel && strcmp(key, "maxntidx") == 0)
        kernel->max_threads = value;
}

static GPtrArray *read_names(LLVMValueRef function) {
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    for (unsigned i = 0; i < LLVMCountParams(function); i++) {
        size_t length;
        g_ptr_array_add(names, g_strdup(LLVMGetValueName2(LLVMGetParam(function, i), &length)));
    }
    return names;
}

// Names are asked of clang for the parameters' sake; the others only take time.
static void drop_names(struct gcl_module *m) {
    for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f)) {
        for (unsigned i = 0; i < LLVMCountParams(f); i++)
            LLVMSetValueName2(LLVMGetParam(f, i), "", 0);
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            LLVMSetValueName2(LLVMBasicBlockAsValue(b), "", 0);
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                LLVMSetValueName2(i, "", 0);
        }
    }
}

/// What clang has compiled a function for, such as sm_90a; 0: that isn't said.
static uint32_t read_architecture(LLVMValueRef function) {
    static const char key[] = "target-cpu", prefix[] = "sm_";
    unsigned length = 0;
    LLVMAttributeRef attribute = LLVMGetStringAttributeAtIndex(
        function, (unsigned)LLVMAttributeFunctionIndex, key, sizeof key - 1);
    const char *name = attribute ? LLVMGetStringAttributeValue(attribute, &length) : "";
    g_autofree char *copy = g_strndup(name, length);
    return g_str_has_prefix(copy, prefix) ? (uint32_t)strtoul(copy + sizeof prefix - 1, NULL, 10)
                                          : 0;
}

static void add_kernels(struct gcl_module *m) {
    for (guint i = 0; i < m->entries->len; i++) {
        struct gcl_device_entry *entry = m->entries->pdata[i];
        LLVMValueRef function = LLVMGetNamedFunction(m->module, entry->symbol);
        entry->kernel = gcl_module_kernel(m, function);
        if (entry->kernel)
            continue;
        struct gcl_device_kernel *kernel = g_new0(struct gcl_device_kernel, 1);
        kernel->kept = g_array_new(FALSE, FALSE, sizeof(struct gcl_device_kept));
        kernel->framed = g_array_new(FALSE, FALSE, sizeof(struct gcl_device_kept));
        kernel->shared_locals = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, g_free);
        kernel->name = g_strdup(entry->symbol);
        kernel->function = function;
        kernel->regions = g_array_new(FALSE, TRUE, sizeof(struct gcl_device_region));
        kernel->shapes = g_array_new(FALSE, TRUE, sizeof(struct gcl_device_shape));
        kernel->variants = g_array_new(FALSE, TRUE, sizeof(struct gcl_device_variant));
        kernel->max_threads = 1024;
        kernel->architecture = read_architecture(function);
        kernel->parameter_names = read_names(function);
        kernel->said = gcl_pragmas_create();
        g_ptr_array_add(m->kernels, kernel);
        entry->kernel = kernel;
    }
    gcl_retarget_visit_annotations(m->module, set_bounds, m);
}

// Every definition becomes local to the object: the host half may define functions and variables
// of the same names.
static void make_local(LLVMValueRef global) {
    if (LLVMIsDeclaration(global))
        return;
    LLVMSetComdat(global, NULL);
    LLVMSetLinkage(global, LLVMInternalLinkage);
    LLVMSetVisibility(global, LLVMDefaultVisibility);
}

static void adapt_functions(struct gcl_module *m) {
    for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f)) {
        gcl_target_set(m, f, gcl_target_least(m));
        make_local(f);
        if (gcl_module_kernel(m, f)) // kept alive until its regions exist
            LLVMSetLinkage(f, LLVMExternalLinkage);
    }
    for (guint k = 0; k < m->kernels->len; k++) {
        struct gcl_device_kernel *kernel = m->kernels->pdata[k];
        if (kernel->mirror)
            LLVMSetLinkage(kernel->mirror, LLVMExternalLinkage);
    }
    for (LLVMValueRef g = LLVMGetFirstGlobal(m->module); g; g = LLVMGetNextGlobal(g)) {
        if (LLVMGetLinkage(g) != LLVMAppendingLinkage)
            make_local(g);
    }
}

bool gcl_retarget(struct gcl_module *m) {
    if (!link_inputs(m))
        return false;
    if (!m->options->debug)
        gcl_mirrors_drop(m->module);
    gcl_shim_drop_variables(m->module);
    set_target(m);
    add_kernels(m);
    if (m->options->debug)
        gcl_mirrors_find(m);
    drop_names(m);
    adapt_functions(m);
    return true;
}
