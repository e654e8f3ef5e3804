#include "device/lower/annotations.h"

#include <string.h>

#include "base/pragma.h"
#include "device/lower/globals.h"

// Where an annotation stands.
struct place {
    const char *path;
    uint32_t line;
};

static bool find_parameter(const struct gcl_device_kernel *kernel,
                           struct gcl_pragma_object *object) {
    for (guint i = 0; i < kernel->parameter_names->len; i++) {
        LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(kernel->function, i));
        bool is_integer = LLVMGetTypeKind(type) == LLVMIntegerTypeKind;
        if (strcmp(kernel->parameter_names->pdata[i], object->name) != 0)
            continue;
        object->parameter = i;
        object->type = is_integer ? GCL_PRAGMA_TYPE_UNSIGNED : GCL_PRAGMA_TYPE_UNKNOWN;
        object->size = is_integer ? LLVMGetIntTypeWidth(type) / 8 : 0;
        return true;
    }
    return false;
}

static void add_clause(struct gcl_device_kernel *kernel, const struct place *place,
                       struct gcl_pragma_clause *clause) {
    bool found = !clause->object.name || find_parameter(kernel, &clause->object);
    for (guint i = 0; clause->nodes && i < clause->nodes->len; i++) {
        struct gcl_pragma_node *node = &g_array_index(clause->nodes, struct gcl_pragma_node, i);
        if (node->kind == GCL_PRAGMA_NODE_OBJECT)
            found = find_parameter(kernel, &node->object) && found;
    }
    if (!found) {
        gcl_pragma_clause_clear(clause);
        return;
    }
    struct gcl_pragma *pragma = g_new0(struct gcl_pragma, 1);
    *pragma = (struct gcl_pragma){
        .kernel = g_strdup(kernel->name),
        .symbol = g_strdup(kernel->name),
        .parameter_count = kernel->parameter_names->len,
        .path = g_strdup(place->path),
        .line = place->line,
        .column = 1,
        .clause = *clause,
    };
    clause->object.name = NULL;
    clause->nodes = NULL;
    g_ptr_array_add(kernel->said, pragma);
}

static void add_clauses(struct gcl_device_kernel *kernel, const struct place *place,
                        const char *text) {
    struct gcl_pragma_parsed parsed = gcl_pragma_parse(text, 0, (uint32_t)strlen(text));
    for (guint i = 0; i < parsed.clauses->len; i++)
        add_clause(kernel, place, &g_array_index(parsed.clauses, struct gcl_pragma_clause, i));
    gcl_pragma_parsed_finish(&parsed);
}

static void annotate_kernel(struct gcl_device_kernel *kernel, const struct place *place,
                            const char *text) {
    static const char native[] = "gcl.native=", pragma[] = "gcl.pragma ";
    if (g_str_has_prefix(text, native) && !kernel->native)
        kernel->native = g_strdup(text + strlen(native));
    if (g_str_has_prefix(text, pragma))
        add_clauses(kernel, place, text + strlen(pragma));
}

static void annotate_variable(struct gcl_module *m, LLVMValueRef global, const struct place *place,
                              const char *text) {
    guint index = gcl_globals_find_variable(m, global);
    (void)place;
    if (index != G_MAXUINT && g_str_has_prefix(text, "gcl.managed"))
        ((struct gcl_device_variable *)m->variables->pdata[index])->flags |= GCL_VARIABLE_MANAGED;
}

static void annotate_function(struct gcl_module *m, LLVMValueRef global, const struct place *place,
                              const char *text) {
    struct gcl_device_kernel *kernel =
        LLVMIsAFunction(global) ? gcl_module_kernel(m, global) : NULL;
    if (kernel)
        annotate_kernel(kernel, place, text);
}

static const char *string_at(LLVMValueRef entry, unsigned operand) {
    LLVMValueRef text = LLVMGetInitializer(LLVMGetOperand(entry, operand));
    size_t length;
    return text && LLVMIsConstantString(text) ? LLVMGetAsString(text, &length) : NULL;
}

typedef void annotator(struct gcl_module *m, LLVMValueRef global, const struct place *place,
                       const char *text);

// `llvm.global.annotations` holds structs of variable or function, text, file, line.
static void visit(struct gcl_module *m, annotator *annotate) {
    LLVMValueRef list = LLVMGetNamedGlobal(m->module, "llvm.global.annotations");
    LLVMValueRef entries = list ? LLVMGetInitializer(list) : NULL;
    for (int i = 0; entries && i < LLVMGetNumOperands(entries); i++) {
        LLVMValueRef entry = LLVMGetOperand(entries, (unsigned)i);
        const char *text = string_at(entry, 1);
        struct place place = {string_at(entry, 2),
                              (uint32_t)LLVMConstIntGetZExtValue(LLVMGetOperand(entry, 3))};
        if (text && place.path)
            annotate(m, LLVMGetOperand(entry, 0), &place, text);
    }
}

void gcl_annotations_read_kernels(struct gcl_module *m) {
    visit(m, annotate_function);
}

void gcl_annotations_read_variables(struct gcl_module *m) {
    visit(m, annotate_variable);
}
