// IR as text is a list of items, most of them a line: functions, variables, types, attributes,
// metadata. Names begin with a sign that says what they are (`@f`, `%struct.s`, `#0`, `!12`), and
// in front of everything else, strings are skipped. So items and what refers to what come out of
// one pass over the text, where parsing it as LLVM does would take longer than is saved.
#include "parts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum item_kind { ITEM_FUNCTION, ITEM_VARIABLE, ITEM_METADATA, ITEM_ALWAYS };

/// A name, or the number of a line, in an item's text.
struct token {
    guint32 begin, end; ///< bytes of the item's text
    gint32 target;      ///< the item that it names; -1: it is the number of a line
};

struct item {
    enum item_kind kind;
    const char *text;
    guint32 size;
    bool is_local;     ///< a function or variable that is specialised for its uses
    bool is_appending; ///< a list of symbols that are to be kept
    bool moves;        ///< its lines are those of the source
    bool is_kernel;
    GArray *tokens;
    GArray *users;       ///< guint: functions and variables that name this one
    GArray *annotations; ///< guint: nodes of nvvm.annotations about it
    guint visited;       ///< in the walk with that number
    guint place;         ///< in that walk
};

struct gcl_parts {
    GArray *items;
    GHashTable *names;   ///< text of the name -> index + 1
    GArray *kernels;     ///< guint: functions
    GPtrArray *symbols;  ///< of kernels
    GArray *roots;       ///< guint: named metadata that is about the whole module
    GStringChunk *texts; ///< of items that aren't as in the IR
    guint walk;          ///< the last one's number
    guint annotations;   ///< index of !nvvm.annotations + 1
};

static struct item *item_at(const struct gcl_parts *parts, guint index) {
    assert(index < parts->items->len);
    return &g_array_index(parts->items, struct item, index);
}

// Items.

static bool begins(const char *text, const char *end, const char *word) {
    size_t length = strlen(word);
    return (size_t)(end - text) >= length && memcmp(text, word, length) == 0;
}

// Behind a string that begins at `p`. LLVM writes no quotation marks in strings.
static const char *string_end(const char *p, const char *end) {
    assert(p < end);
    const char *close = memchr(p + 1, '"', (size_t)(end - p - 1));
    return close ? close + 1 : end;
}

static const char *line_end(const char *p, const char *end) {
    const char *newline = memchr(p, '\n', (size_t)(end - p));
    return newline ? newline + 1 : end;
}

// A function with a body ends with a line of its own.
static const char *item_end(const char *p, const char *end) {
    assert(p < end);
    const char *next = line_end(p, end);
    if (!begins(p, end, "define "))
        return next;
    while (next < end && *next != '}')
        next = line_end(next, end);
    return next < end ? line_end(next, end) : end;
}

static bool is_name_character(char c) {
    return g_ascii_isalnum(c) || c == '_' || c == '.' || c == '$' || c == '-';
}

// The end of a name that begins at `p` with its sign; `p` if none does. `!"text"` is none.
static const char *name_end(const char *p, const char *end) {
    bool is_number = *p == '!' || *p == '#';
    if (p + 1 >= end || !strchr("@%#!", *p) || *p == '\0')
        return p;
    if (p[1] == '"')
        return is_number ? p : string_end(p + 1, end);
    const char *q = p + 1;
    while (q < end && (is_number ? g_ascii_isdigit(*q) : is_name_character(*q)))
        q++;
    return q > p + 1 ? q : p;
}

static enum item_kind kind_of(const char *text, const char *end) {
    if (begins(text, end, "define ") || begins(text, end, "declare "))
        return ITEM_FUNCTION;
    if (*text == '@')
        return ITEM_VARIABLE;
    return *text == '!' ? ITEM_METADATA : ITEM_ALWAYS;
}

// The name that an item defines. Named metadata is `!name = …`.
static const char *own_name(const struct item *item, const char **name) {
    const char *end = item->text + item->size, *p = item->text;
    if (item->kind == ITEM_FUNCTION) {
        while (p < end && *p != '@')
            p = *p == '"' ? string_end(p, end) : p + 1;
    } else if (begins(p, end, "attributes ")) {
        p += strlen("attributes ");
    }
    *name = p;
    return p < end ? name_end(p, end) : p;
}

static void add_item(struct gcl_parts *parts, const char *text, const char *end) {
    struct item item = {.kind = kind_of(text, end), .text = text, .size = (guint32)(end - text)};
    const char *name, *behind = own_name(&item, &name);
    guint index = parts->items->len;
    if (begins(text, end, "!nvvm.annotations"))
        parts->annotations = index + 1;
    else if (*text == '!' && !g_ascii_isdigit(text[1]) && !begins(text, end, "!llvm.dbg.cu"))
        g_array_append_val(parts->roots, index);
    if (behind > name)
        g_hash_table_insert(parts->names, g_strndup(name, (gsize)(behind - name)),
                            GUINT_TO_POINTER(index + 1));
    g_array_append_val(parts->items, item);
}

static void find_items(struct gcl_parts *parts, const char *ir, gsize size) {
    for (const char *p = ir, *end = ir + size, *next; p < end; p = next) {
        next = item_end(p, end);
        if (*p != '\n' && *p != ';')
            add_item(parts, p, next);
    }
}

// The unit of debug information lists what the whole file has: no kernel is made of that.
static void cut_unit(struct gcl_parts *parts, struct item *item) {
    static const char *const lists[] = {", enums: !", ", retainedTypes: !", ", globals: !",
                                        ", imports: !", ", macros: !"};
    if (!g_strstr_len(item->text, item->size, "!DICompileUnit("))
        return;
    g_autofree char *text = g_strndup(item->text, item->size);
    for (size_t i = 0; i < G_N_ELEMENTS(lists); i++) {
        char *list = strstr(text, lists[i]);
        if (!list)
            continue;
        char *behind = list + strlen(lists[i]);
        while (g_ascii_isdigit(*behind))
            behind++;
        memmove(list, behind, strlen(behind) + 1);
    }
    item->text = g_string_chunk_insert(parts->texts, text);
    item->size = (guint32)strlen(text);
}

// Tokens.

static gint find_name(const struct gcl_parts *parts, const char *name, const char *end) {
    char buffer[256];
    gsize length = (gsize)(end - name);
    g_autofree char *large = length < sizeof buffer ? NULL : g_strndup(name, length);
    memcpy(buffer, name, MIN(length, sizeof buffer - 1));
    buffer[MIN(length, sizeof buffer - 1)] = '\0';
    return GPOINTER_TO_INT(g_hash_table_lookup(parts->names, large ? large : buffer)) - 1;
}

static void add_token(struct item *item, const char *begin, const char *end, gint target) {
    struct token token = {(guint32)(begin - item->text), (guint32)(end - item->text), target};
    g_array_append_val(item->tokens, token);
}

// "line: 12" and "scopeLine: 12"; the number's end, or `p`.
static const char *add_line(struct item *item, const char *p, const char *end) {
    const char *number = begins(p, end, "line: ")        ? p + strlen("line: ")
                         : begins(p, end, "scopeLine: ") ? p + strlen("scopeLine: ")
                                                         : p;
    const char *behind = number;
    while (number > p && behind < end && g_ascii_isdigit(*behind))
        behind++;
    if (behind == number)
        return p;
    add_token(item, number, behind, -1);
    return behind;
}

static void find_tokens(struct gcl_parts *parts, guint index) {
    struct item *item = item_at(parts, index);
    const char *p = item->text, *end = item->text + item->size;
    item->tokens = g_array_new(FALSE, FALSE, sizeof(struct token));
    while (p < end) {
        if (*p == '"') {
            p = string_end(p, end);
            continue;
        }
        const char *behind = name_end(p, end);
        gint target = behind > p ? find_name(parts, p, behind) : -1;
        if (target >= 0)
            add_token(item, p, behind, target);
        else if (item->kind == ITEM_METADATA && (*p == 'l' || *p == 's') && behind == p &&
                 !g_ascii_isalnum(p[-1]))
            behind = add_line(item, p, end);
        p = behind > p ? behind : p + 1;
    }
}

// Uses.

static void append_index(GArray **list, guint index) {
    if (!*list)
        *list = g_array_new(FALSE, FALSE, sizeof index);
    if ((*list)->len == 0 || g_array_index(*list, guint, (*list)->len - 1) != index)
        g_array_append_val(*list, index);
}

static void note_uses(struct gcl_parts *parts, guint index) {
    const struct item *item = item_at(parts, index);
    for (guint i = 0; i < item->tokens->len && item->kind < ITEM_METADATA; i++) {
        gint target = g_array_index(item->tokens, struct token, i).target;
        if (target >= 0 && target != (gint)index &&
            item_at(parts, (guint)target)->kind < ITEM_METADATA)
            append_index(&item_at(parts, (guint)target)->users, index);
    }
}

static bool is_inlined(const struct gcl_parts *parts, const struct item *item, const char *header) {
    for (guint i = 0; i < item->tokens->len; i++) {
        const struct token *token = &g_array_index(item->tokens, struct token, i);
        if (item->text + token->end > header)
            return false;
        if (item->text[token->begin] != '#')
            continue;
        const struct item *attributes = item_at(parts, (guint)token->target);
        return g_strstr_len(attributes->text, attributes->size, " alwaysinline ") != NULL;
    }
    return false;
}

// What is inlined in any case, and functions and constants without anything to specialise, tell
// users nothing of each other.
static void judge(const struct gcl_parts *parts, struct item *item) {
    const char *end = line_end(item->text, item->text + item->size), *name;
    const char *behind = own_name(item, &name);
    gssize before = name - item->text, rest = end - behind;
    if (item->kind == ITEM_FUNCTION) {
        bool is_local = g_strstr_len(item->text, before, " internal ") ||
                        g_strstr_len(item->text, before, " private ");
        item->is_local = is_local && !begins(behind, end, "()") && !is_inlined(parts, item, end);
    } else if (item->kind == ITEM_VARIABLE) {
        const char *constant = g_strstr_len(behind, rest, " constant ");
        const char *global = g_strstr_len(behind, rest, " global ");
        bool is_local =
            g_strstr_len(behind, rest, " internal ") || g_strstr_len(behind, rest, " private ");
        item->is_local = is_local && (!constant || (global && global < constant));
        item->is_appending = begins(behind, end, " = appending ");
    }
}

// Lines.

// Whether an item is the source as debug information names it.
static bool is_source(const struct item *file, const char *source) {
    const char *name = g_strstr_len(file->text, file->size, "!DIFile(filename: \"");
    const char *folder = g_strstr_len(file->text, file->size, "directory: \"");
    if (!name || !folder)
        return false;
    name += strlen("!DIFile(filename: \"");
    folder += strlen("directory: \"");
    g_autofree char *file_name = g_strndup(name, strcspn(name, "\"\n"));
    g_autofree char *file_folder = g_strndup(folder, strcspn(folder, "\"\n"));
    g_autofree char *path = g_canonicalize_filename(file_name, *file_folder ? file_folder : NULL);
    return strcmp(path, source) == 0;
}

// The item that a field of metadata names; NULL: there is none.
static const struct item *field_of(const struct gcl_parts *parts, const struct item *item,
                                   const char *field) {
    const char *found = g_strstr_len(item->text, item->size, field);
    if (!found)
        return NULL;
    const char *name = found + strlen(field) - 1;
    gint index = find_name(parts, name, name_end(name, item->text + item->size));
    return index < 0 ? NULL : item_at(parts, (guint)index);
}

// A location is in its scope's file.
static bool is_in_source(const struct gcl_parts *parts, const struct item *item) {
    bool is_location = g_strstr_len(item->text, item->size, "!DILocation(") != NULL;
    const struct item *scope = is_location ? field_of(parts, item, "scope: !") : item;
    const struct item *file = scope ? field_of(parts, scope, "file: !") : NULL;
    return file && file->moves;
}

static void find_moving(struct gcl_parts *parts, const char *source) {
    g_autofree char *path = g_canonicalize_filename(source, NULL);
    for (guint i = 0; i < parts->items->len; i++) {
        struct item *item = item_at(parts, i);
        item->moves = item->kind == ITEM_METADATA && is_source(item, path);
    }
    for (guint i = 0; i < parts->items->len; i++) {
        struct item *item = item_at(parts, i);
        if (item->kind == ITEM_METADATA && !item->moves)
            item->moves = is_in_source(parts, item);
    }
}

// Kernels.

// The function that a node of nvvm.annotations is about; -1: none.
static gint annotated(const struct gcl_parts *parts, const struct item *node) {
    for (guint i = 0; i < node->tokens->len; i++) {
        gint target = g_array_index(node->tokens, struct token, i).target;
        if (target >= 0 && item_at(parts, (guint)target)->kind == ITEM_FUNCTION)
            return target;
    }
    return -1;
}

static void add_kernel(struct gcl_parts *parts, guint function) {
    struct item *item = item_at(parts, function);
    const char *name, *behind = own_name(item, &name);
    if (!begins(item->text, item->text + item->size, "define ") || item->is_kernel)
        return;
    item->is_kernel = true;
    g_array_append_val(parts->kernels, function);
    g_ptr_array_add(parts->symbols, g_strndup(name + 1, (gsize)(behind - name - 1)));
}

static void find_kernels(struct gcl_parts *parts) {
    const struct item *list = item_at(parts, parts->annotations - 1);
    for (guint i = 0; i < list->tokens->len; i++) {
        guint node = (guint)g_array_index(list->tokens, struct token, i).target;
        gint function = annotated(parts, item_at(parts, node));
        if (function < 0)
            continue;
        append_index(&item_at(parts, (guint)function)->annotations, node);
        const struct item *item = item_at(parts, node);
        if (g_strstr_len(item->text, item->size, "!\"kernel\""))
            add_kernel(parts, (guint)function);
    }
}

// Walks: what is reached is in the order in which it is.

static void reach(struct gcl_parts *parts, GArray *reached, guint index) {
    struct item *item = item_at(parts, index);
    if (item->visited == parts->walk)
        return;
    item->visited = parts->walk;
    item->place = reached->len;
    g_array_append_val(reached, index);
}

static void reach_all(struct gcl_parts *parts, GArray *reached, const GArray *list) {
    for (guint i = 0; list && i < list->len; i++)
        reach(parts, reached, g_array_index(list, guint, i));
}

static void reach_from(struct gcl_parts *parts, GArray *reached, guint index) {
    const struct item *item = item_at(parts, index);
    for (guint i = 0; i < item->tokens->len; i++) {
        gint target = g_array_index(item->tokens, struct token, i).target;
        if (target >= 0)
            reach(parts, reached, (guint)target);
    }
    reach_all(parts, reached, item->annotations);
    for (guint i = 0; item->users && i < item->users->len; i++) {
        guint user = g_array_index(item->users, guint, i);
        if (item->is_local || item_at(parts, user)->is_appending)
            reach(parts, reached, user);
    }
}

static void walk_on(struct gcl_parts *parts, GArray *reached, guint begin) {
    for (guint i = begin; i < reached->len; i++)
        reach_from(parts, reached, g_array_index(reached, guint, i));
}

static GArray *begin_walk(struct gcl_parts *parts) {
    GArray *reached = g_array_new(FALSE, FALSE, sizeof(guint));
    parts->walk++;
    reach_all(parts, reached, parts->roots);
    return reached;
}

// Keys.

static int by_number(const void *a, const void *b) {
    const guint32 *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

static void sort_lines(GArray *lines) {
    guint kept = 0;
    g_array_sort(lines, by_number);
    for (guint i = 0; i < lines->len; i++) {
        guint32 line = g_array_index(lines, guint32, i);
        if (kept == 0 || g_array_index(lines, guint32, kept - 1) != line)
            g_array_index(lines, guint32, kept++) = line;
    }
    g_array_set_size(lines, kept);
}

static guint32 line_of(const struct item *item, const struct token *token) {
    return (guint32)strtoul(item->text + token->begin, NULL, 10);
}

static void collect_lines(const struct item *item, GArray *lines) {
    for (guint i = 0; item->moves && i < item->tokens->len; i++) {
        const struct token *token = &g_array_index(item->tokens, struct token, i);
        guint32 line = line_of(item, token);
        if (token->target < 0)
            g_array_append_val(lines, line);
    }
}

static void append_token(const struct gcl_parts *parts, const struct item *item,
                         const struct token *token, const GArray *lines, GString *out) {
    const char *text = item->text + token->begin;
    guint place;
    guint32 line;
    if (token->target >= 0 && (*text == '!' || *text == '#')) {
        g_string_append_printf(out, "%c%u", *text, item_at(parts, (guint)token->target)->place);
    } else if (token->target < 0 && item->moves) {
        line = line_of(item, token);
        if (g_array_binary_search((GArray *)lines, &line, by_number, &place))
            g_string_append_printf(out, "<%u>", place);
    } else {
        g_string_append_len(out, text, token->end - token->begin);
    }
}

// The text of an item that has been reached, with numbers that don't depend on the rest.
static void append_item(const struct gcl_parts *parts, const struct item *item, const GArray *lines,
                        GString *out) {
    guint32 at = 0;
    for (guint i = 0; i < item->tokens->len; i++) {
        const struct token *token = &g_array_index(item->tokens, struct token, i);
        g_string_append_len(out, item->text + at, token->begin - at);
        append_token(parts, item, token, lines, out);
        at = token->end;
    }
    g_string_append_len(out, item->text + at, item->size - at);
}

char *gcl_parts_key(struct gcl_parts *parts, guint kernel, GArray *lines) {
    g_autoptr(GArray) reached = begin_walk(parts);
    g_autoptr(GString) text = g_string_new(NULL);
    reach(parts, reached, g_array_index(parts->kernels, guint, kernel));
    walk_on(parts, reached, 0);
    for (guint i = 0; i < reached->len; i++)
        collect_lines(item_at(parts, g_array_index(reached, guint, i)), lines);
    sort_lines(lines);
    for (guint i = 0; i < reached->len; i++)
        append_item(parts, item_at(parts, g_array_index(reached, guint, i)), lines, text);
    return g_compute_checksum_for_string(G_CHECKSUM_SHA256, text->str, (gssize)text->len);
}

// Extraction.

static bool is_reached(const struct gcl_parts *parts, const struct item *item) {
    return item->visited == parts->walk;
}

// A list of nodes, without those that aren't there.
static void append_list(const struct gcl_parts *parts, const struct item *list, GString *out) {
    const char *behind = list->text + strcspn(list->text, " "), *separator = "";
    g_string_append_len(out, list->text, behind - list->text);
    g_string_append(out, " = !{");
    for (guint i = 0; i < list->tokens->len; i++) {
        const struct token *token = &g_array_index(list->tokens, struct token, i);
        if (token->target < 0 || !is_reached(parts, item_at(parts, (guint)token->target)))
            continue;
        g_string_append_printf(out, "%s%.*s", separator, (int)(token->end - token->begin),
                               list->text + token->begin);
        separator = ", ";
    }
    g_string_append(out, "}\n");
}

static bool is_list(const struct item *item) {
    return item->kind == ITEM_METADATA && !g_ascii_isdigit(item->text[1]);
}

GString *gcl_parts_extract(struct gcl_parts *parts, const bool *wanted) {
    g_autoptr(GArray) reached = begin_walk(parts);
    GString *out = g_string_new(NULL);
    for (guint i = 0; i < parts->kernels->len; i++) {
        if (wanted[i])
            reach(parts, reached, g_array_index(parts->kernels, guint, i));
    }
    walk_on(parts, reached, 0);
    for (guint i = 0; i < parts->items->len; i++) {
        const struct item *item = item_at(parts, i);
        if (is_list(item))
            append_list(parts, item, out);
        else if (item->kind == ITEM_ALWAYS || is_reached(parts, item))
            g_string_append_len(out, item->text, item->size);
    }
    return out;
}

// The whole.

static void item_clear(void *data) {
    struct item *item = data;
    GArray *const lists[] = {item->tokens, item->users, item->annotations};
    for (size_t i = 0; i < G_N_ELEMENTS(lists); i++) {
        if (lists[i])
            g_array_unref(lists[i]);
    }
}

struct gcl_parts *gcl_parts_create(const char *ir, gsize size, const char *source) {
    struct gcl_parts *parts = g_new(struct gcl_parts, 1);
    *parts = (struct gcl_parts){
        .items = g_array_new(FALSE, FALSE, sizeof(struct item)),
        .names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
        .kernels = g_array_new(FALSE, FALSE, sizeof(guint)),
        .symbols = g_ptr_array_new_with_free_func(g_free),
        .roots = g_array_new(FALSE, FALSE, sizeof(guint)),
        .texts = g_string_chunk_new(4096),
    };
    g_array_set_clear_func(parts->items, item_clear);
    find_items(parts, ir, size);
    for (guint i = 0; i < parts->items->len; i++)
        cut_unit(parts, item_at(parts, i));
    for (guint i = 0; i < parts->items->len; i++)
        find_tokens(parts, i);
    for (guint i = 0; i < parts->items->len; i++) {
        note_uses(parts, i);
        judge(parts, item_at(parts, i));
    }
    find_moving(parts, source);
    if (parts->annotations > 0)
        find_kernels(parts);
    return parts;
}

void gcl_parts_destroy(struct gcl_parts *parts) {
    g_array_unref(parts->items);
    g_hash_table_unref(parts->names);
    g_array_unref(parts->kernels);
    g_ptr_array_unref(parts->symbols);
    g_array_unref(parts->roots);
    g_string_chunk_free(parts->texts);
    g_free(parts);
}

guint gcl_parts_count(const struct gcl_parts *parts) {
    return parts->kernels->len;
}

const char *gcl_parts_symbol(const struct gcl_parts *parts, guint kernel) {
    return parts->symbols->pdata[kernel];
}
