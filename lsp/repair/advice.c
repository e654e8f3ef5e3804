// A reason has a code; for those codes whose advice comes to a line, the edit is made from the text
// around the kernel. Whatever could be a macro, or stands on one line with something else, gets no
// edit: a wrong edit is worse than none.
#include "lsp/repair/advice.h"

#include <assert.h>
#include <string.h>

#include "base/diagnostic.h"
#include "gcluster/reasons.h"
#include "lsp/base/json.h"
#include "lsp/kernel/kernels.h"
#include "lsp/repair/edits.h"
#include "lsp/repair/hoist.h"
#include "lsp/repair/two_phase.h"

/// A reason with what an edit has to know of the text.
struct matter {
    const struct gcl_view *view;
    const json_t *kernel;
    const char *argument; ///< "" if it is about the kernel
    uint32_t name;        ///< where the line of the kernel's name begins
    uint32_t body;        ///< where its body does
    uint32_t offset;      ///< where the reason stands
};

static json_t *make(json_t *title, const struct gcl_view *view, uint32_t begin, uint32_t end,
                    const char *text) {
    return json_pack("{s:o, s:[{s:o, s:o}]}", "title", title, "edits", "range",
                     gcl_line_table_range(view->text, begin, end), "newText", gcl_json_text(text));
}

// Pragmas.

// Whether a line goes on with the declaration that follows: attributes, `template <…>`.
static bool goes_on(const char *begin, const char *end) {
    while (begin < end && g_ascii_isspace(*begin))
        begin++;
    while (end > begin && g_ascii_isspace(end[-1]))
        end--;
    return begin < end && !strchr(";{}/#", end[-1]) && *begin != '#' &&
           !(end - begin > 1 && begin[0] == '/' && begin[1] == '/');
}

// Where the line begins on which the kernel's declaration does.
static uint32_t declaration(const struct matter *m) {
    const char *text = gcl_line_table_data(m->view->text, NULL);
    uint32_t line, character, begin, end, found = m->name;
    gcl_line_table_locate(m->view->text, m->name, &line, &character);
    while (line-- > 0) {
        gcl_line_table_line(m->view->text, line, &begin, &end);
        if (!goes_on(text + begin, text + end))
            break;
        found = begin;
    }
    return found;
}

// Adds a line with a pragma, indented like the line that begins at `at`.
static void add_line(const struct matter *m, uint32_t at, const char *clause, GString *lines) {
    g_autofree char *indent = gcl_line_table_indentation(m->view->text, at);
    g_string_append_printf(lines, "%s#pragma gcluster %s\n", indent, clause);
}

static json_t *pragma(const struct matter *m, json_t *title, const char *clause) {
    uint32_t at = declaration(m);
    g_autoptr(GString) line = g_string_new(NULL);
    add_line(m, at, clause, line);
    return make(title, m->view, at, at, line->str);
}

static json_t *pragma_of(const struct matter *m, const char *what, const char *word) {
    assert(*m->argument);
    g_autofree char *clause = g_strdup_printf("%s(%s)", word, m->argument);
    return pragma(m, json_sprintf("say that %s: #pragma gcluster %s", what, clause), clause);
}

// Regions.

enum { LONGEST = 80 }; // of a clause on one line

// Adds the pragma of a clause that the compiler has inferred (explain/clause.h): on one line, or,
// if that is too long, one for each region.
static void add_regions(const struct matter *m, uint32_t at, const json_t *clause, GString *lines) {
    const json_t *regions = json_object_get(clause, "regions");
    const char *kind = gcl_json_words(clause, "kind");
    g_autoptr(GString) all = g_string_new(kind);
    size_t i, count = json_array_size(regions);
    for (i = 0; i < count; i++)
        g_string_append_printf(all, "%s%s", i == 0 ? "(" : ", ",
                               json_string_value(json_array_get(regions, i)));
    g_string_append_c(all, ')');
    if (all->len <= LONGEST) {
        add_line(m, at, all->str, lines);
        return;
    }
    for (i = 0; i < count; i++) {
        g_string_printf(all, "%s(%s)", kind, json_string_value(json_array_get(regions, i)));
        add_line(m, at, all->str, lines);
    }
}

// What the user says with a clause that isn't proven.
static char *claim(const json_t *clause, const char *argument) {
    const char *like = json_string_value(json_object_get(clause, "like"));
    const char *region = json_string_value(json_array_get(json_object_get(clause, "regions"), 0));
    bool writes = strcmp(gcl_json_words(clause, "kind"), "writes") == 0;
    if (like)
        return g_strdup_printf("each block %s of '%s' what it %s of '%s'",
                               writes ? "writes" : "reads", argument, writes ? "reads" : "writes",
                               like);
    return g_strdup_printf("%s%s no more of '%s' than this",
                           strstr(region, "threadIdx")  ? "each thread "
                           : strstr(region, "blockIdx") ? "each block "
                                                        : "the kernel ",
                           writes ? "writes" : "reads", argument);
}

static void add_claims(const struct matter *m, json_t *list) {
    const json_t *argument = gcl_kernels_find_argument(m->kernel, m->argument);
    uint32_t at = declaration(m);
    json_t *clause;
    size_t i;
    json_array_foreach(json_object_get(argument, "clauses"), i, clause) {
        const json_t *regions = json_object_get(clause, "regions");
        g_autoptr(GString) lines = g_string_new(NULL);
        g_autofree char *words = claim(clause, m->argument);
        if (json_is_true(json_object_get(clause, "proven")))
            continue;
        add_regions(m, at, clause, lines);
        json_array_append_new(list, make(json_sprintf("say that %s: #pragma gcluster %s(%s%s)",
                                                      words, gcl_json_words(clause, "kind"),
                                                      json_string_value(json_array_get(regions, 0)),
                                                      json_array_size(regions) > 1 ? ", …" : ""),
                                         m->view, at, at, lines->str));
    }
}

// Whether the argument is a parameter or a field of one: clauses take nothing else.
static bool is_parameter(const struct matter *m) {
    const char *text = gcl_line_table_data(m->view->text, NULL), *end = text + m->body;
    g_autofree char *name = g_strndup(m->argument, strcspn(m->argument, "."));
    size_t length = strlen(name);
    const char *found = memchr(text + m->name, '(', m->body - m->name);
    if (length == 0 ||
        strspn(m->argument, G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "_.") != strlen(m->argument))
        return false;
    while (found && (found = g_strstr_len(found, end - found, name))) {
        if (!g_ascii_isalnum(found[-1]) && found[-1] != '_' && !g_ascii_isalnum(found[length]) &&
            found[length] != '_')
            return true;
        found += length;
    }
    return false;
}

static bool is_only_read(const struct matter *m) {
    return gcl_kernels_find_argument(m->kernel, m->argument) &&
           !gcl_kernels_changes(m->kernel, m->argument);
}

// The reduction that a loop around a compare-and-swap is mostly for; NULL if its line looks like
// more than one kind, or none.
static json_t *reduction(const struct matter *m) {
    const char *text = gcl_line_table_data(m->view->text, NULL);
    uint32_t line, character, begin, end;
    gcl_line_table_locate(m->view->text, m->offset, &line, &character);
    gcl_line_table_line(m->view->text, line, &begin, &end);
    bool maximum = g_strstr_len(text + begin, end - begin, "max") != NULL;
    bool minimum = g_strstr_len(text + begin, end - begin, "min") != NULL;
    bool sum = memchr(text + begin, '+', end - begin) != NULL;
    if (maximum + minimum + sum != 1)
        return NULL;
    const char *word = maximum ? "max" : minimum ? "min" : "+";
    g_autofree char *clause = g_strdup_printf("reduces(%s: %s)", word, m->argument);
    return pragma(m,
                  json_sprintf("say that all updates of '%s' come to a %s: #pragma gcluster %s",
                               m->argument,
                               maximum   ? "maximum"
                               : minimum ? "minimum"
                                         : "sum",
                               clause),
                  clause);
}

// Words.

static json_t *fence(const struct matter *m) {
    static const char grid[] = "__threadfence", block[] = "__threadfence_block";
    size_t size;
    const char *text = gcl_line_table_data(m->view->text, &size);
    uint32_t begin, end;
    gcl_line_table_word(m->view->text, m->offset, &begin, &end);
    if (end - begin != sizeof grid - 1 || memcmp(text + begin, grid, sizeof grid - 1) != 0)
        return NULL;
    return make(json_string("only threads of the same block are meant: __threadfence_block"),
                m->view, begin, end, block);
}

// Promises about pointers.

// Adds `__restrict__` to the parameter in [begin, end) if that is a pointer and lacks it.
static void promise(const struct matter *m, uint32_t begin, uint32_t end, json_t *edits,
                    unsigned *pointers) {
    const char *text = gcl_line_table_data(m->view->text, NULL);
    g_autofree char *parameter = g_strndup(text + begin, end - begin);
    const char *star = strrchr(parameter, '*');
    if (!star || strchr(parameter, '=') || strchr(parameter, '('))
        return;
    ++*pointers;
    if (strstr(parameter, "restrict"))
        return;
    uint32_t at = begin + (uint32_t)(star - parameter) + 1;
    gcl_edits_replace(m->view->text, edits, at, at, "__restrict__ ");
}

// The parenthesis in front of the body that opens the parameters, 0: there is none.
static uint32_t parameters(const struct matter *m) {
    const char *text = gcl_line_table_data(m->view->text, NULL);
    unsigned depth = 0;
    for (uint32_t i = m->body; i-- > m->name;) {
        depth += text[i] == ')';
        if (text[i] == '(' && --depth == 0)
            return i;
    }
    return 0;
}

// Without `__restrict__`, the compiler has to expect that what a kernel writes is what it reads in
// its loops.
static json_t *restriction(const struct matter *m) {
    const char *text = gcl_line_table_data(m->view->text, NULL);
    json_t *edits = json_array();
    unsigned depth = 0, pointers = 0;
    uint32_t open = parameters(m), begin = open + 1, i;
    for (i = begin; open && i < m->body; i++) {
        if (depth == 0 && (text[i] == ',' || text[i] == ')')) {
            promise(m, begin, i, edits, &pointers);
            begin = i + 1;
        }
        if (depth == 0 && text[i] == ')')
            break;
        depth += text[i] == '(' || text[i] == '<';
        depth -= text[i] == ')' || text[i] == '>';
    }
    json_t *advice = NULL;
    if (pointers > 1 && json_array_size(edits) > 0)
        advice = json_pack("{s:s, s:O}", "title",
                           "say that no two pointers of it lead to the same: __restrict__", "edits",
                           edits);
    json_decref(edits);
    return advice;
}

// Barriers.

// The first byte of the line on which `offset` is that is no space.
static uint32_t first_of_line(const struct gcl_line_table *lines, uint32_t offset) {
    const char *text = gcl_line_table_data(lines, NULL);
    uint32_t line, character, begin, end;
    gcl_line_table_locate(lines, offset, &line, &character);
    gcl_line_table_line(lines, line, &begin, &end);
    while (begin < end && g_ascii_isspace(text[begin]))
        begin++;
    return begin;
}

// Where the statement begins that goes on at `*at`, the start of a line; what an `if` without
// braces is around begins with that. False if it can't be told, or belongs to a loop.
static bool find_statement(const struct gcl_line_table *lines, uint32_t *at, bool *is_outside) {
    const char *text = gcl_line_table_data(lines, NULL);
    for (;;) {
        uint32_t before = *at;
        while (before > 0 && g_ascii_isspace(text[before - 1]))
            before--;
        if (before == 0 || strchr(";{}", text[before - 1]))
            return before > 0;
        *at = first_of_line(lines, before - 1);
        *is_outside = true;
        if (strncmp(text + *at, "if", 2) != 0)
            return false;
    }
}

// The barrier that is missing, in front of the statement that had to wait.
static json_t *barrier(const struct matter *m, const json_t *reason) {
    const json_t *fix = json_object_get(reason, "fix"), *place = json_object_get(reason, "place");
    bool is_outside = false;
    uint32_t line, begin, end;
    if (!json_is_object(fix) ||
        !gcl_kernels_follow(m->view, gcl_json_words(place, "file"),
                            json_integer_value(json_object_get(fix, "line")), &line))
        return NULL;
    gcl_line_table_line(m->view->text, line, &begin, &end);
    uint32_t at = first_of_line(m->view->text, begin);
    if (!find_statement(m->view->text, &at, &is_outside))
        return NULL;
    const char *word = gcl_json_words(fix, is_outside ? "outside" : "text");
    g_autofree char *indent = gcl_line_table_indentation(m->view->text, at);
    g_autofree char *text = g_strdup_printf("%s\n%s", word, indent);
    return make(json_sprintf("wait for the others: %s", word), m->view, at, at, text);
}

// The rest.

static void add(json_t *list, json_t *advice) {
    if (advice)
        json_array_append_new(list, advice);
}

static void advise(const struct matter *m, unsigned code, json_t *list) {
    switch (code) {
    case GCL_REASON_FENCE:
        add(list, fence(m));
        break;
    case GCL_REASON_NO_BLOCKS:
        add(list, pragma(m, json_string("say that one node is right: #pragma gcluster single"),
                         "single"));
        break;
    case GCL_REASON_COMPARE_AND_SWAP:
        if (is_parameter(m))
            add(list, reduction(m));
        break;
    case GCL_REASON_OVERLAP:
        if (is_parameter(m))
            add(list, pragma_of(m, "no two blocks write the same", "disjoint"));
        break;
    case GCL_REASON_INSPECTED:
    case GCL_REASON_LOOP:
    case GCL_REASON_DATA_INDEX:
    case GCL_REASON_FLOAT_INDEX:
    case GCL_REASON_EXCHANGED_INDEX:
    case GCL_REASON_OPERATION:
    case GCL_REASON_PARTS:
        if (is_parameter(m) && is_only_read(m)) // that is right in any case
            add(list, pragma_of(m, "every node shall have all of it", "replicate"));
        if (is_parameter(m))
            add_claims(m, list);
        if (code == GCL_REASON_INSPECTED || code == GCL_REASON_LOOP)
            add(list, restriction(m));
        break;
    default:
        break;
    }
}

// Finds the kernel in the text.
static void find_kernel(struct matter *m, uint32_t line, uint32_t *end) {
    size_t size;
    const char *text = gcl_line_table_data(m->view->text, &size);
    gcl_line_table_line(m->view->text, line, &m->name, end);
    const char *body = memchr(text + m->name, '{', size - m->name);
    m->body = body ? (uint32_t)(body - text) : *end;
    assert(m->name <= m->body && m->body <= size);
}

// False: something else is on the line of the kernel's name, or it is there by a macro.
static bool is_plain(const struct matter *m, uint32_t end) {
    g_autofree char *line =
        g_strndup(gcl_line_table_data(m->view->text, NULL) + m->name, end - m->name);
    const char *full = gcl_json_words(m->kernel, "name");
    g_autofree char *name = g_strndup(full, strcspn(full, "<("));
    const char *base = strrchr(name, ':');
    line[strcspn(line, "(")] = '\0';
    return !strpbrk(line, ";{}") && strstr(line, base ? base + 1 : name);
}

json_t *gcl_advice_list(const struct gcl_view *view, const json_t *kernel, const json_t *reason,
                        uint32_t line, uint32_t offset, struct gcl_glance *glance) {
    struct matter m = {view, kernel, gcl_json_words(reason, "argument"), 0, 0, offset};
    uint32_t end;
    json_t *list = json_array();
    unsigned number = gcl_kernels_code(reason);
    if (number == GCL_REASON_ATOMIC_RESULT)
        add(list, gcl_two_phase_edit(view, kernel, reason, offset));
    if (number == GCL_CODE_IN_STEP)
        add(list, barrier(&m, reason));
    find_kernel(&m, line, &end);
    if (!is_plain(&m, end))
        return list;
    if (number == GCL_REASON_INSPECTED || number == GCL_REASON_LOOP)
        add(list, gcl_hoist_edit(glance, view->text, offset, m.argument));
    advise(&m, number, list);
    return list;
}

// What is known without saying so.

// Whether a line is a pragma that says something of the kind about an object, "in[".
static bool says(const char *line, const char *kind, const char *object) {
    const char *found = strstr(line, kind);
    while (found && (found = strstr(found, object))) {
        if (!g_ascii_isalnum(found[-1]) && !strchr("_.", found[-1]))
            return true;
        found++;
    }
    return false;
}

// Whether a pragma in front of a declaration says what a clause does.
static bool is_said(const struct matter *m, uint32_t at, const json_t *clause) {
    const char *text = gcl_line_table_data(m->view->text, NULL);
    const char *region = json_string_value(json_array_get(json_object_get(clause, "regions"), 0));
    g_autofree char *object = g_strndup(region, strcspn(region, "[") + 1);
    uint32_t line, character, begin, end;
    gcl_line_table_locate(m->view->text, at, &line, &character);
    while (line-- > 0) {
        gcl_line_table_line(m->view->text, line, &begin, &end);
        g_autofree char *before = g_strndup(text + begin, end - begin);
        if (!g_str_has_prefix(g_strchug(before), "#pragma gcluster"))
            return false;
        if (says(before, gcl_json_words(clause, "kind"), object))
            return true;
    }
    return false;
}

// Whether all instances of a template have a clause.
static bool is_general(const struct matter *m, const json_t *clause) {
    json_t *kernel, *argument, *other;
    size_t i, j, c;
    json_array_foreach(m->view->kernels, i, kernel) {
        bool found =
            !json_equal(json_object_get(kernel, "line"), json_object_get(m->kernel, "line")) ||
            !json_equal(json_object_get(kernel, "file"), json_object_get(m->kernel, "file"));
        json_array_foreach(json_object_get(kernel, "arguments"), j, argument) {
            json_array_foreach(json_object_get(argument, "clauses"), c, other) found |=
                json_equal(other, clause);
        }
        if (!found)
            return false;
    }
    return true;
}

json_t *gcl_advice_known(const struct gcl_view *view, const json_t *kernel, uint32_t line) {
    struct matter m = {.view = view, .kernel = kernel};
    uint32_t end;
    find_kernel(&m, line, &end);
    uint32_t at = declaration(&m);
    g_autoptr(GString) lines = g_string_new(NULL);
    json_t *argument, *clause;
    size_t i, c;
    json_array_foreach(json_object_get(kernel, "arguments"), i, argument) {
        m.argument = gcl_json_words(argument, "name");
        json_array_foreach(json_object_get(argument, "clauses"), c, clause) {
            if (json_is_true(json_object_get(clause, "proven")) && is_parameter(&m) &&
                is_general(&m, clause) && !is_said(&m, at, clause))
                add_regions(&m, at, clause, lines);
        }
    }
    if (lines->len == 0 || !is_plain(&m, end))
        return NULL;
    return make(json_string("write down what it touches, as pragmas that the compiler checks"),
                view, at, at, lines->str);
}
