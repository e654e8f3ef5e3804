// Tables go as base 64 of their bytes, as reader and writer are the same program and agree on their
// layout.
#include "tables.h"

#include <string.h>

// X(member of struct gcl_program, its count)
#define TABLES(X)                                                                                  \
    X(nodes, node_count)                                                                           \
    X(constants, constant_count)                                                                   \
    X(guards, guard_count)                                                                         \
    X(bases, base_count)                                                                           \
    X(accesses, access_count)

static json_t *write_table(const void *table, size_t size) {
    g_autofree char *text = g_base64_encode(table, size);
    return json_string(text);
}

static json_t *write_names(const char *const *names, size_t count) {
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, json_string(names[i]));
    return list;
}

static json_t *write_fields(const struct gcl_explained_kernel *kernel) {
    json_t *list = json_array();
    for (unsigned i = 0; i < kernel->field_count; i++)
        json_array_append_new(list, json_pack("[I, s]", (json_int_t)kernel->fields[i].offset,
                                              kernel->fields[i].name));
    return list;
}

json_t *gcl_tables_write(const struct gcl_explained_kernel *kernel) {
    const struct gcl_program *p = kernel->program;
    json_t *tables = json_pack(
        "{s:s, s:s, s:i, s:i, s:o, s:o, s:o, s:o}", "name", kernel->name, "symbol", kernel->symbol,
        "split", (int)p->split, "flags", (int)p->flags, "names",
        write_names(p->names, kernel->parameter_count), "variables",
        write_names(kernel->variables, g_strv_length((char **)kernel->variables)), "parameters",
        write_table(kernel->parameters, kernel->parameter_count * sizeof *kernel->parameters),
        "fields", write_fields(kernel));
    if (kernel->block_size)
        json_object_set_new(tables, "block",
                            write_table(kernel->block_size, 3 * sizeof *kernel->block_size));
#define WRITE(member, count)                                                                       \
    json_object_set_new(tables, #member, write_table(p->member, p->count * sizeof *p->member));
    TABLES(WRITE)
#undef WRITE
    return tables;
}

// The elements of a table, to be freed, and how many there are; NULL if it isn't there.
static void *read_table(const json_t *tables, const char *name, size_t element, size_t *count) {
    const char *text = json_string_value(json_object_get(tables, name));
    *count = 0;
    if (!text)
        return NULL;
    void *table = g_base64_decode(text, count);
    *count /= element;
    return table;
}

static const char *const *read_names(const json_t *list) {
    char **names = g_new0(char *, json_array_size(list) + 1);
    for (size_t i = 0; i < json_array_size(list); i++)
        names[i] = g_strdup(json_string_value(json_array_get(list, i)));
    return (const char *const *)names;
}

static void read_fields(const json_t *list, struct gcl_explained_kernel *kernel) {
    struct gcl_explained_field *fields =
        g_new0(struct gcl_explained_field, json_array_size(list) + 1);
    json_t *field;
    size_t i;
    json_array_foreach((json_t *)list, i, field) {
        fields[i].offset = (uint32_t)json_integer_value(json_array_get(field, 0));
        fields[i].name = g_strdup(json_string_value(json_array_get(field, 1)));
    }
    kernel->fields = fields;
    kernel->field_count = (unsigned)json_array_size(list);
}

static struct gcl_program *read_program(const json_t *tables) {
    struct gcl_program *p = g_new0(struct gcl_program, 1);
    size_t found;
#define READ(member, count)                                                                        \
    p->member = read_table(tables, #member, sizeof *p->member, &found);                            \
    p->count = (uint16_t)found;
    TABLES(READ)
#undef READ
    p->split = (uint8_t)json_integer_value(json_object_get(tables, "split"));
    p->flags = (uint8_t)json_integer_value(json_object_get(tables, "flags"));
    p->names = read_names(json_object_get(tables, "names"));
    return p;
}

struct gcl_explained_kernel *gcl_tables_read(const json_t *tables) {
    const char *name = json_string_value(json_object_get(tables, "name"));
    size_t count;
    if (!name)
        return NULL;
    struct gcl_explained_kernel *kernel = g_new0(struct gcl_explained_kernel, 1);
    kernel->name = g_strdup(name);
    kernel->symbol = g_strdup(json_string_value(json_object_get(tables, "symbol")));
    kernel->program = read_program(tables);
    kernel->variables = read_names(json_object_get(tables, "variables"));
    kernel->parameters = read_table(tables, "parameters", sizeof *kernel->parameters, &count);
    kernel->parameter_count = (unsigned)count;
    kernel->block_size = read_table(tables, "block", sizeof *kernel->block_size, &count);
    read_fields(json_object_get(tables, "fields"), kernel);
    return kernel;
}

void gcl_tables_destroy(struct gcl_explained_kernel *kernel) {
    if (!kernel)
        return;
    struct gcl_program *p = (struct gcl_program *)kernel->program;
#define FREE(member, count) g_free((void *)p->member);
    TABLES(FREE)
#undef FREE
    g_strfreev((char **)p->names);
    g_free(p);
    for (unsigned i = 0; i < kernel->field_count; i++)
        g_free(kernel->fields[i].name);
    g_free((void *)kernel->fields);
    g_strfreev((char **)kernel->variables);
    g_free((void *)kernel->parameters);
    g_free((void *)kernel->block_size);
    g_free((char *)kernel->symbol);
    g_free((char *)kernel->name);
    g_free(kernel);
}
