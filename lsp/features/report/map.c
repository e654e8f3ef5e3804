// gcluster/map: what a launch does on several nodes, for a picture of it.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "frontend/cursor.h"
#include "lsp/base/json.h"
#include "lsp/features/report/report.h"
#include "lsp/kernel/measure.h"
#include "lsp/read/tree.h"

enum { BUDGET_US = 2000000, MOST_NODES = 1024 };

// What the caller says.

static bool refuse(const struct gcl_query *query, const char *text) {
    *query->mistake = g_strdup(text);
    *query->code = GCL_RPC_INVALID_PARAMS;
    return false;
}

static bool read_nodes(const struct gcl_query *query, uint32_t *count) {
    const json_t *nodes = json_object_get(query->params, "nodes");
    json_int_t value = nodes ? json_integer_value(nodes) : gcl_kernels_nodes(query);
    *count = (uint32_t)CLAMP(value, 1, MOST_NODES);
    return value == *count || refuse(query, "nodes: an integer from 1 to 1024");
}

// Three numbers from 1 to a limit each; `*knows` stays if there are none.
static bool read_size(const struct gcl_query *query, const char *name, const uint32_t most[3],
                      uint32_t size[3], bool *knows) {
    const json_t *list = json_object_get(query->params, name);
    bool good = json_array_size(list) == 3;
    if (!list || json_is_null(list))
        return true;
    for (size_t i = 0; i < 3 && good; i++) {
        json_int_t value = json_integer_value(json_array_get(list, i));
        good = value >= 1 && value <= most[i];
        size[i] = good ? (uint32_t)value : 0;
    }
    *knows = true;
    return good;
}

static bool read_sizes(const struct gcl_query *query, struct gcl_measure *m) {
    static const uint32_t most_blocks[] = {INT32_MAX, 65535, 65535},
                          most_threads[] = {1024, 1024, 64};
    if (!read_size(query, "grid", most_blocks, m->geometry.grid, &m->knows_grid))
        return refuse(query, "grid: three integers from 1 to 2147483647, 65535 and 65535");
    if (!read_size(query, "block", most_threads, m->geometry.block, &m->knows_block) ||
        (m->knows_block &&
         (uint64_t)m->geometry.block[0] * m->geometry.block[1] * m->geometry.block[2] > 1024))
        return refuse(query, "block: three integers from 1 to 1024, 1024 and 64, whose product is "
                             "at most 1024");
    return true;
}

static const struct gcl_source_parameter *find_scalar(const struct gcl_measure *m,
                                                      const char *name) {
    for (guint i = 0; i < m->function.parameters->len; i++) {
        const struct gcl_source_parameter *p =
            &g_array_index(m->function.parameters, struct gcl_source_parameter, i);
        if (strcmp(p->name, name) == 0 && gcl_measure_size(m, p) > 0)
            return p;
    }
    return NULL;
}

static uint64_t bits_of(const struct gcl_source_parameter *p, const json_t *number) {
    double value = json_number_value(number);
    float narrow = (float)value;
    uint64_t bits = 0;
    if (p->type != GCL_PRAGMA_TYPE_FLOAT)
        return json_is_integer(number) ? (uint64_t)json_integer_value(number)
                                       : (uint64_t)(int64_t)CLAMP(value, -0x1p62, 0x1p62);
    if (p->size == sizeof value)
        memcpy(&bits, &value, sizeof value);
    else
        memcpy(&bits, &narrow, sizeof narrow);
    return bits;
}

static bool read_scalars(const struct gcl_query *query, struct gcl_measure *m) {
    json_t *number;
    const char *name;
    json_object_foreach(json_object_get(query->params, "scalars"), name, number) {
        const struct gcl_source_parameter *p = find_scalar(m, name);
        if (!p || !json_is_number(number)) {
            *query->mistake = g_strdup_printf(
                p ? "scalars: %s isn't a number" : "scalars: the kernel has none named %s", name);
            *query->code = GCL_RPC_INVALID_PARAMS;
            return false;
        }
        gcl_measure_add(m, (struct gcl_known_number){gcl_measure_offset(m, p),
                                                     gcl_measure_size(m, p), bits_of(p, number)});
    }
    return true;
}

// The answer.

static json_t *value_of(const struct gcl_source_parameter *p, uint32_t size,
                        const unsigned char *bytes) {
    uint64_t bits = 0;
    double wide;
    float narrow;
    assert(size > 0 && size <= sizeof bits);
    memcpy(&bits, bytes, size);
    if (p->type == GCL_PRAGMA_TYPE_UNSIGNED)
        return json_integer((json_int_t)bits);
    if (p->type != GCL_PRAGMA_TYPE_FLOAT)
        return json_integer((int64_t)(bits << (64 - 8 * size)) >> (64 - 8 * size));
    memcpy(&narrow, bytes, sizeof narrow);
    memcpy(&wide, &bits, sizeof wide);
    wide = size == sizeof wide ? wide : size == sizeof narrow ? (double)narrow : 0;
    return json_real(isfinite(wide) ? wide : 0);
}

// "int32", "uint8", "float64"
static char *type_of(const struct gcl_source_parameter *p, uint32_t size) {
    const char *kind = p->type == GCL_PRAGMA_TYPE_FLOAT      ? "float"
                       : p->type == GCL_PRAGMA_TYPE_UNSIGNED ? "uint"
                                                             : "int";
    return g_strdup_printf("%s%u", kind, 8 * size);
}

// The kernel's scalars, with the values that the launch was evaluated with.
static json_t *scalars_json(const struct gcl_measure *m, const json_t *spread) {
    json_t *list = json_array();
    size_t length = 0;
    const char *text = json_string_value(json_object_get(spread, "arguments"));
    g_autofree unsigned char *arguments = g_base64_decode(text, &length);
    for (guint i = 0; i < m->function.parameters->len; i++) {
        const struct gcl_source_parameter *p =
            &g_array_index(m->function.parameters, struct gcl_source_parameter, i);
        uint32_t offset = gcl_measure_offset(m, p), size = gcl_measure_size(m, p);
        unsigned char bytes[sizeof(uint64_t)] = {0};
        assert(size <= sizeof bytes);
        if (size == 0)
            continue;
        for (guint k = 0; k < m->known->len; k++) {
            const struct gcl_known_number *n = &g_array_index(m->known, struct gcl_known_number, k);
            if (n->offset == offset)
                memcpy(bytes, &n->value, size);
        }
        bool guessed = !gcl_measure_knows(m, offset);
        if (guessed && offset + size <= length)
            memcpy(bytes, arguments + offset, size);
        g_autofree char *type = type_of(p, size);
        json_array_append_new(list, json_pack("{s:s, s:s, s:o, s:b}", "name", p->name, "type", type,
                                              "value", value_of(p, size, bytes), "guessed",
                                              (int)guessed));
    }
    return list;
}

// Adds what the explanation says of an array in any launch to what the array does in this one.
static void describe_array(const struct gcl_measure *m, json_t *array) {
    const char *name = json_string_value(json_object_get(array, "name"));
    g_autofree char *words = gcl_kernels_words(m->kernel, name);
    json_object_set_new(array, "certainty", json_string(gcl_kernels_certainty(m->kernel, name)));
    json_object_set_new(array, "words", gcl_json_text(words));
}

static json_t *range_at(const struct gcl_query *query) {
    const struct gcl_source_launch *launch = gcl_launches_at(query->view, query->offset);
    uint32_t begin, end;
    if (launch)
        return gcl_line_table_range(query->view->text, launch->kernel.begin,
                                    launch->arguments.end + 1);
    CXCursor function = gcl_launches_function(query->view, query->offset);
    if (gcl_tree_name(query->view, function, &begin, &end))
        return gcl_line_table_range(query->view->text, begin, end);
    return json_null();
}

static json_t *map_json(const struct gcl_query *query, const struct gcl_measure *m,
                        json_t *spread) {
    g_autofree char *assumed = gcl_measure_assumed(m, spread);
    json_t *map = json_deep_copy(spread), *array;
    size_t i;
    json_array_foreach(json_object_get(map, "arrays"), i, array) describe_array(m, array);
    json_object_del(map, "arguments");
    json_object_set(map, "kernel", json_object_get(m->kernel, "name"));
    json_object_set_new(map, "range", range_at(query));
    json_object_set_new(map, "gridGuessed", json_boolean(!m->knows_grid));
    json_object_set_new(map, "blockGuessed", json_boolean(!m->knows_block));
    json_object_set_new(map, "assumed", json_string(assumed));
    json_object_set_new(map, "scalars", scalars_json(m, spread));
    json_object_set_new(map, "reasons",
                        gcl_kernels_reasons(query, m->kernel, json_object_get(spread, "reasons")));
    return map;
}

// The first launch of a kernel in the text; NULL: there is none.
static const struct gcl_source_launch *find_launch(const struct gcl_view *view,
                                                   const json_t *kernel) {
    const struct gcl_unit_file *source = gcl_unit_find(view->unit, view->path);
    for (guint i = 0; source && i < source->launches->len; i++) {
        const struct gcl_source_launch *launch =
            &g_array_index(source->launches, struct gcl_source_launch, i);
        if (gcl_launches_kernel(view, launch) == kernel)
            return launch;
    }
    return NULL;
}

static struct gcl_measure *measure_at(const struct gcl_query *query, const json_t *kernel) {
    const struct gcl_source_launch *launch = gcl_launches_at(query->view, query->offset);
    CXCursor function = gcl_launches_function(query->view, query->offset);
    if (!launch)
        launch = find_launch(query->view, kernel);
    struct gcl_measure *m = launch ? gcl_measure_launch(query->view, launch)
                                   : gcl_measure_function(query->view, function);
    if (!m)
        *query->mistake = g_strdup("clang doesn't know which kernel is launched here");
    return m;
}

json_t *gcl_feature_map(const struct gcl_query *query) {
    gint64 budget = BUDGET_US;
    uint32_t count;
    const json_t *kernel = gcl_launches_explained(query);
    if (!kernel || !read_nodes(query, &count))
        return NULL;
    struct gcl_measure *m = measure_at(query, kernel);
    json_t *map = NULL;
    if (m && read_sizes(query, m) && read_scalars(query, m)) {
        gcl_measure_read(m);
        json_t *spread = gcl_measure_spread(query->view, m, count, &budget, query->mistake);
        map = spread ? map_json(query, m, spread) : NULL;
        json_decref(spread);
    }
    gcl_measure_destroy(m);
    return map;
}
