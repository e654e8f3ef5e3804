// The words are those of the line over the kernel (summary.h).
#include "lsp/kernel/launch_line.h"

#include <stdio.h>
#include <string.h>

#include "base/bytes_text.h"
#include "lsp/base/json.h"
#include "lsp/kernel/fits.h"
#include "lsp/kernel/measure.h"

enum { MOST_NODES = 1024 };

// What each node gets of an array at every launch, as far as it is seen: "halo 1 row: in"; NULL:
// nothing, to be freed. What lies farther away than a block's neighbours isn't seen.
static char *move_of(const json_t *kernel, const char *name) {
    char *halo = gcl_kernels_halo(kernel, name);
    const char *combined = gcl_kernels_combined(kernel, name);
    if (halo || !combined)
        return halo;
    return g_strdup_printf("%s: %s", combined, name);
}

static void append_moves(GString *out, const json_t *kernel) {
    const json_t *argument;
    size_t i;
    bool any = false;
    json_array_foreach((json_t *)json_object_get(kernel, "arguments"), i, argument) {
        g_autofree char *move = move_of(kernel, gcl_json_words(argument, "name"));
        if (move)
            g_string_append_printf(out, "%s%s", any ? ", " : " · ", move);
        any |= move != NULL;
    }
}

// The cause of most of what moves of an array; NULL if nothing moves.
static const char *main_cause(const json_t *array) {
    const char *cause, *best = NULL;
    json_int_t most = 0;
    json_t *bytes;
    json_object_foreach(json_object_get(array, "causes"), cause, bytes) {
        if (json_integer_value(bytes) <= most)
            continue;
        most = json_integer_value(bytes);
        best = cause;
    }
    return best;
}

// The causes of runtime/plan/schedule/moves.h as a user would say them.
static const char *words_of_cause(const char *cause) {
    static const char *const words[][2] = {{"replicate", "needed by other nodes"},
                                           {"redistribute", "comes from other nodes"},
                                           {"merge", "merged"},
                                           {"reduce", "combined"},
                                           {"inspect", "looked up at launch"}};
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
        if (strcmp(cause, words[i][0]) == 0)
            return words[i][1];
    }
    return cause;
}

// "halo 1 row: in, merged: out": each array of which something moves.
static char *list_causes(const json_t *spread, const json_t *kernel) {
    GString *out = g_string_new(NULL);
    json_t *array;
    size_t i;
    json_array_foreach(json_object_get(spread, "arrays"), i, array) {
        const char *name = json_string_value(json_object_get(array, "name"));
        const char *cause = main_cause(array);
        if (!cause)
            continue;
        g_autofree char *halo = strcmp(cause, "halo") == 0 ? gcl_kernels_halo(kernel, name) : NULL;
        g_string_append(out, out->len ? ", " : "");
        if (halo)
            g_string_append(out, halo);
        else
            g_string_append_printf(out, "%s: %s", words_of_cause(cause), name);
    }
    return g_string_free(out, FALSE);
}

static bool stays(const json_t *kernel) {
    return strcmp(json_string_value(json_object_get(kernel, "split")), "none") == 0;
}

static uint64_t block_count(const json_t *spread) {
    uint64_t count = 1;
    json_t *size;
    size_t i;
    json_array_foreach(json_object_get(spread, "grid"), i, size) count *=
        (uint64_t)json_integer_value(size);
    return count;
}

// Why a launch isn't split.
static void append_why_one(GString *out, const json_t *spread, const json_t *kernel) {
    const json_t *reason = json_array_get(json_object_get(spread, "reasons"), 0);
    if (block_count(spread) == 1)
        g_string_append(out, " · it is one block");
    else if (reason && !stays(kernel))
        g_string_append_printf(out, " · %s: %s", json_string_value(json_object_get(reason, "code")),
                               json_string_value(json_object_get(reason, "why")));
    else
        gcl_kernels_append_single(out, kernel);
}

// " · 1024 blocks are too few to pay (from about 19000 on)"
static void append_worth(GString *out, const json_t *spread, const json_t *kernel) {
    unsigned long long from;
    uint64_t count = block_count(spread);
    const char *worth = gcl_json_words(kernel, "worth");
    if (sscanf(worth, "pays from about %llu blocks", &from) == 1 && count < from)
        g_string_append_printf(
            out, " · %" G_GUINT64_FORMAT " blocks are too few to pay (from about %llu on)", count,
            from);
}

// " · needs 4.0 GiB, the device holds 1.0 GiB: about 32 ranges, 3.0 GiB come or go each time"
static void append_fits(GString *out, const struct gcl_query *query, const json_t *spread) {
    struct gcl_fits fits;
    if (!gcl_fits_find(query, spread, &fits))
        return;
    g_string_append_printf(
        out, " · needs %s, the device holds %s: ", gcl_bytes_text((double)fits.needed).text,
        gcl_bytes_text((double)fits.device).text);
    if (block_count(spread) == 1)
        g_string_append(out, "what is touched comes then, and other memory goes");
    else
        g_string_append_printf(out, "about %" G_GUINT64_FORMAT " ranges, %s come or go each time",
                               fits.ranges,
                               gcl_bytes_text((double)(fits.needed - fits.device)).text);
}

// "if size = 512: 4 nodes · 24.0 KiB a launch (halo 1 row: in)"
static void append_spread(GString *out, const struct gcl_query *query, const json_t *spread,
                          const struct gcl_measure *m) {
    json_int_t bytes = json_integer_value(json_object_get(spread, "bytes"));
    json_int_t nodes = (json_int_t)json_array_size(json_object_get(spread, "parts"));
    const json_t *split = json_object_get(spread, "split");
    g_autofree char *assumed = gcl_measure_assumed(m, spread);
    g_autofree char *causes = list_causes(spread, m->kernel);
    if (*assumed)
        g_string_append_printf(out, "if %s: ", assumed);
    g_string_append_printf(out, "%" JSON_INTEGER_FORMAT " node%s", nodes, nodes == 1 ? "" : "s");
    if (nodes > 1 && !json_equal(split, json_object_get(m->kernel, "split")))
        g_string_append_printf(out, " along %s", json_string_value(split));
    if (nodes == 1)
        append_why_one(out, spread, m->kernel);
    if (bytes > 0)
        g_string_append_printf(out, " · %s a launch (%s)", gcl_bytes_text((double)bytes).text,
                               causes);
    else if (nodes > 1)
        g_string_append(out, " · nothing moves after the first launch");
    if (nodes > 1)
        append_worth(out, spread, m->kernel);
    append_fits(out, query, spread);
}

static bool is_one_block(const struct gcl_measure *m) {
    const uint32_t *grid = m ? m->geometry.grid : NULL;
    return m && m->knows_grid && grid[0] == 1 && grid[1] == 1 && grid[2] == 1;
}

char *gcl_launch_line(const struct gcl_query *query, const struct gcl_source_launch *launch,
                      const json_t *kernel, gint64 *budget_us) {
    struct gcl_measure *m = gcl_measure_launch(query->view, launch);
    GString *line = g_string_new(NULL);
    g_autofree char *why = NULL;
    json_int_t nodes = gcl_kernels_nodes(query);
    json_t *spread = NULL;
    if (m)
        gcl_measure_read(m);
    if (m && gcl_measure_is_whole(m) && nodes <= MOST_NODES)
        spread = gcl_measure_spread(query->view, m, (uint32_t)nodes, budget_us, &why);
    if (spread) {
        append_spread(line, query, spread, m);
    } else if (is_one_block(m)) {
        g_string_append(line, "1 node · it is one block");
    } else if (stays(kernel)) {
        g_string_append(line, "1 node");
        gcl_kernels_append_single(line, kernel);
    } else {
        g_string_append_printf(line, "up to %" JSON_INTEGER_FORMAT " nodes", nodes);
        append_moves(line, kernel);
    }
    json_decref(spread);
    gcl_measure_destroy(m);
    return g_string_free(line, FALSE);
}
