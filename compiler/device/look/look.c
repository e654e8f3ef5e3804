// Looks are made for accesses whose place, or whose loops, come from memory, and only where all
// that they are computed from can be computed: one look for all accesses of a kernel that are the
// same number of bytes apart in all threads, under the same guards, as the fields of a struct are.
// Looks are vectorised in a module of their own, as LLVM's vectoriser isn't for kernels, which come
// to it as vectors (vector/).
#include "device/look/look.h"

#include <assert.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stddef.h>
#include <string.h>

#include "device/access/table.h"
#include "device/ir/shim.h"
#include "device/ir/target.h"
#include "device/look/maker.h"
#include "gcluster/look.h"
#include "plan/directory/origins.h"

// Which accesses.

/// Whether a node has the widths that its kind wants, and doesn't follow a pointer from memory.
static bool fits(const struct gcl_program *program, const struct gcl_node *node) {
    if (node->kind < GCL_NODE_ADD)
        return node->kind != GCL_NODE_LOAD ||
               program->bases[program->accesses[node->a].base].kind != GCL_BASE_LOADED;
    unsigned width = program->nodes[node->a].width;
    if (node->kind == GCL_NODE_SELECT)
        return program->nodes[node->b].width == node->width &&
               program->nodes[node->c].width == node->width;
    if (node->kind == GCL_NODE_TRUNC)
        return width >= node->width;
    if (node->kind > GCL_NODE_SELECT)
        return width <= node->width;
    bool is_compared = node->kind >= GCL_NODE_EQ;
    return program->nodes[node->b].width == width &&
           (is_compared ? node->width == 1 : node->width == width);
}

/// Whether looks are for such an access, as far as that doesn't depend on its place.
static bool is_plain(const struct gcl_program *program, const struct gcl_access *access) {
    uint8_t base = program->bases[access->base].kind;
    enum { LARGE = 4096 }; // bytes, from which on to mark them isn't for nothing
    return access->size > 0 && access->size <= LARGE &&
           (base == GCL_BASE_ARGUMENT || base == GCL_BASE_VARIABLE);
}

/// Whether the access' place depends on memory, and all that it is computed from can be known.
/// Looks that pay are computed from a few dozen nodes; LLVM's passes take a time that grows with
/// the square of what stands in one condition.
static bool is_wanted(const struct gcl_program *program, const struct gcl_access *access,
                      const struct gcl_origins *origins) {
    enum { MOST_NODES = 128 };
    bool is_loaded = false;
    if (!is_plain(program, access) || access->offset == GCL_NONE ||
        origins->node_count > MOST_NODES || program->nodes[access->offset].width != 64)
        return false;
    for (uint16_t i = 0; i < origins->node_count; i++) {
        const struct gcl_node *node = &program->nodes[origins->nodes[i]];
        bool is_bare = i < origins->bare_count;
        if (!fits(program, node) ||
            (is_bare && (node->kind == GCL_NODE_UNKNOWN || node->kind == GCL_NODE_LAST)))
            return false;
        is_loaded |= is_bare && node->kind == GCL_NODE_LOAD;
    }
    return is_loaded;
}

// One function.

static void find_windows(struct gcl_look_maker *s) {
    size_t fields[] = {offsetof(struct gcl_look_window, bytes),
                       offsetof(struct gcl_look_window, size),
                       offsetof(struct gcl_look_window, shift)};
    LLVMValueRef windows =
        gcl_look_field(s, gcl_ptr(s->m), s->look, offsetof(struct gcl_look, windows));
    for (unsigned i = 0; i < s->nest->origins->load_count; i++) {
        size_t begin = i * sizeof(struct gcl_look_window);
        s->readings[i] =
            (struct gcl_look_reading){gcl_look_field(s, gcl_ptr(s->m), windows, begin + fields[0]),
                                      gcl_look_field(s, gcl_i64(s->m), windows, begin + fields[1]),
                                      gcl_look_field(s, gcl_i64(s->m), windows, begin + fields[2]),
                                      gcl_look_variable(s), gcl_look_variable(s)};
    }
}

static LLVMValueRef add_function(struct gcl_module *m, LLVMModuleRef module) {
    LLVMTypeRef types[] = {gcl_ptr(m), gcl_ptr(m)};
    LLVMTypeRef type = LLVMFunctionType(gcl_i32(m), types, G_N_ELEMENTS(types), 0);
    LLVMValueRef function = LLVMAddFunction(module, "look", type);
    unsigned kind = LLVMGetEnumAttributeKindForName("noalias", strlen("noalias"));
    LLVMAddAttributeAtIndex(function, 2, LLVMCreateEnumAttribute(m->context, kind, 0));
    gcl_module_add_attribute(m, function, "nounwind");
    return function;
}

static LLVMValueRef make(struct gcl_module *m, LLVMModuleRef module, const struct gcl_nest *nest) {
    struct gcl_look_maker s = {.m = m,
                               .nest = nest,
                               .builder = LLVMCreateBuilderInContext(m->context),
                               .function = add_function(m, module)};
    g_autofree struct gcl_look_value *nodes =
        g_new0(struct gcl_look_value, nest->program->node_count + 1u);
    g_autofree struct gcl_look_reading *readings =
        g_new0(struct gcl_look_reading, nest->origins->load_count + 1u);
    LLVMBasicBlockRef *const blocks[] = {&s.entry, &s.found, &s.missed, &s.late};
    for (size_t i = 0; i < G_N_ELEMENTS(blocks); i++)
        *blocks[i] = LLVMAppendBasicBlockInContext(m->context, s.function, "");
    s.nodes = nodes;
    s.readings = readings;
    s.look = LLVMGetParam(s.function, 0);
    s.offsets = LLVMGetParam(s.function, 1);
    LLVMPositionBuilderAtEnd(s.builder, s.entry);
    LLVMValueRef *const variables[] = {&s.filled, &s.steps, &s.doubtful, &s.sparse};
    for (size_t i = 0; i < G_N_ELEMENTS(variables); i++)
        *variables[i] = gcl_look_variable(&s);
    find_windows(&s);
    gcl_look_make_levels(&s);
    LLVMDisposeBuilder(s.builder);
    return s.function;
}

LLVMValueRef gcl_look_build(struct gcl_module *m, LLVMModuleRef module,
                            const struct gcl_program *program, uint16_t access, GArray *loads) {
    const struct gcl_launch_part launch = {.geometry = {.grid = {1, 1, 1}, .block = {1, 1, 1}},
                                           .end = {1, 1, 1}};
    struct gcl_origins origins;
    struct gcl_nest nest;
    LLVMValueRef function = NULL;
    g_assert(gcl_origins_find(program, access, &origins));
    if (is_wanted(program, &program->accesses[access], &origins) &&
        gcl_nest_find(&nest, program, access, &launch, &origins)) {
        if (nest.count > 1) {
            function = make(m, module, &nest);
            g_array_append_vals(loads, origins.loads, origins.load_count);
        }
        gcl_nest_finish(&nest);
    }
    gcl_origins_finish(&origins);
    return function;
}

// All of them.

void gcl_looks_optimize(struct gcl_module *m, LLVMModuleRef module) {
    static const char passes[] = // up to the vectoriser; the module's go on from there
        "function(sroa,early-cse,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,"
        "loop-mssa(licm),loop(indvars),loop-vectorize)";
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMPassBuilderOptionsSetLoopVectorization(options, 1);
    LLVMErrorRef error = LLVMRunPasses(module, passes, m->machine, options);
    if (error) {
        char *text = LLVMGetErrorMessage(error);
        gcl_module_error(m, GCL_CODE_CODE_GENERATION, NULL, "LLVM passes for looks: %s", text);
        LLVMDisposeErrorMessage(text);
    }
    LLVMDisposePassBuilderOptions(options);
}

/// Looks of a kernel's program are functions of this module until all are linked.
static LLVMModuleRef create_module(struct gcl_module *m) {
    LLVMModuleRef module = LLVMModuleCreateWithNameInContext("looks", m->context);
    LLVMSetTarget(module, LLVMGetTarget(m->module));
    LLVMSetModuleDataLayout(module, m->layout);
    return module;
}

/// An offset as the same number of bytes behind another one in all threads.
struct shifted {
    uint16_t node;
    int64_t shift;
};

static struct shifted find_shifted(const struct gcl_program *program, uint16_t offset) {
    struct shifted found = {offset, 0};
    while (found.node != GCL_NONE) {
        const struct gcl_node *node = &program->nodes[found.node];
        if (node->kind != GCL_NODE_ADD || node->width != 64 ||
            program->nodes[node->b].kind != GCL_NODE_CONSTANT)
            break;
        uint64_t constant = (uint64_t)program->constants[program->nodes[node->b].a];
        found.shift = (int64_t)((uint64_t)found.shift + constant);
        found.node = node->a;
    }
    return found;
}

static bool are_twins(const struct gcl_program *program, const struct gcl_access *a,
                      const struct gcl_access *b) {
    return a->guard == b->guard && is_plain(program, a) && is_plain(program, b) &&
           find_shifted(program, a->offset).node == find_shifted(program, b->offset).node;
}

/// The first access before another one that is the same number of bytes before or behind it in all
/// threads, under the same guards; itself: none is.
static uint16_t find_twin(const struct gcl_program *program, uint16_t access) {
    uint16_t i = 0;
    while (i < access && !are_twins(program, &program->accesses[access], &program->accesses[i]))
        i++;
    return i;
}

/// The kinds of processors that get looks: on those without long vectors they wouldn't be worth
/// their room, where others exist.
static size_t target_count(const struct gcl_module *m) {
    bool is_short = m->target_count > 1 && gcl_target_least(m)->level == GCL_CPU_V2;
    return m->target_count - is_short;
}

/// Adds the looks of a twin, for another access. The first of twins has looks of its own.
static void share_looks(const struct gcl_program *program, GArray *looks, uint16_t twin,
                        uint16_t access) {
    int64_t ours = find_shifted(program, program->accesses[access].offset).shift;
    int64_t theirs = find_shifted(program, program->accesses[twin].offset).shift;
    for (guint i = 0, count = looks->len; i < count; i++) {
        struct gcl_device_look look = g_array_index(looks, struct gcl_device_look, i);
        if (look.access != twin)
            continue;
        assert(look.shift == 0);
        look.access = access;
        look.shift = (int64_t)((uint64_t)ours - (uint64_t)theirs);
        look.loads = g_array_ref(look.loads);
        look.name = g_strdup(look.name);
        g_array_append_val(looks, look);
    }
}

static void add_look(struct gcl_module *m, LLVMModuleRef module,
                     const struct gcl_device_kernel *kernel, const struct gcl_program *program,
                     uint16_t access) {
    g_autoptr(GArray) loads = g_array_new(FALSE, FALSE, sizeof(uint16_t));
    LLVMValueRef first = gcl_look_build(m, module, program, access, loads);
    for (size_t t = 0; first && t < target_count(m); t++) {
        LLVMValueRef function = t == 0 ? first : gcl_shim_clone_function(first);
        struct gcl_device_look look = {
            .level = m->targets[t].level,
            .access = access,
            .loads = g_array_ref(loads),
            .name = g_strdup_printf("%s.look.%u.%s", kernel->name, access, m->targets[t].cpu)};
        LLVMSetValueName2(function, look.name, strlen(look.name));
        gcl_target_set(m, function, &m->targets[t]);
        g_array_append_val(kernel->program->looks, look);
    }
}

static void add_looks(struct gcl_module *m, LLVMModuleRef module,
                      const struct gcl_device_kernel *kernel) {
    g_autofree struct gcl_program *program = gcl_device_program_view(kernel->program);
    for (uint16_t a = 0; a < program->access_count && !(program->flags & GCL_PROGRAM_SINGLE); a++) {
        uint16_t twin = find_twin(program, a);
        if (twin < a)
            share_looks(program, kernel->program->looks, twin, a);
        else
            add_look(m, module, kernel, program, a);
    }
}

/// Finds the functions after linking, which nothing names but the tables.
static void adopt(struct gcl_module *m, const struct gcl_device_kernel *kernel) {
    for (guint i = 0; i < kernel->program->looks->len; i++) {
        struct gcl_device_look *look =
            &g_array_index(kernel->program->looks, struct gcl_device_look, i);
        look->function = LLVMGetNamedFunction(m->module, look->name);
        LLVMSetLinkage(look->function, LLVMInternalLinkage);
    }
}

void gcl_looks_build(struct gcl_module *m) {
    LLVMModuleRef module = create_module(m);
    for (guint i = 0; i < m->kernels->len; i++) {
        const struct gcl_device_kernel *kernel = m->kernels->pdata[i];
        if (kernel->program)
            add_looks(m, module, kernel);
    }
    if (!LLVMGetFirstFunction(module)) {
        LLVMDisposeModule(module);
        return;
    }
    gcl_looks_optimize(m, module);
    if (LLVMLinkModules2(m->module, module))
        gcl_module_error(m, GCL_CODE_CODE_GENERATION, NULL, "looks can't be linked");
    for (guint i = 0; i < m->kernels->len && !m->failed; i++) {
        const struct gcl_device_kernel *kernel = m->kernels->pdata[i];
        if (kernel->program)
            adopt(m, kernel);
    }
}
