// What a kernel fetches lies on its stream's line right before it, what it merges right behind it;
// how many bytes those were, says a span beside them on the line of transfers.
#include "trace.h"

#include <glib.h>
#include <glib/gstdio.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "exec/trace.h"

enum { MOST_MIB = 128, MOST_STREAMS = 64 };

/// A span of a node.
struct span {
    const char *name, *category; ///< of the JSON
    json_int_t line;             ///< of the picture
    double begin, end;           ///< microseconds
    json_int_t bytes;
};

/// What one node did, in order of lines and time.
struct node {
    GArray *streams;   ///< struct span
    GArray *transfers; ///< likewise
};

struct total {
    json_int_t launches;
    double time_us;
    json_int_t fetched, merged; ///< bytes
};

struct sum {
    GHashTable *nodes;   ///< number -> struct node *
    GHashTable *kernels; ///< name -> struct total *
    double begin, end;
};

// Reading.

static void node_free(void *data) {
    struct node *node = data;
    g_array_unref(node->streams);
    g_array_unref(node->transfers);
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

static bool is_errand(const struct span *span, const char *name) {
    return strcmp(span->category, "call") == 0 && strcmp(span->name, name) == 0;
}

// The kernel that an errand on a stream's line is for, or NULL.
static const struct span *kernel_of(const GArray *streams, guint index) {
    const struct span *errand = &g_array_index(streams, struct span, index);
    bool is_before = is_errand(errand, "fetch");
    for (guint i = index; is_before ? ++i < streams->len : i-- > 0;) {
        const struct span *span = &g_array_index(streams, struct span, i);
        if (span->line != errand->line || strcmp(span->category, "copy") == 0)
            return NULL;
        if (is_kernel(span))
            return span;
    }
    return NULL;
}

static struct total *total_of(GHashTable *totals, const char *name) {
    struct total *total = g_hash_table_lookup(totals, name);
    if (!total) {
        total = g_new0(struct total, 1);
        g_hash_table_insert(totals, (char *)name, total);
    }
    return total;
}

/// An errand on a stream's line.
struct errand {
    double begin, end;
    guint index; ///< in the node's streams
};

static gint compare_errands(gconstpointer a, gconstpointer b) {
    const struct errand *first = a, *second = b;
    return (first->begin > second->begin) - (first->begin < second->begin);
}

// Those of one name, in order of time; to be freed.
static GArray *find_errands(const GArray *streams, const char *name) {
    GArray *errands = g_array_new(FALSE, FALSE, sizeof(struct errand));
    for (guint i = 0; i < streams->len; i++) {
        const struct span *span = &g_array_index(streams, struct span, i);
        struct errand errand = {span->begin, span->end, i};
        if (is_errand(span, name))
            g_array_append_val(errands, errand);
    }
    g_array_sort(errands, compare_errands);
    return errands;
}

// The errand that a moment lies in, of few that go on at a time; NULL: in none.
static const struct errand *errand_at(const GArray *errands, double moment) {
    guint low = 0, high = errands->len;
    while (low < high) {
        guint middle = low + (high - low) / 2;
        if (g_array_index(errands, struct errand, middle).begin <= moment)
            low = middle + 1;
        else
            high = middle;
    }
    for (guint tries = 0; low-- > 0 && tries < MOST_STREAMS; tries++) {
        const struct errand *errand = &g_array_index(errands, struct errand, low);
        if (errand->end >= moment)
            return errand;
    }
    return NULL;
}

static void add_transfers(const struct node *node, const char *name, GHashTable *totals) {
    g_autoptr(GArray) errands = find_errands(node->streams, name);
    for (guint i = 0; i < node->transfers->len; i++) {
        const struct span *transfer = &g_array_index(node->transfers, struct span, i);
        const struct errand *errand =
            strcmp(transfer->name, name) == 0 ? errand_at(errands, transfer->begin) : NULL;
        const struct span *kernel = errand ? kernel_of(node->streams, errand->index) : NULL;
        struct total *total = kernel ? total_of(totals, kernel->name) : NULL;
        if (kernel && strcmp(name, "fetch") == 0)
            total->fetched += transfer->bytes;
        else if (kernel)
            total->merged += transfer->bytes;
    }
}

// What one node did joins what all did.
static void add_node(struct sum *sum, struct node *node) {
    g_autoptr(GHashTable) totals = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
    GHashTableIter iterator;
    void *name, *data;
    g_array_sort(node->streams, compare);
    for (guint i = 0; i < node->streams->len; i++) {
        const struct span *span = &g_array_index(node->streams, struct span, i);
        struct total *total = is_kernel(span) ? total_of(totals, span->name) : NULL;
        if (total) {
            total->launches++;
            total->time_us += span->end - span->begin;
        }
    }
    add_transfers(node, "fetch", totals);
    add_transfers(node, "merge", totals);
    g_hash_table_iter_init(&iterator, totals);
    while (g_hash_table_iter_next(&iterator, &name, &data)) {
        const struct total *own = data;
        struct total *all = total_of(sum->kernels, name);
        all->launches = MAX(all->launches, own->launches);
        all->time_us = MAX(all->time_us, own->time_us);
        all->fetched += own->fetched;
        all->merged += own->merged;
    }
}

// The result.

static json_t *kernel_json(const char *name, const struct total *total, double whole_us) {
    json_int_t bytes = total->fetched + total->merged;
    const char *cause = total->fetched >= total->merged ? "fetch" : "merge";
    return json_pack("{s:s, s:I, s:I, s:I, s:s?, s:f}", "kernel", name, "launches", total->launches,
                     "time_ns", (json_int_t)(total->time_us * 1e3), "bytes", bytes, "cause",
                     bytes > 0 ? cause : NULL, "share",
                     whole_us > 0 ? total->time_us / whole_us : 0);
}

static json_t *sum_json(const json_t *events) {
    struct sum sum = {.nodes =
                          g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, node_free),
                      .kernels = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free),
                      .begin = G_MAXDOUBLE};
    json_t *event, *kernels = json_array();
    GHashTableIter iterator;
    void *name, *data;
    size_t i;
    json_array_foreach((json_t *)events, i, event) add_event(&sum, event);
    double whole = MAX(sum.end - sum.begin, 0);
    g_hash_table_iter_init(&iterator, sum.nodes);
    while (g_hash_table_iter_next(&iterator, NULL, &data))
        add_node(&sum, data);
    g_hash_table_iter_init(&iterator, sum.kernels);
    while (g_hash_table_iter_next(&iterator, &name, &data))
        json_array_append_new(kernels, kernel_json(name, data, whole));
    g_hash_table_unref(sum.kernels);
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
