// How long parsing takes: `bench_grammar file...` joins the files, again and again, to 5,000 lines,
// parses them, and then types a letter and takes it away in each of many lines, as an editor would.
#include <stdio.h>
#include <time.h>

#include "../grammar/files.h"

enum { LINES = 5000, EDITS = 500 };

static double now_ms(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static GString *make_text(char **paths, int count) {
    GString *text = g_string_new(NULL);
    unsigned lines = 0;
    for (int i = 0; lines < LINES; i = (i + 1) % count) {
        gsize size;
        g_autofree char *file = read_file(paths[i], &size);
        g_string_append_len(text, file, (gssize)size);
        for (gsize b = 0; b < size; b++)
            lines += file[b] == '\n';
    }
    return text;
}

static TSPoint point_at(const GString *text, uint32_t offset) {
    TSPoint point = {0};
    for (uint32_t i = 0; i < offset; i++) {
        point.column++;
        if (text->str[i] == '\n')
            point = (TSPoint){.row = point.row + 1};
    }
    return point;
}

// Puts a letter at `at`, or takes it away. Returns milliseconds.
static double edit(TSParser *parser, TSTree **tree, GString *text, uint32_t at, bool remove) {
    TSPoint begin = point_at(text, at), behind = {begin.row, begin.column + 1};
    const TSInputEdit change = {
        .start_byte = at,
        .old_end_byte = at + (remove ? 1 : 0),
        .new_end_byte = at + (remove ? 0 : 1),
        .start_point = begin,
        .old_end_point = remove ? behind : begin,
        .new_end_point = remove ? begin : behind,
    };
    if (remove)
        g_string_erase(text, at, 1);
    else
        g_string_insert_c(text, at, 'x');
    double start = now_ms();
    ts_tree_edit(*tree, &change);
    TSTree *next = ts_parser_parse_string(parser, *tree, text->str, (uint32_t)text->len);
    double time = now_ms() - start;
    ts_tree_delete(*tree);
    *tree = next;
    return time;
}

static int compare(const void *a, const void *b) {
    double difference = *(const double *)a - *(const double *)b;
    return (difference > 0) - (difference < 0);
}

int main(int count, char **words) {
    static double times[2 * EDITS];
    if (count < 2) {
        fprintf(stderr, "usage: %s file...\n", words[0]);
        return 2;
    }
    TSParser *parser = create_parser("cuda");
    g_autoptr(GString) text = make_text(words + 1, count - 1);
    double start = now_ms();
    TSTree *tree = ts_parser_parse_string(parser, NULL, text->str, (uint32_t)text->len);
    printf("%zu bytes parsed in %.1f ms\n", text->len, now_ms() - start);
    for (int i = 0; i < EDITS; i++) {
        uint32_t at = (uint32_t)(text->len * (gsize)i / EDITS);
        times[2 * i] = edit(parser, &tree, text, at, false);
        times[2 * i + 1] = edit(parser, &tree, text, at, true);
    }
    qsort(times, 2 * EDITS, sizeof *times, compare);
    printf(
        "%d edits: median %.2f ms, 95 %% within %.2f ms, 99 %% within %.2f ms, longest %.2f ms\n",
        2 * EDITS, times[EDITS], times[EDITS * 2 * 95 / 100], times[EDITS * 2 * 99 / 100],
        times[2 * EDITS - 1]);
    ts_tree_delete(tree);
    ts_parser_delete(parser);
    return 0;
}
