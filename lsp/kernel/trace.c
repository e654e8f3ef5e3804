// What a kernel fetches lies on its stream's line right before it, what it merges right behind it;
// how many bytes those were, says a span beside them on the line of transfers.
#include "lsp/kernel/trace.h"

#include <assert.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "exec/watch/trace.h"

enum { MOST_MIB = 128, MOST_STREAMS = 64 };

/// A span of a node.
struct span {
    const char *name, *category; ///< of the JSON
    json_int_t line;             ///< of the picture
    double begin, end;           ///< microseconds
    json_int_t bytes;
    const char *file; ///< of a kernel's launch; NULL: unknown
    json_int_t source_line;
    json_int_t came, touched; ///< bytes from other tiers of memory: beforehand, as touched
    double lack;              ///< bytes that the device lacked to have kept them
};

/// What one node did, in order of lines and time.
struct node {
    GArray *streams;   ///< struct span
    GArray *transfers; ///< likewise
    GArray *memory;    ///< likewise, of what came from other tiers
};

/// What launches of one place have in common.
struct key {
    const char *kernel, *file; ///< `file` NULL: all places
    json_int_t line;
};

struct total {
    struct key key;
    json_int_t launches;
    double time_us;
    json_int_t fetched, merged; ///< bytes
    json_int_t came, touched;   ///< likewise; of kernels alone
    double lacks;               ///< what the device lacked, times what came
};

struct sum {
    GHashTable *nodes;  ///< number -> struct node *
    GHashTable *totals; ///< key -> struct total *
    double begin, end;
};

// Reading.

static void node_free(void *data) {
    struct node *node = data;
    g_array_unref(node->streams);
    g_array_unref(node->transfers);
    g_array_unref(node->memory);
    g_free(node);
}

static struct node *node_of(struct sum *sum, json_int_t number) {
    void *key = GINT_TO_POINTER((int)number);
    struct node *node = g_hash_table_lookup(sum->nodes, key);
    if (node)
        return node;
    node = g_new(struct node, 1);
    node->streams = g_array_new(FALSE, FALSE, sizeof(struct span));
    node->transfers = g_array_new(FALSE, FALSE, sizeof(struct span));
    node->memory = g_array_new(FALSE, FALSE, sizeof(struct span));
    g_hash_table_insert(sum->nodes, key, node);
    return node;
}

static void add_event(struct sum *sum, const json_t *event) {
    const char *phase = json_string_value(json_object_get(event, "ph"));
    const json_t *arguments = json_object_get(event, "args");
    struct span span = {
        .name = json_string_value(json_object_get(event, "name")),
        .category = json_string_value(json_object_get(event, "cat")),
        .line = json_integer_value(json_object_get(event, "tid")),
        .begin = json_number_value(json_object_get(event, "ts")),
        .bytes = json_integer_value(json_object_get(arguments, "bytes")),
        .file = json_string_value(json_object_get(arguments, "file")),
        .source_line = json_integer_value(json_object_get(arguments, "line")),
        .came = json_integer_value(json_object_get(arguments, "came")),
        .touched = json_integer_value(json_object_get(arguments, "touched")),
        .lack = json_number_value(json_object_get(arguments, "lack")),
    };
    if (g_strcmp0(phase, "X") != 0 || !span.name || !span.category)
        return;
    struct node *node = node_of(sum, json_integer_value(json_object_get(event, "pid")));
    span.end = span.begin + json_number_value(json_object_get(event, "dur"));
    sum->begin = MIN(sum->begin, span.begin);
    sum->end = MAX(sum->end, span.end);
    if (span.line / GCL_TRACE_LINES == GCL_TRACE_STREAMS)
        g_array_append_val(node->streams, span);
    else if (strcmp(span.category, "transfer") == 0)
        g_array_append_val(node->transfers, span);
    else if (strcmp(span.category, "memory") == 0)
        g_array_append_val(node->memory, span);
}

// Adding up.

static gint compare(gconstpointer a, gconstpointer b) {
    const struct span *first = a, *second = b;
    if (first->line != second->line)
        return first->line < second->line ? -1 : 1;
    return (first->begin > second->begin) - (first->begin < second->begin);
}

static bool is_kernel(const struct span *span) {
    return strcmp(span->category, "kernel") == 0;
}

static bool is_movement(const struct span *span, const char *name) {
    return strcmp(span->category, "call") == 0 && strcmp(span->name, name) == 0;
}

// The kernel that a movement on a stream's line is for, or NULL.
static const struct span *kernel_of(const GArray *streams, guint index) {
    assert(index < streams->len);
    const struct span *movement = &g_array_index(streams, struct span, index);
    bool is_before = is_movement(movement, "fetch");
    for (guint i = index; is_before ? ++i < streams->len : i-- > 0;) {
        const struct span *span = &g_array_index(streams, struct span, i);
        if (span->line != movement->line || strcmp(span->category, "copy") == 0)
            return NULL;
        if (is_kernel(span))
            return span;
    }
    return NULL;
}

static guint hash_key(gconstpointer data) {
    const struct key *key = data;
    return g_str_hash(key->kernel) ^ (guint)key->line;
}

static gboolean is_same_key(gconstpointer a, gconstpointer b) {
    const struct key *first = a, *second = b;
    return first->line == second->line && strcmp(first->kernel, second->kernel) == 0 &&
           g_strcmp0(first->file, second->file) == 0;
}

static GHashTable *create_totals(void) {
    return g_hash_table_new_full(hash_key, is_same_key, NULL, g_free);
}

static struct total *total_of(GHashTable *totals, const struct key *key) {
    struct total *total = g_hash_table_lookup(totals, key);
    assert(key->kernel);
    if (!total) {
        total = g_new(struct total, 1);
        *total = (struct total){.key = *key};
        g_hash_table_insert(totals, &total->key, total);
    }
    return total;
}

// Adds to the kernel's total and to its place's.
static void add(GHashTable *totals, const struct span *kernel, const struct total *more) {
    const struct key keys[] = {{.kernel = kernel->name},
                               {kernel->name, kernel->file, kernel->source_line}};
    for (int i = 0; i < 1 + (kernel->file != NULL); i++) {
        struct total *total = total_of(totals, &keys[i]);
        total->launches += more->launches;
        total->time_us += more->time_us;
        total->fetched += more->fetched;
        total->merged += more->merged;
    }
}

/// A fetch or a merge on a stream's line.
struct movement {
    double begin, end;
    guint index; ///< in the node's streams
};

static gint compare_movements(gconstpointer a, gconstpointer b) {
    const struct movement *first = a, *second = b;
    return (first->begin > second->begin) - (first->begin < second->begin);
}

// The movements of one name, in order of time; to be freed.
static GArray *find_movements(const GArray *streams, const char *name) {
    GArray *movements = g_array_new(FALSE, FALSE, sizeof(struct movement));
    for (guint i = 0; i < streams->len; i++) {
        const struct span *span = &g_array_index(streams, struct span, i);
        struct movement movement = {span->begin, span->end, i};
        if (is_movement(span, name))
            g_array_append_val(movements, movement);
    }
    g_array_sort(movements, compare_movements);
    return movements;
}

// The movement that a moment lies in, of few that go on at a time; NULL: in none.
static const struct movement *movement_at(const GArray *movements, double moment) {
    guint low = 0, high = movements->len;
    while (low < high) {
        guint middle = low + (high - low) / 2;
        if (g_array_index(movements, struct movement, middle).begin <= moment)
            low = middle + 1;
        else
            high = middle;
    }
    for (guint tries = 0; low-- > 0 && tries < MOST_STREAMS; tries++) {
        const struct movement *movement = &g_array_index(movements, struct movement, low);
        if (movement->end >= moment)
            return movement;
    }
    return NULL;
}

static void add_transfers(const struct node *node, const char *name, GHashTable *totals) {
    g_autoptr(GArray) movements = find_movements(node->streams, name);
    for (guint i = 0; i < node->transfers->len; i++) {
        const struct span *transfer = &g_array_index(node->transfers, struct span, i);
        const struct movement *movement =
            strcmp(transfer->name, name) == 0 ? movement_at(movements, transfer->begin) : NULL;
        const struct span *kernel = movement ? kernel_of(node->streams, movement->index) : NULL;
        bool is_before = strcmp(name, "fetch") == 0;
        if (kernel)
            add(totals, kernel,
                &(struct total){.fetched = is_before ? transfer->bytes : 0,
                                .merged = is_before ? 0 : transfer->bytes});
    }
}

// What came for a kernel that ran. Which of its launches it was for isn't recorded.
static void add_memory(const struct node *node, GHashTable *totals) {
    for (guint i = 0; i < node->memory->len; i++) {
        const struct span *memory = &g_array_index(node->memory, struct span, i);
        struct total *total =
            g_hash_table_lookup(totals, &(struct key){.kernel = memory->name, .file = NULL});
        if (!total)
            continue;
        total->came += memory->came;
        total->touched += memory->touched;
        total->lacks += memory->lack * (double)(memory->came + memory->touched);
    }
}

// What one node did joins what all did.
static void add_node(struct sum *sum, struct node *node) {
    g_autoptr(GHashTable) totals = create_totals();
    GHashTableIter iterator;
    void *data;
    g_array_sort(node->streams, compare);
    for (guint i = 0; i < node->streams->len; i++) {
        const struct span *span = &g_array_index(node->streams, struct span, i);
        if (is_kernel(span))
            add(totals, span, &(struct total){.launches = 1, .time_us = span->end - span->begin});
    }
    add_transfers(node, "fetch", totals);
    add_transfers(node, "merge", totals);
    add_memory(node, totals);
    g_hash_table_iter_init(&iterator, totals);
    while (g_hash_table_iter_next(&iterator, NULL, &data)) {
        const struct total *own = data;
        struct total *all = total_of(sum->totals, &own->key);
        all->launches = MAX(all->launches, own->launches);
        all->time_us = MAX(all->time_us, own->time_us);
        all->fetched += own->fetched;
        all->merged += own->merged;
        all->came += own->came;
        all->touched += own->touched;
        all->lacks += own->lacks;
    }
}

// The result.

static json_t *total_json(const struct total *total, double whole_us) {
    json_int_t bytes = total->fetched + total->merged;
    const char *cause = total->fetched >= total->merged ? "fetch" : "merge";
    return json_pack("{s:s, s:I, s:I, s:I, s:s?, s:f}", "kernel", total->key.kernel, "launches",
                     total->launches, "time_ns", (json_int_t)(total->time_us * 1e3), "bytes", bytes,
                     "cause", bytes > 0 ? cause : NULL, "share",
                     whole_us > 0 ? total->time_us / whole_us : 0);
}

static void set_memory(json_t *sum, const struct total *total) {
    json_int_t bytes = total->came + total->touched;
    json_object_set_new(sum, "came", json_integer(total->came));
    json_object_set_new(sum, "touched", json_integer(total->touched));
    json_object_set_new(sum, "lack",
                        json_integer(bytes > 0 ? (json_int_t)(total->lacks / (double)bytes) : 0));
}

static json_t *places_json(const struct sum *sum, const char *kernel, double whole_us) {
    json_t *places = json_array();
    GHashTableIter iterator;
    void *data;
    g_hash_table_iter_init(&iterator, sum->totals);
    while (g_hash_table_iter_next(&iterator, NULL, &data)) {
        const struct total *total = data;
        if (!total->key.file || strcmp(total->key.kernel, kernel) != 0)
            continue;
        json_t *place = total_json(total, whole_us);
        json_object_set_new(place, "file", json_string(total->key.file));
        json_object_set_new(place, "line", json_integer(total->key.line));
        json_array_append_new(places, place);
    }
    return places;
}

static json_t *kernels_json(const struct sum *sum, double whole_us) {
    json_t *kernels = json_array();
    GHashTableIter iterator;
    void *data;
    g_hash_table_iter_init(&iterator, sum->totals);
    while (g_hash_table_iter_next(&iterator, NULL, &data)) {
        const struct total *total = data;
        if (total->key.file)
            continue;
        json_t *kernel = total_json(total, whole_us);
        json_t *places = places_json(sum, total->key.kernel, whole_us);
        set_memory(kernel, total);
        if (json_array_size(places) == 1)
            set_memory(json_array_get(places, 0), total);
        json_object_set_new(kernel, "places", places);
        json_array_append_new(kernels, kernel);
    }
    return kernels;
}

static json_t *sum_json(const json_t *events) {
    struct sum sum = {.nodes =
                          g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, node_free),
                      .totals = create_totals(),
                      .begin = G_MAXDOUBLE};
    json_t *event;
    GHashTableIter iterator;
    void *data;
    size_t i;
    json_array_foreach((json_t *)events, i, event) add_event(&sum, event);
    double whole = MAX(sum.end - sum.begin, 0);
    g_hash_table_iter_init(&iterator, sum.nodes);
    while (g_hash_table_iter_next(&iterator, NULL, &data))
        add_node(&sum, data);
    json_t *kernels = kernels_json(&sum, whole);
    g_hash_table_unref(sum.totals);
    g_hash_table_unref(sum.nodes);
    return json_pack("{s:o, s:I}", "kernels", kernels, "total_ns", (json_int_t)(whole * 1e3));
}

json_t *gcl_trace_sum_up(const char *path, char **why) {
    json_error_t error;
    GStatBuf status;
    if (g_stat(path, &status) != 0 || !S_ISREG(status.st_mode)) {
        *why = g_strdup_printf("%s isn't a file that can be read", path);
        return NULL;
    }
    if (status.st_size > ((goffset)MOST_MIB << 20)) {
        *why = g_strdup_printf("%s is larger than %d MiB", path, MOST_MIB);
        return NULL;
    }
    json_t *trace = json_load_file(path, 0, &error);
    const json_t *events = json_object_get(trace, "traceEvents");
    json_t *sum = json_is_array(events) ? sum_json(events) : NULL;
    if (!trace)
        *why = g_strdup_printf("%s isn't a trace: line %d: %s", path, error.line, error.text);
    else if (!sum || json_array_size(json_object_get(sum, "kernels")) == 0)
        *why = g_strdup_printf("%s isn't a trace in which kernels run", path);
    if (*why)
        g_clear_pointer(&sum, json_decref);
    json_decref(trace);
    return sum;
}
