// A line's ranges may overlap, and are read in any order: their ends cut all chunks into pieces,
// each of which is read, written or both.
#include "trace.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

enum { MOST_RANGES = 4096 }; // of a line

/// A line's ranges as they stand.
struct line {
    struct gcl_chunk_range ranges[MOST_RANGES];
    uint8_t uses[MOST_RANGES];
    size_t count;
};

static int compare(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/// Reads what follows a line's name. False: it isn't as it has to be.
static bool read_ranges(char *text, struct line *line) {
    uint8_t use = 0;
    line->count = 0;
    for (char *rest, *word = strtok_r(text, " \t\r\n", &rest); word;
         word = strtok_r(NULL, " \t\r\n", &rest)) {
        uint32_t begin, end;
        int length = 0;
        if (strcmp(word, "r") == 0 || strcmp(word, "w") == 0) {
            use = word[0] == 'r' ? GCL_TRACE_READ : GCL_TRACE_WRITE;
            continue;
        }
        if (sscanf(word, "%u-%u%n", &begin, &end, &length) != 2 || word[length] || begin >= end ||
            end > 1U << 31 || use == 0 || line->count == MOST_RANGES)
            return false;
        line->uses[line->count] = use;
        line->ranges[line->count++] = (struct gcl_chunk_range){.begin = begin, .end = end};
    }
    return true;
}

/// What a line does with chunks of which all are used alike.
static uint8_t use_of(const struct line *line, uint32_t chunk) {
    uint8_t use = 0;
    for (size_t i = 0; i < line->count; i++) {
        if (line->ranges[i].begin <= chunk && chunk < line->ranges[i].end)
            use |= line->uses[i];
    }
    return use;
}

static void cut(const struct line *line, struct gcl_trace_command *command) {
    static uint32_t ends[2 * MOST_RANGES];
    size_t count = 0;
    for (size_t i = 0; i < line->count; i++) {
        ends[count++] = line->ranges[i].begin;
        ends[count++] = line->ranges[i].end;
    }
    qsort(ends, count, sizeof ends[0], compare);
    command->ranges = calloc(count + 1, sizeof command->ranges[0]);
    command->uses = calloc(count + 1, sizeof command->uses[0]);
    for (size_t i = 0; i + 1 < count; i++) {
        uint8_t use = use_of(line, ends[i]);
        if (ends[i] == ends[i + 1] || use == 0)
            continue;
        command->uses[command->count] = use;
        command->ranges[command->count++] =
            (struct gcl_chunk_range){.begin = ends[i], .end = ends[i + 1]};
        command->size += ends[i + 1] - ends[i];
    }
}

static bool add_line(struct gcl_trace *trace, char *text) {
    static struct line line;
    text[strcspn(text, "#")] = 0;
    char *name = text + strspn(text, " \t\r\n");
    size_t length = strcspn(name, " \t\r\n");
    if (length == 0)
        return true;
    if (!read_ranges(name + length, &line))
        return false;
    if ((trace->count & (trace->count - 1)) == 0)
        trace->commands = realloc(trace->commands,
                                  (trace->count ? 2 * trace->count : 1) * sizeof *trace->commands);
    struct gcl_trace_command *command = &trace->commands[trace->count++];
    *command = (struct gcl_trace_command){.kind = gcl_hash(name, length)};
    cut(&line, command);
    if (command->count > 0 && command->ranges[command->count - 1].end > trace->chunk_count)
        trace->chunk_count = command->ranges[command->count - 1].end;
    return true;
}

bool gcl_trace_read(FILE *file, struct gcl_trace *trace) {
    char *text = NULL;
    size_t size = 0, number = 0;
    bool is_right = true;
    *trace = (struct gcl_trace){.count = 0};
    while (is_right && getline(&text, &size, file) >= 0) {
        number++;
        is_right = add_line(trace, text);
    }
    free(text);
    if (!is_right) {
        fprintf(stderr, "line %zu: expected NAME [r BEGIN-END...] [w BEGIN-END...]\n", number);
        gcl_trace_finish(trace);
    }
    return is_right;
}

void gcl_trace_finish(struct gcl_trace *trace) {
    for (size_t i = 0; i < trace->count; i++) {
        free(trace->commands[i].ranges);
        free(trace->commands[i].uses);
    }
    free(trace->commands);
    *trace = (struct gcl_trace){.count = 0};
}
