// The usual table of distances between beginnings of both words, of which three rows are kept.
#include "spell.h"

#include <assert.h>
#include <string.h>

enum { LONGEST = 64 };

static size_t least(size_t a, size_t b, size_t c) {
    return MIN(MIN(a, b), c);
}

static size_t distance(const char *left, const char *right) {
    size_t rows[3][LONGEST + 1], columns = strlen(right);
    assert(strlen(left) <= LONGEST && columns <= LONGEST);
    size_t *before = rows[0], *above = rows[1], *row = rows[2];
    for (size_t j = 0; j <= columns; j++)
        above[j] = before[j] = j;
    for (size_t i = 1; left[i - 1]; i++) {
        row[0] = i;
        for (size_t j = 1; j <= columns; j++) {
            size_t change = above[j - 1] + (left[i - 1] != right[j - 1]);
            row[j] = least(change, above[j] + 1, row[j - 1] + 1);
            if (i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1])
                row[j] = MIN(row[j], before[j - 2] + 1);
        }
        size_t *free_row = before;
        before = above;
        above = row;
        row = free_row;
    }
    return above[columns];
}

const char *gcl_spell_nearest(const char *word, const GPtrArray *candidates) {
    const char *nearest = NULL;
    size_t length = strlen(word), best = MAX(length, 3) / 3 + 1;
    if (length > LONGEST)
        return NULL;
    for (guint i = 0; i < candidates->len; i++) {
        const char *candidate = candidates->pdata[i];
        if (strlen(candidate) > LONGEST)
            continue;
        size_t far = distance(word, candidate);
        if (far >= best || far >= strlen(candidate))
            continue;
        best = far;
        nearest = candidate;
    }
    return nearest;
}
