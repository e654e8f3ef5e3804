// A call of one of CUDA's functions with arguments that it doesn't take: clang lists the candidates
// of our headers, each with a reason of its own, under our names. The reasons together say how many
// arguments there are, or which one is of which type and may have which.
#include <stdlib.h>
#include <string.h>

#include "frontend/mistakes.h"
#include "frontend/report.h"

/// What candidates say.
struct candidates {
    GPtrArray *counts;  ///< char *: numbers of arguments, each once
    GPtrArray *wanted;  ///< char *: types of the argument that doesn't fit, each once
    char *given_count;  ///< arguments that there are; NULL: that isn't the matter
    char *given;        ///< type of the argument that doesn't fit; NULL: that isn't the matter
    uint32_t argument;  ///< its place, from 1
    bool takes_address; ///< its address would fit
};

static bool is_in_our_headers(const char *note) {
    const char *end = strstr(note, ": note: ");
    gssize size = end ? end - note : 0;
    return g_strstr_len(note, size, "/share/gcluster/cuda/") ||
           g_strstr_len(note, size, "/include/gcluster/");
}

bool gcl_mistake_is_internal(const char *note) {
    static const char *const inside[] = {"candidate ", "passing argument to parameter '__",
                                         "expanded from "};
    const char *text = strstr(note, ": note: ");
    if (!text || !is_in_our_headers(note))
        return false;
    for (size_t i = 0; i < G_N_ELEMENTS(inside); i++) {
        if (g_str_has_prefix(text + strlen(": note: "), inside[i]))
            return true;
    }
    return strstr(text, "__gcl") != NULL;
}

static void take_once(GPtrArray *texts, char *text) {
    if (g_ptr_array_find_with_equal_func(texts, text, g_str_equal, NULL))
        g_free(text);
    else
        g_ptr_array_add(texts, text);
}

// What a pattern finds in a note; NULL: it doesn't fit.
static GMatchInfo *find(const char *pattern, const char *note) {
    GMatchInfo *found = NULL;
    g_autoptr(GRegex) regex = g_regex_new(pattern, 0, 0, NULL);
    if (regex && g_regex_match(regex, note, 0, &found))
        return found;
    g_match_info_unref(found);
    return NULL;
}

static bool see_count(struct candidates *candidates, const char *note) {
    static const char pattern[] = "requires (at least |at most |)(single|[0-9]+) argument.*, but "
                                  "(no|[0-9]+) .*provided";
    g_autoptr(GMatchInfo) found = find(pattern, note);
    if (!found)
        return false;
    g_autofree char *bound = g_match_info_fetch(found, 1), *count = g_match_info_fetch(found, 2);
    g_free(candidates->given_count);
    candidates->given_count = g_match_info_fetch(found, 3);
    take_once(candidates->counts, g_strconcat(bound, *count == 's' ? "1" : count, NULL));
    return true;
}

// The first argument that doesn't fit some candidate is what is spoken of.
static void take_type(struct candidates *candidates, char *given, char *wanted, uint32_t argument) {
    if (!candidates->given) {
        candidates->given = g_steal_pointer(&given);
        candidates->argument = argument;
    }
    if (candidates->argument == argument)
        take_once(candidates->wanted, g_steal_pointer(&wanted));
    g_free(given);
    g_free(wanted);
}

static bool see_type(struct candidates *candidates, const char *note) {
    static const char conversion[] =
        "(?:no known conversion from|cannot convert argument of incomplete type) '([^']*)'"
        "(?: \\(aka '[^']*'\\))? to '([^']*)'(?: \\(aka '[^']*'\\))? for ([0-9]+)[a-z]+ "
        "argument(; take the address of the argument with &)?";
    g_autoptr(GMatchInfo) found = find(conversion, note);
    if (!found)
        return false;
    g_autofree char *place = g_match_info_fetch(found, 3);
    g_autofree char *address = g_match_info_fetch(found, 4);
    uint32_t argument = (uint32_t)atoi(place);
    char *wanted = g_match_info_fetch(found, 2);
    if (address && *address && !g_str_has_prefix(wanted, "const ")) {
        candidates->takes_address |= !candidates->given || candidates->argument == argument;
    }
    take_type(candidates, g_match_info_fetch(found, 1), wanted, argument);
    return true;
}

static bool see_pointer(struct candidates *candidates, const char *note) {
    g_autoptr(GMatchInfo) found = find("could not match '[^']*\\*' against '([^']*)'", note);
    if (found && !candidates->given)
        take_type(candidates, g_match_info_fetch(found, 1), g_strdup("a pointer"), 1);
    return found != NULL;
}

// False: a candidate is the program's own.
static bool see_notes(struct candidates *candidates, const char *notes) {
    g_auto(GStrv) lines = g_strsplit(notes, "\n", -1);
    bool is_ours = true, has_pointers = false;
    for (char **line = lines; *line; line++) {
        if (!strstr(*line, ": note: candidate "))
            continue;
        is_ours &= is_in_our_headers(*line);
        if (!see_count(candidates, *line) && !see_type(candidates, *line))
            has_pointers |= strstr(*line, "could not match '") != NULL;
    }
    for (char **line = lines; *line && has_pointers && !candidates->given; line++)
        see_pointer(candidates, *line);
    return is_ours;
}

static char *join(const GPtrArray *texts, const char *last) {
    GString *out = g_string_new(NULL);
    for (guint i = 0; i < texts->len; i++)
        g_string_append_printf(out, "%s%s",
                               i == 0               ? ""
                               : i + 1 < texts->len ? ", "
                                                    : last,
                               (const char *)texts->pdata[i]);
    return gcl_report_in_cuda_words(g_string_free(out, FALSE));
}

// The text of the call's first argument, as far as the line has it.
static const char *first_argument(const struct gcl_mistake_said *said, const char *name) {
    size_t size = strlen(said->line), begin = said->column ? said->column - 1 : 0;
    const char *open = begin < size && g_str_has_prefix(said->line + begin, name)
                           ? strchr(said->line + begin, '(')
                           : NULL;
    return open ? open + 1 + strspn(open + 1, " ") : "";
}

// cudaMalloc(p, …) converts nothing, and yet lacks only the &.
static bool lacks_address(const struct candidates *candidates, const struct gcl_mistake_said *said,
                          const char *name) {
    const char *argument = first_argument(said, name);
    return candidates->takes_address ||
           (g_str_has_prefix(name, "cudaMalloc") && candidates->argument == 1 &&
            g_str_has_suffix(candidates->given, "*") &&
            (g_ascii_isalpha(*argument) || *argument == '_') &&
            g_ptr_array_find_with_equal_func(candidates->wanted, "void **", g_str_equal, NULL));
}

static void say_type(const struct candidates *candidates, const struct gcl_mistake_said *said,
                     const char *name, struct gcl_mistake *mistake) {
    g_autofree char *wanted = join(candidates->wanted, " or ");
    char *given = gcl_report_in_cuda_words(g_strdup(candidates->given));
    bool is_pointer = g_str_has_prefix(name, "cudaMalloc");
    if (lacks_address(candidates, said, name)) {
        mistake->code = GCL_CODE_POINTER_ITSELF;
        mistake->address = candidates->argument;
        mistake->message = g_strdup_printf("'%s' sets a %s, and is given its value", name,
                                           is_pointer ? "pointer" : "variable");
        mistake->help =
            g_strdup_printf("give its address: &%s", is_pointer ? "pointer" : "variable");
    } else {
        mistake->message = g_strdup_printf("argument %u of '%s' is of type '%s'",
                                           candidates->argument, name, given);
        mistake->help = g_strdup_printf("what it takes there: %s", wanted);
    }
    g_free(given);
}

static void say_count(const struct candidates *candidates, const char *name,
                      struct gcl_mistake *mistake) {
    g_autofree char *counts = join(candidates->counts, " or ");
    const char *given = candidates->given_count;
    mistake->message = g_strdup_printf(
        "'%s' takes %s argument%s, and is given %s", name, strcmp(counts, "0") == 0 ? "no" : counts,
        strcmp(counts, "1") == 0 ? "" : "s", strcmp(given, "no") == 0 ? "none" : given);
    mistake->help = NULL;
}

// The function that clang finds no candidate for, to be freed; NULL: it speaks of something else.
static char *called(const char *text) {
    g_autoptr(GMatchInfo) found = find("^no matching function for call to '([^']*)'$", text);
    char *name = found ? g_match_info_fetch(found, 1) : NULL;
    if (g_strcmp0(name, "__gcl_syncthreads") != 0)
        return name ? gcl_report_in_cuda_words(name) : NULL;
    g_free(name);
    return g_strdup("__syncthreads");
}

bool gcl_mistake_find_arguments(const struct gcl_mistake_said *said, struct gcl_mistake *mistake) {
    g_autofree char *name = called(said->text);
    if (!name)
        return false;
    struct candidates candidates = {.counts = g_ptr_array_new_with_free_func(g_free),
                                    .wanted = g_ptr_array_new_with_free_func(g_free)};
    bool is_ours = see_notes(&candidates, said->notes);
    bool found = is_ours && (candidates.given || candidates.given_count);
    if (found) {
        mistake->code = GCL_CODE_ARGUMENTS;
        mistake->length = (uint32_t)strlen(name);
        if (candidates.given)
            say_type(&candidates, said, name, mistake);
        else
            say_count(&candidates, name, mistake);
    }
    g_ptr_array_unref(candidates.counts);
    g_ptr_array_unref(candidates.wanted);
    g_free(candidates.given);
    g_free(candidates.given_count);
    return found;
}

// Operators.

// Whether there are candidates elsewhere than in our headers.
static bool has_candidates(const char *notes) {
    g_auto(GStrv) lines = g_strsplit(notes, "\n", -1);
    bool found = false;
    for (char **line = lines; *line; line++)
        found |= strstr(*line, ": note: candidate ") && !is_in_our_headers(*line);
    return found;
}

static bool is_vector(const char *type) {
    static const char pattern[] = "^(const )?(u?(char|short|int|long|longlong)|float|double)[1-4]$";
    return g_regex_match_simple(pattern, type, 0, 0);
}

bool gcl_mistake_find_operator(const struct gcl_mistake_said *said, struct gcl_mistake *mistake) {
    g_autoptr(GMatchInfo) found =
        find("^invalid operands to binary expression \\('([^']*)'(?: \\(aka '[^']*'\\))? and "
             "'([^']*)'",
             said->text);
    g_autofree char *left = found ? g_match_info_fetch(found, 1) : g_strdup("");
    g_autofree char *right = found ? g_match_info_fetch(found, 2) : g_strdup("");
    if (has_candidates(said->notes) || (!is_vector(left) && !is_vector(right)))
        return false;
    mistake->code = GCL_CODE_OPERATOR;
    mistake->message = g_strdup_printf("CUDA has no such operator for '%s' and '%s'", left, right);
    mistake->help = g_strdup("compute with x, y, z and w one by one, or declare an operator for "
                             "the type");
    return true;
}
