// Arguments of which the same is said are one part of the line.
#include "lsp/kernel/summary.h"

#include <stdio.h>
#include <string.h>

#include "lsp/base/json.h"
#include "lsp/kernel/kernels.h"

enum { LINE_LENGTH = 90 }; // letters of a line's parts about arguments

char *gcl_summary_halo(const char *words) {
    const char *open = strstr(words, "(halo "), *close = open ? strchr(open, ')') : NULL;
    return close ? g_strndup(open + 1, (gsize)(close - open - 1)) : NULL;
}

char *gcl_summary_plain(const char *words) {
    static const char inspected[] = "inspected at launch";
    return g_str_has_prefix(words, inspected)
               ? g_strconcat("looked up at launch", words + strlen(inspected), NULL)
               : g_strdup(words);
}

// "3 elements from 3*x" is "3 elements a thread"; NULL: the words are others.
static char *shorten_group(const char *words) {
    unsigned count = 0, factor = 0;
    int end = 0;
    if (sscanf(words, "%u elements from %u*x%n", &count, &factor, &end) != 2 || count != factor ||
        words[end] != '\0')
        return NULL;
    return g_strdup_printf("%u elements a thread", count);
}

// "rows y-1 … y+1 (halo 1 row)" is "halo 1 row", "row y, written exactly once" is "written once".
static char *shorten(const char *words) {
    static const struct {
        const char *whole, *brief;
    } known[] = {
        {"row x", "own rows"},
        {"row y", "own rows"},
        {"element x", "own elements"},
        {"element blockIdx.x", "one element a block"},
        {"the same for all blocks", "needed by all blocks"},
        {"all of it, data decides where", "needed whole, as data decides where"},
        {"inspected at launch, written", "writes looked up at launch"},
    };
    static const char combined[] = "combined over all blocks: ";
    const char *operation = strstr(words, combined);
    char *halo = gcl_summary_halo(words), *group = shorten_group(words);
    if (halo || group)
        return halo ? halo : group;
    if (strstr(words, "written exactly once"))
        return g_strdup("written once");
    if (g_str_has_suffix(words, " and on in steps of the grid"))
        return g_strdup("grid-stride loop");
    if (operation)
        return g_strdup_printf("combined by %s", operation + strlen(combined));
    for (size_t i = 0; i < G_N_ELEMENTS(known); i++) {
        if (strcmp(words, known[i].whole) == 0)
            return g_strdup(known[i].brief);
    }
    return gcl_summary_plain(words);
}

static char *quality_of(const json_t *argument) {
    const char *words = json_string_value(json_array_get(json_object_get(argument, "words"), 0));
    return words ? shorten(words) : NULL;
}

// "written once: out, sum" for each quality, in the order of the arguments.
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
    char *open = strrchr(worth, '(');
    if (open && !strchr(open, ')')) // of "(2 nodes of 16 threads)", and not of a formula
        *open = '\0';
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

// Whether a text speaks of a thread's place on an axis: `x`, but not `threadIdx.x`.
static bool has_place(const char *text, char axis) {
    for (const char *at = strchr(text, axis); at; at = strchr(at + 1, axis)) {
        char before = at > text ? at[-1] : ' ';
        bool is_alone = !g_ascii_isalnum(before) && !strchr("._#", before) &&
                        !g_ascii_isalnum(at[1]) && at[1] != '_' && at[1] != '.';
        if (is_alone && !g_str_has_prefix(at + 1, "\n"))
            return true;
    }
    return false;
}

char *gcl_summary_places(const char *text) {
    GString *out = g_string_new(NULL);
    for (char axis = 'x'; axis <= 'z'; axis++) {
        if (has_place(text, axis))
            g_string_append_printf(out, "%s%c = `blockIdx.%c * blockDim.%c + threadIdx.%c`",
                                   out->len > 0 ? ", " : "", axis, axis, axis, axis);
    }
    return g_string_free(out, FALSE);
}

char *gcl_summary_legend(const char *text) {
    static const struct {
        const char *sign, *text;
    } words[] = {
        {"splits along", "**splits along y**: each node runs the blocks of one range of "
                         "`blockIdx.y`; x and z likewise."},
        {"own rows", "**own rows**, **own elements**: each thread touches what has its own number, "
                     "and nothing of its neighbours'."},
        {"own elements", NULL},
        {"halo", "**halo**: elements of the neighbouring blocks. Where the next block runs on "
                 "another node, they come from there at each launch."},
        {"written once", "**written once**: each element is written by one block, so every node "
                         "keeps what it writes, and nothing has to be put together."},
        {"written exactly once", NULL},
        {"grid-stride", "**grid-stride loop**: each thread goes on by the size of the grid."},
        {"at most these", "**at most these**: maybe not all of them are touched."},
        {"depends on data", "**depends on data**: which elements are touched only memory says."},
        {"data-dependent", "**data-dependent**: which elements are touched only memory says."},
        {"looked up at launch", "**looked up at launch**: before each launch, nodes look into "
                                "memory for which elements these are."},
        {"needed by all blocks", "**needed by all blocks**: every node gets all of it."},
        {"combined", "**combined**: each node computes its part of the result, and the parts are "
                     "put together."},
        {"written by several blocks", "**written by several blocks**: nodes' results are merged "
                                      "after the launch."},
        {"pays from", "**pays from**: in smaller launches more time goes into what moves than two "
                      "nodes save."},
    };
    g_autofree char *places = gcl_summary_places(text);
    GString *out = g_string_new(NULL);
    const char *last = NULL;
    if (*places)
        g_string_append_printf(out, "- a thread's number in the whole grid: %s\n", places);
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
        const char *meaning = words[i].text ? words[i].text : words[i - 1].text;
        if (!strstr(text, words[i].sign) || meaning == last)
            continue;
        g_string_append_printf(out, "- %s\n", meaning);
        last = meaning;
    }
    return g_string_free(out, FALSE);
}
