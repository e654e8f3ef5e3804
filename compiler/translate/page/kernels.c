// A tile of the map has the letter of the axis that the kernel is split along, so that nobody needs
// to tell colours apart, and leads to the kernel's row of the table.
#include "translate/page/kernels.h"

#include <stdbool.h>
#include <string.h>

#include "translate/page/entry.h"
#include "translate/page/markup.h"

enum { TILE = 22, STEP = 26, LEFT = 300, WIDTH = 960, PER_LINE = (WIDTH - LEFT) / STEP };

enum gcl_verdict gcl_verdict_of(const json_t *kernel) {
    if (strcmp(gcl_entry_text(kernel, "split"), "none") == 0)
        return GCL_VERDICT_ALONE;
    return json_array_size(json_object_get(kernel, "reasons")) > 0 ? GCL_VERDICT_RESERVED
                                                                   : GCL_VERDICT_CLEAR;
}

static const char *verdict_text(enum gcl_verdict verdict) {
    static const char *const texts[] = {
        [GCL_VERDICT_CLEAR] = "splits freely",
        [GCL_VERDICT_RESERVED] = "splits, with reservations",
        [GCL_VERDICT_ALONE] = "stays on one node",
    };
    return texts[verdict];
}

static const char *letter_of(const json_t *kernel) {
    return gcl_verdict_of(kernel) == GCL_VERDICT_ALONE ? "1" : gcl_entry_text(kernel, "split");
}

// The map: a line of tiles for each file, or several.

// Indices of kernels, those of one file next to each other, files in the order of their first.
static GArray *by_file(const json_t *kernels) {
    GArray *order = g_array_new(FALSE, FALSE, sizeof(size_t));
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    for (size_t first = 0; first < json_array_size(kernels); first++) {
        const char *file = gcl_entry_text(json_array_get(kernels, first), "file");
        if (!g_hash_table_add(seen, (gpointer)file))
            continue;
        for (size_t i = first; i < json_array_size(kernels); i++) {
            if (strcmp(gcl_entry_text(json_array_get(kernels, i), "file"), file) == 0)
                g_array_append_val(order, i);
        }
    }
    return order;
}

static void write_tile(GString *page, const json_t *kernel, size_t index, int x, int y) {
    enum gcl_verdict verdict = gcl_verdict_of(kernel);
    gcl_markup(page,
               "<a href=\"#k%zu\"><g class=v%d><title>%s: %s</title>"
               "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"4\"/>"
               "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text></g></a>\n",
               index, (int)verdict, gcl_entry_text(kernel, "name"), verdict_text(verdict), x, y,
               TILE, TILE, x + TILE / 2, y + TILE - 6, letter_of(kernel));
}

// The end of a path that is too long for its column: the file is what tells it apart.
static char *short_path(const char *path) {
    enum { LONGEST = 40 };
    glong length = g_utf8_strlen(path, -1);
    if (length <= LONGEST)
        return g_strdup(path);
    return g_strconcat("…", g_utf8_offset_to_pointer(path, length - LONGEST + 1), NULL);
}

// Appends the tiles. Returns the height that they take.
static int write_tiles(GString *page, const json_t *kernels) {
    g_autoptr(GArray) order = by_file(kernels);
    const char *last = NULL;
    int column = 0, y = -STEP;
    for (guint i = 0; i < order->len; i++) {
        size_t index = g_array_index(order, size_t, i);
        const json_t *kernel = json_array_get(kernels, index);
        const char *file = gcl_entry_text(kernel, "file");
        bool is_new = !last || strcmp(last, file) != 0;
        if (is_new || column == PER_LINE) {
            column = 0;
            y += STEP;
        }
        if (is_new) {
            g_autofree char *path = short_path(file);
            gcl_markup(page,
                       "<text class=file x=\"%d\" y=\"%d\" text-anchor=\"end\">%s"
                       "<title>%s</title></text>\n",
                       LEFT - 10, y + TILE - 6, path, file);
        }
        write_tile(page, kernel, index, LEFT + column++ * STEP, y);
        last = file;
    }
    return y + STEP;
}

static void write_legend(GString *page, const json_t *kernels) {
    size_t counts[GCL_VERDICT_COUNT] = {0};
    for (size_t i = 0; i < json_array_size(kernels); i++)
        counts[gcl_verdict_of(json_array_get(kernels, i))]++;
    g_string_append(page, "<p class=legend>");
    for (int v = 0; v < GCL_VERDICT_COUNT; v++)
        gcl_markup(page, "<span><i class=v%d></i> %s: %zu</span> ", v,
                   verdict_text((enum gcl_verdict)v), counts[v]);
    g_string_append(page, "</p>\n");
}

void gcl_kernels_map(GString *page, const json_t *kernels) {
    if (json_array_size(kernels) == 0)
        return;
    g_autoptr(GString) tiles = g_string_new(NULL);
    int height = write_tiles(tiles, kernels);
    g_string_append(page, "<section><h2>Kernels by verdict</h2>\n");
    write_legend(page, kernels);
    gcl_markup(page,
               "<svg class=map viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\" "
               "aria-label=\"Kernels by file and verdict\">\n",
               WIDTH, height, WIDTH, height);
    g_string_append_len(page, tiles->str, (gssize)tiles->len);
    g_string_append(page,
                    "</svg>\n<p class=note>A letter is the axis that a launch is split along; "
                    "1: it runs on one node.</p></section>\n");
}

// The table.

static void write_arguments(GString *page, const json_t *kernel) {
    const json_t *argument, *word;
    size_t i, w;
    g_string_append(page, "<ul class=arguments>");
    json_array_foreach(json_object_get(kernel, "arguments"), i, argument) {
        gcl_markup(page, "<li><code>%s</code>", gcl_entry_text(argument, "name"));
        json_array_foreach(json_object_get(argument, "words"), w, word)
            gcl_markup(page, "%s %s", w == 0 ? ":" : ",", json_string_value(word));
        g_string_append(page, "</li>");
    }
    g_string_append(page, "</ul>");
}

static void write_reasons(GString *page, const json_t *kernel) {
    const json_t *reason;
    size_t i;
    json_array_foreach(json_object_get(kernel, "reasons"), i, reason) {
        const json_t *place = json_object_get(reason, "place");
        gcl_markup(page, "<p><b class=code>%s</b> <code>%s</code> %s, because %s.",
                   gcl_entry_text(reason, "code"), gcl_entry_text(reason, "argument"),
                   gcl_entry_text(reason, "what"), gcl_entry_text(reason, "why"));
        if (*gcl_entry_text(reason, "advice"))
            gcl_markup(page, " <em>%s.</em>", gcl_entry_text(reason, "advice"));
        if (place)
            gcl_markup(page, " <span class=place>line %lld</span>",
                       gcl_entry_number(place, "line"));
        g_string_append(page, "</p>");
    }
}

// "4096 blocks of 16 × 16 threads": the launch that costs are estimated for.
static void write_launch(GString *page, const json_t *costs) {
    const json_t *grid = json_object_get(costs, "grid"), *block = json_object_get(costs, "block");
    const json_t *count;
    long long blocks = 1;
    size_t i;
    if (!grid)
        return;
    json_array_foreach(grid, i, count) blocks *= json_integer_value(count);
    gcl_markup(page, "<br><span class=note>times are for %lld blocks of ", blocks);
    json_array_foreach(block, i, count) {
        if (i == 0 || json_integer_value(count) > 1)
            gcl_markup(page, i == 0 ? "%lld" : " × %lld", (long long)json_integer_value(count));
    }
    g_string_append(page, " threads</span>");
}

static void write_time(GString *page, const json_t *us, double alone_us) {
    double time = json_number_value(us);
    const char *more = alone_us > 0 && time > alone_us ? " worse" : "";
    if (!json_is_number(us))
        g_string_append(page, "<td class=number>?</td>");
    else if (time >= 1000)
        gcl_markup(page, "<td class=\"number%s\">%.2f ms</td>", more, time / 1000);
    else
        gcl_markup(page, "<td class=\"number%s\">%.0f µs</td>", more, time);
}

// Four cells: what a launch takes on 1, 2, 8 and 64 nodes, or what moves for it where nobody knows
// what its blocks take.
static void write_costs(GString *page, const json_t *costs) {
    const json_t *alone = json_object_get(costs, "alone_us"), *node;
    bool is_known = json_is_number(alone);
    size_t i;
    write_time(page, alone, 0);
    json_array_foreach(json_object_get(costs, "nodes"), i, node) write_time(
        page, json_object_get(node, is_known ? "total_us" : "moves_us"), json_number_value(alone));
}

static void write_kernel(GString *page, const json_t *kernel, size_t index) {
    enum gcl_verdict verdict = gcl_verdict_of(kernel);
    const json_t *costs = json_object_get(kernel, "costs");
    const char *split = gcl_entry_text(kernel, "split"), *worth = gcl_entry_text(kernel, "worth");
    gcl_markup(page, "<tr id=\"k%zu\"><td><i class=v%d></i> <code>%s</code><br>", index,
               (int)verdict, gcl_entry_text(kernel, "name"));
    gcl_markup_place(page, gcl_entry_text(kernel, "file"), gcl_entry_number(kernel, "line"));
    g_string_append(page, "</td><td>");
    if (verdict == GCL_VERDICT_ALONE)
        g_string_append(page, "one node");
    else
        gcl_markup(page, "along <code>blockIdx.%s</code>", split);
    if (*worth)
        gcl_markup(page, "<br><span class=note>%s</span>", worth);
    write_launch(page, costs);
    g_string_append(page, "</td>");
    if (json_is_object(costs))
        write_costs(page, costs);
    else
        g_string_append(page, "<td colspan=4></td>");
    g_string_append(page, "<td>");
    write_reasons(page, kernel);
    gcl_markup(page, "<details%s><summary>what its blocks touch</summary>",
               verdict == GCL_VERDICT_CLEAR ? " open" : "");
    write_arguments(page, kernel);
    g_string_append(page, "</details></td></tr>\n");
}

void gcl_kernels_table(GString *page, const json_t *kernels) {
    if (json_array_size(kernels) == 0)
        return;
    g_string_append(
        page,
        "<section><h2>Kernels</h2>\n"
        "<p class=note>What a launch is estimated to take on nodes of 16 threads, with what moves "
        "for it; behind a ?, where arguments or data decide what blocks take, what moves "
        "alone.</p>\n"
        "<table class=kernels><thead><tr><th>kernel</th><th>split</th><th>1 node</th>"
        "<th>2 nodes</th><th>8 nodes</th><th>64 nodes</th><th>why, and what helps</th></tr></thead>"
        "<tbody>\n");
    for (size_t i = 0; i < json_array_size(kernels); i++)
        write_kernel(page, json_array_get(kernels, i), i);
    g_string_append(page, "</tbody></table></section>\n");
}
