#include "advice.h"

#include <string.h>

#include "gcluster/reasons.h"

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
                     gcl_lines_range(view->text, begin, end), "newText", gcl_json_text(text));
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
    const char *text = gcl_lines_data(m->view->text, NULL);
    uint32_t line, character, begin, end, found = m->name;
    gcl_lines_locate(m->view->text, m->name, &line, &character);
    while (line-- > 0) {
        gcl_lines_line(m->view->text, line, &begin, &end);
        if (!goes_on(text + begin, text + end))
            break;
        found = begin;
    }
    return found;
}

static json_t *pragma(const struct matter *m, json_t *title, const char *clause) {
    const char *text = gcl_lines_data(m->view->text, NULL);
    uint32_t at = declaration(m), behind = at;
    while (text[behind] == ' ' || text[behind] == '\t')
        behind++;
    g_autofree char *line =
        g_strdup_printf("%.*s#pragma gcluster %s\n", (int)(behind - at), text + at, clause);
    return make(title, m->view, at, at, line);
}

static json_t *pragma_of(const struct matter *m, const char *what, const char *word) {
    g_autofree char *clause = g_strdup_printf("%s(%s)", word, m->argument);
    return pragma(m, json_sprintf("say that %s: #pragma gcluster %s", what, clause), clause);
}

// Clauses take parameters, and their fields.
static bool is_parameter(const struct matter *m) {
    const char *text = gcl_lines_data(m->view->text, NULL), *end = text + m->body;
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
    json_t *argument, *access;
    size_t i, j;
    json_array_foreach(json_object_get(m->kernel, "arguments"), i, argument) {
        if (strcmp(gcl_json_words(argument, "name"), m->argument) != 0)
            continue;
        json_array_foreach(json_object_get(argument, "accesses"), j, access) {
            if (strcmp(gcl_json_words(access, "kind"), "read") != 0)
                return false;
        }
        return true;
    }
    return false;
}

// What loops around a compare-and-swap are mostly for. Two of them in one kernel may be anything.
static json_t *reduction(const struct matter *m) {
    const char *text = gcl_lines_data(m->view->text, NULL);
    uint32_t line, character, begin, end;
    gcl_lines_locate(m->view->text, m->offset, &line, &character);
    gcl_lines_line(m->view->text, line, &begin, &end);
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
    const char *text = gcl_lines_data(m->view->text, &size);
    uint32_t begin, end;
    gcl_lines_word(m->view->text, m->offset, &begin, &end);
    if (end - begin != sizeof grid - 1 || memcmp(text + begin, grid, sizeof grid - 1) != 0)
        return NULL;
    return make(json_string("only threads of the same block are meant: __threadfence_block"),
                m->view, begin, end, block);
}

// Promises about pointers.

// Adds the words that a parameter in [begin, end) lacks: a pointer without `__restrict__`.
static void promise(const struct matter *m, uint32_t begin, uint32_t end, json_t *edits,
                    unsigned *pointers) {
    const char *text = gcl_lines_data(m->view->text, NULL);
    g_autofree char *parameter = g_strndup(text + begin, end - begin);
    const char *star = strrchr(parameter, '*');
    if (!star || strchr(parameter, '=') || strchr(parameter, '('))
        return;
    ++*pointers;
    if (strstr(parameter, "restrict"))
        return;
    uint32_t at = begin + (uint32_t)(star - parameter) + 1;
    json_array_append_new(edits,
                          json_pack("{s:o, s:s}", "range", gcl_lines_range(m->view->text, at, at),
                                    "newText", "__restrict__ "));
}

// The parenthesis in front of the body that opens the parameters, 0: there is none.
static uint32_t parameters(const struct matter *m) {
    const char *text = gcl_lines_data(m->view->text, NULL);
    unsigned depth = 0;
    for (uint32_t i = m->body; i-- > m->name;) {
        depth += text[i] == ')';
        if (text[i] == '(' && --depth == 0)
            return i;
    }
    return 0;
}

// Without it, the compiler has to expect that what a kernel writes is what it reads in its loops.
static json_t *restriction(const struct matter *m) {
    const char *text = gcl_lines_data(m->view->text, NULL);
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
        if (is_parameter(m) && is_only_read(m))
            add(list, pragma_of(m, "every node shall have all of it", "replicate"));
        if (code == GCL_REASON_INSPECTED || code == GCL_REASON_LOOP)
            add(list, restriction(m));
        break;
    default:
        break;
    }
}

json_t *gcl_advice(const struct gcl_view *view, const json_t *kernel, const json_t *reason,
                   uint32_t line, uint32_t offset) {
    const char *code = gcl_json_words(reason, "code");
    struct matter m = {view, kernel, gcl_json_words(reason, "argument"), 0, 0, offset};
    uint32_t end;
    size_t size;
    gcl_lines_line(view->text, line, &m.name, &end);
    const char *text = gcl_lines_data(view->text, &size);
    json_t *list = json_array();
    const char *body = memchr(text + m.name, '{', size - m.name);
    m.body = body ? (uint32_t)(body - text) : end;
    for (uint32_t i = m.name; i < end && text[i] != '('; i++) {
        if (strchr(";{}", text[i])) // there is something else on that line
            return list;
    }
    advise(&m, (unsigned)g_ascii_strtoull(code + MIN(strlen(code), 3), NULL, 10), list);
    return list;
}
