// A recursive descent over words, numbers and signs, with one token of look-ahead.
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/schedule/combine.h"
#include "scenario.h"

enum token_kind { TOKEN_END, TOKEN_WORD, TOKEN_NUMBER, TOKEN_SIGN };

struct parser {
    const char *file, *at; ///< the text behind the token
    unsigned line;
    enum token_kind kind; ///< of the token
    char text[SCENARIO_NAME];
    int64_t number;
    char variables[SCENARIO_VARIABLES][SCENARIO_NAME]; ///< of the launch that is read; "": none
    struct scenario_statement *statements;
    size_t count;
};

void scenario_fail(const char *file, unsigned line, const char *format, ...) {
    va_list arguments;
    fprintf(stderr, "%s:%u: ", file, line);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(2);
}

#define FAIL(p, ...) scenario_fail((p)->file, (p)->line, __VA_ARGS__)

// Tokens.

static void skip_space(struct parser *p) {
    while (isspace((unsigned char)*p->at) || *p->at == '#') {
        if (*p->at == '#')
            p->at += strcspn(p->at, "\n");
        else
            p->line += *p->at++ == '\n';
    }
}

static bool is_in_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

static void advance(struct parser *p) {
    size_t length = 0;
    skip_space(p);
    p->kind = *p->at == 0                      ? TOKEN_END
              : isdigit((unsigned char)*p->at) ? TOKEN_NUMBER
              : is_in_word(*p->at)             ? TOKEN_WORD
                                               : TOKEN_SIGN;
    if (p->kind == TOKEN_SIGN)
        length = strncmp(p->at, "->", 2) == 0 ? 2 : 1;
    while (p->kind == TOKEN_NUMBER && isdigit((unsigned char)p->at[length]))
        length++;
    while (p->kind == TOKEN_WORD && is_in_word(p->at[length]))
        length++;
    if (length >= sizeof p->text)
        FAIL(p, "'%.*s' is too long", (int)length, p->at);
    memcpy(p->text, p->at, length);
    p->text[length] = 0;
    p->number = p->kind == TOKEN_NUMBER ? strtoll(p->text, NULL, 10) : 0;
    p->at += length;
}

static bool is_at(const struct parser *p, const char *text) {
    return p->kind != TOKEN_END && strcmp(p->text, text) == 0;
}

static bool take(struct parser *p, const char *text) {
    bool is = is_at(p, text);
    if (is)
        advance(p);
    return is;
}

static const char *shown(const struct parser *p) {
    return p->kind == TOKEN_END ? "the end" : p->text;
}

static void expect(struct parser *p, const char *text) {
    if (!take(p, text))
        FAIL(p, "expected '%s', found '%s'", text, shown(p));
}

static int64_t take_number(struct parser *p, int64_t least, int64_t most) {
    int64_t number = p->number;
    if (p->kind != TOKEN_NUMBER)
        FAIL(p, "expected a number, found '%s'", shown(p));
    if (number < least || number > most)
        FAIL(p, "%lld isn't in [%lld, %lld]", (long long)number, (long long)least, (long long)most);
    advance(p);
    return number;
}

static void take_name(struct parser *p, char *name) {
    if (p->kind != TOKEN_WORD)
        FAIL(p, "expected a name, found '%s'", shown(p));
    strcpy(name, p->text);
    advance(p);
}

static size_t take_one_of(struct parser *p, const char *const *names, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (take(p, names[i]))
            return i;
    }
    FAIL(p, "'%s' isn't known here", shown(p));
}

// Bytes.

/// Adds a term times `sign` to a sum: "512 i", "i", "4".
static void add_term(struct parser *p, int64_t sign, struct scenario_bytes *sum) {
    bool has_factor = p->kind == TOKEN_NUMBER;
    int64_t factor = sign * (has_factor ? take_number(p, 0, INT64_C(1) << 40) : 1);
    if (p->kind != TOKEN_WORD && has_factor) {
        sum->constant += factor;
        return;
    }
    for (unsigned i = 0; i < SCENARIO_VARIABLES && p->kind == TOKEN_WORD; i++) {
        if (strcmp(p->variables[i], p->text) != 0)
            continue;
        sum->factors[i] += factor;
        advance(p);
        return;
    }
    FAIL(p, "expected a number or a variable, found '%s'", shown(p));
}

static struct scenario_bytes take_sum(struct parser *p) {
    struct scenario_bytes sum = {.constant = 0};
    int64_t sign = take(p, "-") ? -1 : 1;
    add_term(p, sign, &sum);
    while (is_at(p, "+") || is_at(p, "-")) {
        sign = is_at(p, "-") ? -1 : 1;
        advance(p);
        add_term(p, sign, &sum);
    }
    return sum;
}

static struct scenario_bytes take_bytes(struct parser *p) {
    expect(p, "[");
    struct scenario_bytes begin = take_sum(p);
    expect(p, ",");
    struct scenario_bytes end = take_sum(p);
    expect(p, ")");
    if (memcmp(begin.factors, end.factors, sizeof begin.factors) != 0)
        FAIL(p, "bytes have to be of the same length for all blocks and threads");
    begin.length = end.constant - begin.constant;
    if (begin.length <= 0)
        FAIL(p, "there are no bytes between begin and end");
    return begin;
}

// Launches.

static void take_extent(struct parser *p, uint32_t *extent) {
    extent[0] = extent[1] = extent[2] = 1;
    for (unsigned i = 0; i == 0 || (i < 3 && take(p, "x")); i++)
        extent[i] = (uint32_t)take_number(p, 1, 1 << 30);
}

static bool is_verb(const struct parser *p) {
    static const char *const verbs[] = {"reads", "writes", "may", "claims", "reduces"};
    bool is = false;
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        is |= is_at(p, verbs[i]);
    return is;
}

static void take_variables(struct parser *p, const char *of, unsigned first) {
    if (!take(p, of))
        return;
    for (unsigned i = 0; i < 3 && !is_verb(p) && !is_at(p, "thread"); i++)
        take_name(p, p->variables[first + i]);
}

static void take_reduction(struct parser *p, struct scenario_access *access) {
    expect(p, "with");
    access->element = (uint16_t)take_number(p, 1, 8);
    expect(p, "-");
    expect(p, "byte");
    access->reduction = (enum gcl_reduction)take_one_of(p, gcl_reduction_names, GCL_REDUCTIONS);
}

static void take_access(struct parser *p, struct scenario_access *access) {
    static const char *const verbs[] = {"reads", "writes", "reduces", "claims"};
    *access = (struct scenario_access){.is_doubtful = take(p, "may")};
    if (access->is_doubtful) {
        expect(p, "write");
        access->kind = GCL_ACCESS_WRITE;
    } else {
        access->kind = (enum gcl_access_kind)take_one_of(p, verbs, sizeof verbs / sizeof *verbs);
    }
    take_name(p, access->buffer);
    if (take(p, "anywhere"))
        access->bytes = (struct scenario_bytes){.is_anywhere = true, .length = 4};
    else
        access->bytes = take_bytes(p);
    if (access->kind == GCL_ACCESS_REDUCE)
        take_reduction(p, access);
}

static void take_launch(struct parser *p, struct scenario_statement *statement) {
    static const char *const axes[] = {"x", "y", "z"};
    struct scenario_launch *launch = &statement->launch;
    take_name(p, statement->name);
    expect(p, "grid");
    take_extent(p, launch->grid);
    expect(p, "block");
    take_extent(p, launch->block);
    if (take(p, "split"))
        launch->split = *axes[take_one_of(p, axes, 3)];
    launch->node = take(p, "on") ? (uint32_t)take_number(p, 0, UINT16_MAX) : GCL_NOBODY;
    expect(p, ":");
    memset(p->variables, 0, sizeof p->variables);
    take_variables(p, "block", 0);
    take_variables(p, "thread", 3);
    do {
        if (launch->access_count == SCENARIO_ACCESSES)
            FAIL(p, "a launch has at most %d accesses", SCENARIO_ACCESSES);
        take_access(p, &launch->accesses[launch->access_count++]);
    } while (take(p, ","));
    memset(p->variables, 0, sizeof p->variables);
}

// Statements.

static struct scenario_statement *add(struct parser *p, enum scenario_kind kind) {
    if (p->count == SCENARIO_STATEMENTS)
        FAIL(p, "a scenario has at most %d statements", SCENARIO_STATEMENTS);
    struct scenario_statement *statement = &p->statements[p->count++];
    *statement = (struct scenario_statement){.kind = kind, .file = p->file, .line = p->line};
    return statement;
}

static void take_buffers(struct parser *p) {
    size_t first = p->count;
    do
        take_name(p, add(p, SCENARIO_BUFFER)->name);
    while (take(p, ","));
    expect(p, ":");
    int64_t size = take_number(p, 1, INT64_C(1) << 32);
    expect(p, "bytes");
    enum gcl_host_use use = take(p, "host")      ? GCL_HOST_UNSEEN
                            : take(p, "guarded") ? GCL_HOST_GUARDED
                                                 : GCL_HOST_NEVER;
    for (size_t i = first; i < p->count; i++) {
        p->statements[i].number = size;
        p->statements[i].use = use;
    }
    while (take(p, ";")) {
        struct scenario_statement *place = add(p, SCENARIO_PLACE);
        take_name(p, place->name);
        expect(p, "on");
        place->number = take_number(p, 0, UINT16_MAX);
    }
}

static void take_copy(struct parser *p) {
    bool is_in = take(p, "host");
    struct scenario_statement *copy = add(p, is_in ? SCENARIO_COPY_IN : SCENARIO_COPY_OUT);
    if (is_in)
        expect(p, "->");
    take_name(p, copy->name);
    copy->bytes = take_bytes(p);
    if (!is_in) {
        expect(p, "->");
        expect(p, "host");
    }
}

static void take_fill(struct parser *p) {
    struct scenario_statement *fill = add(p, SCENARIO_FILL);
    take_name(p, fill->name);
    fill->bytes = take_bytes(p);
    expect(p, "with");
    fill->number = take_number(p, 0, UINT8_MAX);
}

static void take_weights(struct parser *p) {
    struct scenario_statement *weigh = add(p, SCENARIO_WEIGH);
    do {
        if (weigh->number == SCENARIO_WEIGHTS)
            FAIL(p, "there are too many weights");
        weigh->weights[weigh->number++] = (uint32_t)take_number(p, 1, 1000);
    } while (take(p, ","));
}

static void take_statement(struct parser *p) {
    if (take(p, "machine")) {
        add(p, SCENARIO_MACHINE)->number = take_number(p, 1, 64);
        expect(p, "nodes");
    } else if (take(p, "weigh")) {
        take_weights(p);
    } else if (take(p, "fault")) {
        add(p, SCENARIO_FAULT);
    } else if (take(p, "buffer")) {
        take_buffers(p);
    } else if (take(p, "launch")) {
        take_launch(p, add(p, SCENARIO_LAUNCH));
    } else if (take(p, "copy")) {
        take_copy(p);
    } else if (take(p, "fill")) {
        take_fill(p);
    } else if (take(p, "free")) {
        take_name(p, add(p, SCENARIO_FREE)->name);
    } else {
        FAIL(p, "expected a statement, found '%s'", shown(p));
    }
}

size_t scenario_parse(const char *file, const char *text, struct scenario_statement *statements) {
    struct parser p = {.file = file, .at = text, .line = 1, .statements = statements};
    advance(&p);
    while (p.kind != TOKEN_END)
        take_statement(&p);
    return p.count;
}
