// CMake's language is commands: a name and arguments in parentheses, with comments and strings
// between. Only whole commands and single arguments change:
//
//     project(x LANGUAGES CXX CUDA)   gets set(CMAKE_CUDA_COMPILER gcluster-cc) on the line before
//     enable_language(CUDA)           so too
//     set(CMAKE_CUDA_COMPILER nvcc)   names gcluster-cc
//     find_package(CUDA 10 REQUIRED)  find_package(gcluster REQUIRED): a package of CMake's old
//     cuda_add_executable(…)          module; gcluster_add_executable(…)
#include "translate/scripts.h"

#include <string.h>

/// Bytes [begin, end) of the text.
struct piece {
    size_t begin, end;
};

/// A text, and how far it has been read.
struct reader {
    const char *text;
    size_t size, at;
};

/// A command: its name, and its arguments, struct piece, without quotes.
struct command {
    struct piece name;
    GArray *arguments;
    size_t close; ///< where its ")" is
};

static char peek(const struct reader *r, size_t ahead) {
    return r->at + ahead < r->size ? r->text[r->at + ahead] : '\0';
}

// "[==[ … ]==]", whose end has as many signs; false: none begins here.
static bool skip_bracket(struct reader *r) {
    size_t count = 1;
    while (peek(r, count) == '=')
        count++;
    if (peek(r, 0) != '[' || peek(r, count) != '[')
        return false;
    g_autofree char *signs = g_strnfill(count - 1, '=');
    g_autofree char *end = g_strdup_printf("]%s]", signs);
    const char *found = g_strstr_len(r->text + r->at, (gssize)(r->size - r->at), end);
    r->at = found ? (size_t)(found - r->text) + strlen(end) : r->size;
    return true;
}

static void skip_comment(struct reader *r) {
    r->at++; // "#"
    if (skip_bracket(r))
        return;
    while (r->at < r->size && r->text[r->at] != '\n')
        r->at++;
}

static void skip_string(struct reader *r) {
    r->at++;
    while (r->at < r->size && r->text[r->at] != '"')
        r->at += r->text[r->at] == '\\' ? 2 : 1;
    r->at = MIN(r->at + 1, r->size);
}

static bool is_name(char c) {
    return g_ascii_isalnum(c) || c == '_';
}

static void add_argument(struct command *command, size_t begin, size_t end) {
    struct piece piece = {begin, end};
    g_array_append_val(command->arguments, piece);
}

static void read_argument(struct reader *r, struct command *command) {
    size_t begin = r->at;
    if (peek(r, 0) == '"') {
        skip_string(r);
        add_argument(command, begin + 1, MAX(begin + 1, r->at - 1));
    } else if (skip_bracket(r)) {
        add_argument(command, begin, r->at);
    } else {
        while (r->at < r->size && !g_ascii_isspace(peek(r, 0)) && !strchr("()#\"", peek(r, 0)))
            r->at += peek(r, 0) == '\\' ? 2 : 1;
        r->at = MIN(r->at, r->size);
        add_argument(command, begin, r->at);
    }
}

// Arguments up to the ")" that matches; false: there is none.
static bool read_arguments(struct reader *r, struct command *command) {
    unsigned level = 1;
    r->at++; // "("
    while (r->at < r->size) {
        char c = peek(r, 0);
        if (g_ascii_isspace(c) || c == '\0') {
            r->at++;
        } else if (c == '#') {
            skip_comment(r);
        } else if (c == '(' || c == ')') {
            level = c == '(' ? level + 1 : level - 1;
            command->close = r->at++;
            if (level == 0)
                return true;
        } else {
            read_argument(r, command);
        }
    }
    return false;
}

/// The next command; false: there is none.
static bool next_command(struct reader *r, struct command *command) {
    while (r->at < r->size) {
        char c = peek(r, 0);
        if (c == '#') {
            skip_comment(r);
        } else if (c == '"') {
            skip_string(r);
        } else if (!is_name(c)) {
            r->at++;
        } else {
            command->name.begin = r->at;
            while (is_name(peek(r, 0)))
                r->at++;
            command->name.end = r->at;
            while (peek(r, 0) == ' ' || peek(r, 0) == '\t')
                r->at++;
            g_array_set_size(command->arguments, 0);
            if (peek(r, 0) == '(' && read_arguments(r, command))
                return true;
        }
    }
    return false;
}

// Edits.

static bool is(const struct reader *r, struct piece piece, const char *text) {
    size_t length = piece.end - piece.begin;
    return length == strlen(text) && g_ascii_strncasecmp(r->text + piece.begin, text, length) == 0;
}

static struct piece argument(const struct command *command, guint i) {
    return i < command->arguments->len ? g_array_index(command->arguments, struct piece, i)
                                       : (struct piece){0, 0};
}

static bool has_argument(const struct reader *r, const struct command *command, const char *text) {
    for (guint i = 0; i < command->arguments->len; i++) {
        if (is(r, argument(command, i), text))
            return true;
    }
    return false;
}

static void replace(struct gcl_edits *edits, struct piece piece, const char *text) {
    gcl_edits_add(edits, (uint32_t)piece.begin, (uint32_t)piece.end, text);
}

// A line of its own before a command, with the blanks that the command's line begins with.
static void add_line_before(struct gcl_edits *edits, const struct reader *r, struct piece name,
                            const char *line) {
    size_t begin = name.begin;
    while (begin > 0 && (r->text[begin - 1] == ' ' || r->text[begin - 1] == '\t'))
        begin--;
    g_autofree char *blanks = g_strndup(r->text + begin, name.begin - begin);
    g_autofree char *text = g_strdup_printf("%s\n%s", line, blanks);
    replace(edits, (struct piece){name.begin, name.begin}, text);
}

// "find_package(CUDA …)", but for the language's own package, CUDAToolkit.
static void edit_package(struct gcl_edits *edits, const struct reader *r,
                         const struct command *command) {
    bool required = has_argument(r, command, "REQUIRED");
    struct piece all = {argument(command, 0).begin, command->close};
    if (is(r, argument(command, 0), "CUDA"))
        replace(edits, all, required ? "gcluster REQUIRED" : "gcluster");
}

/// What a project's commands have said so far.
struct state {
    bool names_compiler;
};

static void edit_command(struct gcl_edits *edits, const struct reader *r,
                         const struct command *command, struct state *state) {
    struct piece name = command->name, first = argument(command, 0), second = argument(command, 1);
    bool enables = (is(r, name, "project") || is(r, name, "enable_language")) &&
                   has_argument(r, command, "CUDA");
    if (is(r, name, "find_package")) {
        edit_package(edits, r, command);
    } else if (is(r, name, "cuda_add_executable")) {
        replace(edits, name, "gcluster_add_executable");
    } else if (is(r, name, "cuda_add_library")) {
        replace(edits, name, "gcluster_add_library");
    } else if (is(r, name, "set") && is(r, first, "CMAKE_CUDA_COMPILER")) {
        state->names_compiler = true;
        if (second.end > second.begin && !is(r, second, "gcluster-cc"))
            replace(edits, second, "gcluster-cc");
    } else if (enables && !state->names_compiler) {
        state->names_compiler = true;
        add_line_before(edits, r, name, "set(CMAKE_CUDA_COMPILER gcluster-cc)");
    }
}

struct gcl_edits *gcl_cmake_edits(const char *path, GBytes *bytes) {
    struct reader reader = {.at = 0};
    reader.text = g_bytes_get_data(bytes, &reader.size);
    struct gcl_edits *edits = gcl_edits_create(path);
    struct command command = {.arguments = g_array_new(FALSE, FALSE, sizeof(struct piece))};
    struct state state = {false};
    while (next_command(&reader, &command))
        edit_command(edits, &reader, &command, &state);
    g_array_unref(command.arguments);
    return edits;
}
