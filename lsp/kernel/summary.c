// Arguments of which the same is said are one part of the line.
#include "lsp/kernel/summary.h"

#include <string.h>

#include "lsp/base/json.h"
#include "lsp/kernel/kernels.h"

enum { LINE_LENGTH = 90 }; // letters of a line's parts about arguments

char *gcl_summary_halo(const char *words) {
    const char *open = strstr(words, "(halo "), *close = open ? strchr(open, ')') : NULL;
    return close ? g_strndup(open + 1, (gsize)(close - open - 1)) : NULL;
}

// "rows y-1 … y+1 (halo 1 row)" is "halo 1 row", "row y, written exactly once" is "exact".
static char *shorten(const char *words) {
    char *halo = gcl_summary_halo(words);
    if (halo)
        return halo;
    if (strstr(words, "written exactly once"))
        return g_strdup("exact");
    return g_strdup(words);
}

static char *quality_of(const json_t *argument) {
    const char *words = json_string_value(json_array_get(json_object_get(argument, "words"), 0));
    return words ? shorten(words) : NULL;
}

// "exact: out, sum" for each quality, in the order of the arguments.
static GPtrArray *parts_of(const json_t *kernel) {
    GPtrArray *parts = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GPtrArray) qualities = g_ptr_array_new_with_free_func(g_free);
    json_t *argument;
    size_t i;
    json_array_foreach(json_object_get(kernel, "arguments"), i, argument) {
        const char *name = gcl_json_words(argument, "name");
        char *quality = quality_of(argument);
        guint at = 0;
        while (quality && at < parts->len && strcmp(qualities->pdata[at], quality) != 0)
            at++;
        if (quality && at < parts->len) {
            char *part = g_strdup_printf("%s, %s", (char *)parts->pdata[at], name);
            g_free(parts->pdata[at]);
            parts->pdata[at] = part;
            g_free(quality);
        } else if (quality) {
            g_ptr_array_add(qualities, quality);
            g_ptr_array_add(parts, g_strdup_printf("%s: %s", quality, name));
        }
    }
    return parts;
}

// From how many blocks on it pays to spread the kernel, up to the text's first `stop`; "" if nobody
// knows.
static char *worth_of(const json_t *kernel, const char *stop) {
    g_autofree char *text = g_strdup(gcl_json_words(kernel, "worth"));
    g_auto(GStrv) around = g_strsplit(text, " on (", 2);
    char *whole = g_strjoinv(" (", around), *end = *stop ? strstr(whole, stop) : NULL;
    if (end)
        *end = '\0';
    return whole;
}

// "splits along y", or where a kernel runs that isn't split, and why; true in `splits` of the one.
static GString *begin(const json_t *kernel, bool *splits) {
    const char *split = gcl_json_words(kernel, "split");
    GString *out = g_string_new(NULL);
    *splits = strcmp(split, "none") != 0;
    if (*splits) {
        g_string_append_printf(out, "splits along %s", split);
    } else {
        g_string_append(out, "runs on one node");
        gcl_kernels_append_single(out, kernel);
    }
    return out;
}

char *gcl_summary_whole(const json_t *kernel) {
    g_autoptr(GPtrArray) parts = parts_of(kernel);
    g_autofree char *worth = worth_of(kernel, "");
    bool splits;
    GString *out = begin(kernel, &splits);
    for (guint i = 0; splits && i < parts->len; i++)
        g_string_append_printf(out, " · %s", (char *)parts->pdata[i]);
    if (splits && *worth)
        g_string_append_printf(out, " · %s", worth);
    return g_string_free(out, FALSE);
}

char *gcl_summary_line(const json_t *kernel) {
    g_autoptr(GPtrArray) parts = parts_of(kernel);
    g_autofree char *worth = worth_of(kernel, " of ");
    bool splits;
    GString *out = begin(kernel, &splits);
    glong length = 0;
    guint i = 0;
    worth[strcspn(worth, "(")] = '\0';
    if (splits && *worth)
        g_string_append_printf(out, " · %s", g_strchomp(worth));
    for (; splits && i < parts->len; i++) {
        length += g_utf8_strlen(parts->pdata[i], -1) + 3;
        if (i > 0 && length > LINE_LENGTH)
            break;
        g_string_append_printf(out, " · %s", (char *)parts->pdata[i]);
    }
    if (splits && i < parts->len)
        g_string_append(out, " · …");
    return g_string_free(out, FALSE);
}

char *gcl_summary_legend(const char *text) {
    static const struct {
        const char *sign, *text;
    } words[] = {
        {"row y", "**row y**, **element x**: what the threads of row y, or thread x, of the whole "
                  "grid touch; y is `blockIdx.y * blockDim.y + threadIdx.y`."},
        {"element x", NULL},
        {"halo", "**halo**: elements of the neighbouring blocks. Where the next block runs on "
                 "another node, they come from there at each launch."},
        {"exact", "**exact**: it is known which elements these are. Over a kernel: each is written "
                  "by one block, so every node has its own."},
        {"bounded", "**bounded**: no others than these, but maybe not all of them."},
        {"data-dependent", "**data-dependent**: which elements depends on what memory holds."},
        {"inspected at launch", "**inspected at launch**: nodes look up which elements these are "
                                "before each launch."},
        {"the same for all blocks", "**the same for all blocks**: every node needs all of it."},
        {"combined over all blocks", "**combined**: each node computes its part of the result, and "
                                     "the parts are put together."},
        {"written by several blocks", "**written by several blocks**: nodes' results are merged "
                                      "after the launch."},
        {"pays from", "**pays from**: in smaller launches more time goes into what moves than two "
                      "nodes save."},
    };
    GString *out = g_string_new(NULL);
    const char *last = NULL;
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
        const char *meaning = words[i].text ? words[i].text : words[i - 1].text;
        if (!strstr(text, words[i].sign) || meaning == last)
            continue;
        g_string_append_printf(out, "- %s\n", meaning);
        last = meaning;
    }
    return g_string_free(out, FALSE);
}
