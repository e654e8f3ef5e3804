// Programs as constants of the object: plain arrays of bytes, laid out as this machine's compiler
// lays out gcluster/access.h, as the targets' does (ir/target.c).
#include "device/access/table.h"

#include <assert.h>
#include <string.h>

#include "device/access/graph.h"
#include "device/ir/module.h"

struct gcl_device_program *gcl_device_program_create(void) {
    struct gcl_device_program *p = g_new(struct gcl_device_program, 1);
    *p = (struct gcl_device_program){
        .nodes = g_array_new(FALSE, FALSE, sizeof(struct gcl_node)),
        .constants = g_array_new(FALSE, FALSE, sizeof(int64_t)),
        .guards = g_array_new(FALSE, FALSE, sizeof(struct gcl_guard)),
        .bases = g_array_new(FALSE, FALSE, sizeof(struct gcl_base)),
        .accesses = g_array_new(FALSE, FALSE, sizeof(struct gcl_access)),
        .reasons = g_array_new(FALSE, FALSE, sizeof(struct gcl_reason)),
        .files = g_ptr_array_new_with_free_func(g_free),
        .names = g_ptr_array_new_with_free_func(g_free),
        .parameters = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
        .variables = g_ptr_array_new(),
        .looks = g_array_new(FALSE, FALSE, sizeof(struct gcl_device_look)),
    };
    return p;
}

void gcl_device_program_destroy(struct gcl_device_program *p) {
    if (!p)
        return;
    GArray *const tables[] = {p->nodes, p->constants, p->guards, p->bases, p->accesses, p->reasons};
    for (size_t i = 0; i < G_N_ELEMENTS(tables); i++)
        g_array_free(tables[i], TRUE);
    for (guint i = 0; i < p->looks->len; i++) {
        struct gcl_device_look *look = &g_array_index(p->looks, struct gcl_device_look, i);
        g_array_unref(look->loads);
        g_free(look->name);
    }
    g_array_free(p->looks, TRUE);
    g_array_free(p->parameters, TRUE);
    g_ptr_array_free(p->files, TRUE);
    g_ptr_array_free(p->names, TRUE);
    g_ptr_array_free(p->variables, TRUE);
    g_free(p);
}

struct gcl_program *gcl_device_program_view(const struct gcl_device_program *p) {
    struct gcl_program *view = g_new0(struct gcl_program, 1);
    view->nodes = (const struct gcl_node *)(void *)p->nodes->data;
    view->constants = (const int64_t *)(void *)p->constants->data;
    view->guards = (const struct gcl_guard *)(void *)p->guards->data;
    view->bases = (const struct gcl_base *)(void *)p->bases->data;
    view->accesses = (const struct gcl_access *)(void *)p->accesses->data;
    view->reasons = (const struct gcl_reason *)(void *)p->reasons->data;
    view->files = (const char *const *)p->files->pdata;
    view->names = (const char *const *)p->names->pdata;
    view->node_count = (uint16_t)p->nodes->len;
    view->constant_count = (uint16_t)p->constants->len;
    view->guard_count = (uint16_t)p->guards->len;
    view->base_count = (uint16_t)p->bases->len;
    view->access_count = (uint16_t)p->accesses->len;
    view->reason_count = (uint16_t)p->reasons->len;
    view->file_count = (uint16_t)p->files->len;
    view->split = p->split;
    view->flags = p->flags;
    return view;
}

static size_t text_size(const GPtrArray *texts) {
    size_t size = 0;
    for (guint i = 0; i < texts->len; i++)
        size += sizeof(char *) + strlen(texts->pdata[i]) + 1;
    return size;
}

static size_t table_size(const GArray *table) {
    return (size_t)table->len * g_array_get_element_size((GArray *)table);
}

static bool is_earlier(uint16_t index, guint limit) {
    return index == GCL_NONE || index < limit;
}

static bool is_node_sound(const struct gcl_device_program *p, guint n) {
    const struct gcl_node *node = &g_array_index(p->nodes, struct gcl_node, n);
    unsigned operands = gcl_graph_operands(node->kind);
    if (node->kind == GCL_NODE_CONSTANT)
        return node->a < p->constants->len;
    if (node->kind == GCL_NODE_UNKNOWN)
        return node->a < p->reasons->len;
    if (node->kind == GCL_NODE_LOAD)
        return node->a < p->accesses->len;
    if (node->kind == GCL_NODE_ITERATION || node->kind == GCL_NODE_LAST)
        return node->a < p->guards->len;
    return (operands < 1 || node->a < n) && (operands < 2 || node->b < n) &&
           (operands < 3 || node->c < n);
}

static bool is_guard_sound(const struct gcl_device_program *p, guint g) {
    const struct gcl_guard *guard = &g_array_index(p->guards, struct gcl_guard, g);
    return is_earlier(guard->outer, g) && is_earlier(guard->node, p->nodes->len);
}

static bool is_base_sound(const struct gcl_device_program *p, guint b) {
    const struct gcl_base *base = &g_array_index(p->bases, struct gcl_base, b);
    return (base->kind != GCL_BASE_VARIABLE || base->index < p->variables->len) &&
           (base->kind != GCL_BASE_LOADED || base->index < p->accesses->len) &&
           (base->kind != GCL_BASE_ANY || base->index < p->reasons->len);
}

static bool is_access_sound(const struct gcl_device_program *p, guint a) {
    const struct gcl_access *access = &g_array_index(p->accesses, struct gcl_access, a);
    return access->base < p->bases->len && is_earlier(access->guard, p->guards->len) &&
           is_earlier(access->offset, p->nodes->len) && is_earlier(access->length, p->nodes->len);
}

bool gcl_device_program_is_sound(const struct gcl_device_program *p) {
    bool is_sound = true;
    for (guint n = 0; n < p->nodes->len; n++)
        is_sound &= is_node_sound(p, n);
    for (guint g = 0; g < p->guards->len; g++)
        is_sound &= is_guard_sound(p, g);
    for (guint b = 0; b < p->bases->len; b++)
        is_sound &= is_base_sound(p, b);
    for (guint a = 0; a < p->accesses->len; a++)
        is_sound &= is_access_sound(p, a);
    return is_sound;
}

size_t gcl_device_program_size(const struct gcl_device_program *p) {
    return sizeof(struct gcl_program) + table_size(p->nodes) + table_size(p->constants) +
           table_size(p->guards) + table_size(p->bases) + table_size(p->accesses) +
           table_size(p->reasons) + text_size(p->files) + text_size(p->names) +
           p->variables->len * sizeof(void *);
}

static LLVMValueRef global(struct gcl_module *m, LLVMValueRef value) {
    LLVMValueRef g = LLVMAddGlobal(m->module, LLVMTypeOf(value), "");
    LLVMSetInitializer(g, value);
    LLVMSetGlobalConstant(g, 1);
    LLVMSetLinkage(g, LLVMPrivateLinkage);
    LLVMSetAlignment(g, 8);
    return g;
}

static LLVMValueRef bytes(struct gcl_module *m, const void *data, size_t size) {
    if (size == 0)
        return LLVMConstNull(gcl_ptr(m));
    return global(m, LLVMConstStringInContext2(m->context, data, size, 1));
}

static LLVMValueRef table(struct gcl_module *m, const GArray *array) {
    return bytes(m, array->data, table_size(array));
}

static LLVMValueRef pointers(struct gcl_module *m, LLVMValueRef *list, guint count) {
    if (count == 0)
        return LLVMConstNull(gcl_ptr(m));
    return global(m, LLVMConstArray2(gcl_ptr(m), list, count));
}

static LLVMValueRef texts(struct gcl_module *m, const GPtrArray *array) {
    g_autofree LLVMValueRef *list = g_new(LLVMValueRef, array->len + 1);
    for (guint i = 0; i < array->len; i++)
        list[i] = bytes(m, array->pdata[i], strlen(array->pdata[i]) + 1);
    return pointers(m, list, array->len);
}

static LLVMValueRef slots(struct gcl_module *m, const GPtrArray *variables) {
    g_autofree LLVMValueRef *list = g_new(LLVMValueRef, variables->len + 1);
    for (guint i = 0; i < variables->len; i++)
        list[i] = ((const struct gcl_device_variable *)variables->pdata[i])->slot;
    return pointers(m, list, variables->len);
}

static LLVMValueRef number16(struct gcl_module *m, guint value) {
    return LLVMConstInt(LLVMInt16TypeInContext(m->context), value, 0);
}

static LLVMValueRef looks(struct gcl_module *m, const GArray *array) {
    g_autofree LLVMValueRef *list = g_new(LLVMValueRef, array->len + 1);
    for (guint i = 0; i < array->len; i++) {
        const struct gcl_device_look *look = &g_array_index(array, struct gcl_device_look, i);
        LLVMValueRef fields[] = {gcl_u32(m, look->level),
                                 number16(m, look->access),
                                 number16(m, look->loads->len),
                                 table(m, look->loads),
                                 look->function,
                                 gcl_u64(m, (uint64_t)look->shift)};
        list[i] = LLVMConstStructInContext(m->context, fields, G_N_ELEMENTS(fields), 0);
    }
    if (array->len == 0)
        return LLVMConstNull(gcl_ptr(m));
    return global(m, LLVMConstArray2(LLVMTypeOf(list[0]), list, array->len));
}

// A variable that only dead code named has no place.
static bool has_slots(const struct gcl_device_program *p) {
    for (guint i = 0; i < p->variables->len; i++) {
        if (!((const struct gcl_device_variable *)p->variables->pdata[i])->slot)
            return false;
    }
    return true;
}

LLVMValueRef gcl_device_program_emit(struct gcl_module *m, const struct gcl_device_program *p) {
    assert(!p || gcl_device_program_is_sound(p));
    if (!p || !has_slots(p))
        return LLVMConstNull(gcl_ptr(m));
    const guint counts[] = {p->nodes->len, p->constants->len, p->guards->len,
                            p->bases->len, p->accesses->len,  p->reasons->len,
                            p->files->len, p->variables->len, p->looks->len};
    const uint8_t said[] = {p->split, p->flags};
    LLVMValueRef fields[10 + G_N_ELEMENTS(counts) + G_N_ELEMENTS(said)] = {
        table(m, p->nodes),     table(m, p->constants), table(m, p->guards), table(m, p->bases),
        table(m, p->accesses),  table(m, p->reasons),   texts(m, p->files),  texts(m, p->names),
        slots(m, p->variables), looks(m, p->looks)};
    for (size_t i = 0; i < G_N_ELEMENTS(counts); i++)
        fields[10 + i] = number16(m, counts[i]);
    for (size_t i = 0; i < G_N_ELEMENTS(said); i++)
        fields[10 + G_N_ELEMENTS(counts) + i] =
            LLVMConstInt(LLVMInt8TypeInContext(m->context), said[i], 0);
    return global(m, LLVMConstStructInContext(m->context, fields, G_N_ELEMENTS(fields), 0));
}
