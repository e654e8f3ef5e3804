// What a node needs are the elements that its blocks read and write. Whether a kernel's ranges use
// so much less than all of it as they have fewer blocks, only the runtime sees: it is taken for
// granted here.
#include "lsp/kernel/fits.h"

#include "base/size_text.h"
#include "exec/fit/fit.h"

/// Bytes of a device; 0: nobody says.
static uint64_t device_size(const struct gcl_query *query) {
    const char *text = json_string_value(json_object_get(query->worker->settings, "memory"));
    size_t size;
    if (!text || !*text)
        text = g_getenv("GCL_MEMORY");
    return text && gcl_size_parse(text, &size) ? size : 0;
}

static int64_t item(const json_t *run, size_t index) {
    return json_integer_value(json_array_get(run, index));
}

/// Adds runs of elements to the span that they lie in, and their lengths to `*sum`.
static void add_runs(const json_t *runs, int64_t *begin, int64_t *end, int64_t *sum) {
    const json_t *run;
    size_t i;
    json_array_foreach((json_t *)runs, i, run) {
        int64_t length = item(run, 1), count = item(run, 3);
        *begin = MIN(*begin, item(run, 0));
        *end = MAX(*end, item(run, 0) + (count - 1) * item(run, 2) + length);
        *sum += length * count;
    }
}

/// Elements of an array that a node touches, or somewhat more, where it writes some of what it
/// reads.
static int64_t touched_by(const json_t *node) {
    const json_t *reads = json_object_get(node, "reads"), *writes = json_object_get(node, "writes");
    int64_t begin = INT64_MAX, end = INT64_MIN, sum = 0;
    add_runs(reads, &begin, &end, &sum);
    if (!json_equal(reads, writes))
        add_runs(writes, &begin, &end, &sum);
    return sum > 0 ? MIN(sum, end - begin) : 0;
}

/// Bytes that a node touches; 0: of some array that isn't known.
static uint64_t needed_by(const json_t *spread, size_t node) {
    const json_t *array;
    size_t i;
    uint64_t bytes = 0;
    json_array_foreach(json_object_get(spread, "arrays"), i, array) {
        int64_t touched = touched_by(json_array_get(json_object_get(array, "nodes"), node));
        if (json_is_true(json_object_get(array, "unbounded")) ||
            json_is_true(json_object_get(array, "simplified")))
            return 0;
        bytes += (uint64_t)(touched * json_integer_value(json_object_get(array, "elementBytes")));
    }
    return bytes;
}

bool gcl_fits_find(const struct gcl_query *query, const json_t *spread, struct gcl_fits *fits) {
    const json_t *first = json_array_get(json_object_get(spread, "arrays"), 0);
    size_t count = json_array_size(json_object_get(first, "nodes"));
    *fits = (struct gcl_fits){.device = device_size(query)};
    for (size_t node = 0; node < count; node++)
        fits->needed = MAX(fits->needed, needed_by(spread, node));
    uint64_t part = fits->device / GCL_FIT_PARTS;
    if (part == 0 || fits->needed <= fits->device)
        return false;
    fits->ranges = (fits->needed + part - 1) / part;
    return true;
}
