// Two small grammars that users write: counts of nodes ("2,8,64", ascending, each above 1) and a
// link ("12.5GB/s,2us"). What isn't wholly of that form is refused.
#include "predict_text.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool gcl_predict_parse_counts(const char *text, struct gcl_predict_counts *counts) {
    unsigned long before = 1;
    counts->count = 0;
    for (char *end;; text = end + 1) {
        unsigned long nodes = isdigit((unsigned char)*text) ? strtoul(text, &end, 10) : 0;
        if (nodes <= before || nodes > GCL_PREDICT_MOST_NODES || counts->count == GCL_PREDICT_MOST)
            return false;
        counts->counts[counts->count++] = (uint32_t)(before = nodes);
        if (*end != ',')
            return *end == 0;
    }
}

struct unit {
    const char *name;
    double size;
};

/// Reads a number and one of the units behind it; NULL: there is none, or it isn't positive.
static const char *parse_amount(const char *text, const struct unit *units, double *amount) {
    char *end;
    if (!isdigit((unsigned char)*text))
        return NULL;
    double number = strtod(text, &end);
    for (; units->name; units++) {
        size_t length = strlen(units->name);
        if (strncmp(end, units->name, length) != 0)
            continue;
        *amount = number * units->size;
        return isfinite(*amount) && *amount > 0 ? end + length : NULL;
    }
    return NULL;
}

bool gcl_predict_parse_link(const char *text, struct gcl_predict_link *link) {
    static const struct unit rates[] = {
        {"kB/s", 1e-6}, {"MB/s", 1e-3}, {"GB/s", 1}, {"TB/s", 1e3}, {.name = NULL}};
    static const struct unit times[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {.name = NULL}};
    text = parse_amount(text, rates, &link->bytes_per_ns);
    text = text && *text == ',' ? parse_amount(text + 1, times, &link->latency_ns) : NULL;
    return text && *text == 0;
}
