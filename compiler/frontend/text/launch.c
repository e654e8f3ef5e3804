// A launch is delimited by its tokens; the syntax tree, where it has the launch, must agree.
//
// Going back from `<<<` finds the kernel expression (a postfix expression), going forward by
// bracket matching finds `>>>` and the parentheses. The tree's points are exact in plain text and
// in macro arguments, so there they decide. In macro bodies and dead code the text stands alone;
// what is not clear from it is left as it stands, which is always correct.
#include "frontend/text/launch.h"

#include <assert.h>
#include <string.h>

enum { SEARCH_LIMIT = 4000, ARGUMENT_LIMIT = 64 };

struct span {
    guint begin; // token indices, half-open
    guint end;
};

static const struct gcl_token *token(const struct gcl_launch_context *context, guint i) {
    assert(i < context->tokens->len);
    return &g_array_index(context->tokens, struct gcl_token, i);
}

static bool is_kind(const struct gcl_launch_context *context, guint i, enum gcl_token_kind kind) {
    return i < context->tokens->len && token(context, i)->kind == kind;
}

// True if nothing but text, or one and the same directive, lies between.
static bool same_stretch(const struct gcl_launch_context *context, guint a, guint b) {
    return token(context, a)->directive == token(context, b)->directive &&
           token(context, a)->line == token(context, b)->line;
}

// Words that may stand before a kernel expression without being part of it.
static bool is_keyword(const struct gcl_launch_context *context, guint i) {
    static const char *const words[] = {
        "return", "else", "do",    "co_return", "co_yield", "co_await", "typename", "case",
        "throw",  "if",   "while", "for",       "switch",   "sizeof",   "default",  NULL};
    for (const char *const *word = words; *word; word++) {
        if (gcl_token_is(token(context, i), context->bytes, *word))
            return true;
    }
    return false;
}

static bool is_name(const struct gcl_launch_context *context, guint i) {
    return is_kind(context, i, GCL_TOKEN_IDENTIFIER) && !is_keyword(context, i);
}

// Index of the bracket that opens the group closed at `close`; `close` itself if there is none.
static guint match_back(const struct gcl_launch_context *context, guint close) {
    int depth = 0;
    for (guint i = close + 1; i-- > 0 && close - i < SEARCH_LIMIT;) {
        if (!same_stretch(context, i, close))
            return close;
        enum gcl_token_kind kind = token(context, i)->kind;
        if (kind == GCL_TOKEN_ROUND_CLOSE || kind == GCL_TOKEN_SQUARE_CLOSE ||
            kind == GCL_TOKEN_CURLY_CLOSE)
            depth++;
        else if (kind == GCL_TOKEN_ROUND_OPEN || kind == GCL_TOKEN_SQUARE_OPEN ||
                 kind == GCL_TOKEN_CURLY_OPEN)
            depth--;
        if (depth <= 0)
            return depth == 0 ? i : close;
    }
    return close;
}

static int angle_depth(enum gcl_token_kind kind) {
    switch (kind) {
    case GCL_TOKEN_GREATER:
        return 1;
    case GCL_TOKEN_SHIFT_RIGHT:
        return 2;
    case GCL_TOKEN_LAUNCH_CLOSE:
        return 3;
    case GCL_TOKEN_LESS:
        return -1;
    case GCL_TOKEN_SHIFT_LEFT:
        return -2;
    default:
        return 0;
    }
}

// Index of the `<` of the template arguments that end at `close`; `close` itself if there is none.
static guint match_angle_back(const struct gcl_launch_context *context, guint close) {
    int depth = 0;
    for (guint i = close + 1; i-- > 0 && close - i < SEARCH_LIMIT;) {
        enum gcl_token_kind kind = token(context, i)->kind;
        if (!same_stretch(context, i, close) || kind == GCL_TOKEN_SEMICOLON ||
            kind == GCL_TOKEN_CURLY_OPEN || kind == GCL_TOKEN_ROUND_OPEN)
            return close;
        if (kind == GCL_TOKEN_ROUND_CLOSE || kind == GCL_TOKEN_SQUARE_CLOSE ||
            kind == GCL_TOKEN_CURLY_CLOSE) {
            guint open = match_back(context, i);
            if (open == i)
                return close;
            i = open;
            continue;
        }
        depth += angle_depth(kind);
        if (depth <= 0)
            return depth == 0 ? i : close;
    }
    return close;
}

// Can a `(` behind this token be the begin of arguments? Behind `)` it is more often a statement's.
static bool may_be_called(const struct gcl_launch_context *context, guint i) {
    return is_name(context, i) || is_kind(context, i, GCL_TOKEN_SQUARE_CLOSE) ||
           angle_depth(token(context, i)->kind) > 0;
}

// Begin of the name, pasted name, name<...>, name[...], name(...) or (...) that ends at `last`;
// G_MAXUINT if it is none of these.
static guint primary_back(const struct gcl_launch_context *context, guint last) {
    guint i = last, round = G_MAXUINT; // the `(` that may be the begin
    while (i > 0) {
        enum gcl_token_kind kind = token(context, i)->kind;
        guint open = i;
        if (kind == GCL_TOKEN_ROUND_CLOSE || kind == GCL_TOKEN_SQUARE_CLOSE)
            open = match_back(context, i);
        else if (angle_depth(kind) > 0)
            open = match_angle_back(context, i);
        if (open == i)
            break;
        if (kind == GCL_TOKEN_ROUND_CLOSE)
            round = open;
        if (open == 0 || (kind == GCL_TOKEN_ROUND_CLOSE && !may_be_called(context, open - 1)))
            return round;
        i = open - 1;
    }
    if (!is_name(context, i))
        return round;
    while (i > 1 && is_kind(context, i - 1, GCL_TOKEN_PASTE) && same_stretch(context, i, i - 2))
        i -= 2;
    return i;
}

// Steps over the `template` of `a.template f` and `T::template f`.
static guint before(const struct gcl_launch_context *context, guint i) {
    if (i > 0 && gcl_token_is(token(context, i - 1), context->bytes, "template"))
        i--;
    return i;
}

// First token of the kernel expression that ends at `last`; G_MAXUINT if it can't be told.
static guint kernel_back(const struct gcl_launch_context *context, guint last) {
    guint i = primary_back(context, last);
    while (i != G_MAXUINT && i > 0) {
        guint start = before(context, i);
        if (start == 0 || !same_stretch(context, start - 1, last))
            return start;
        enum gcl_token_kind kind = token(context, start - 1)->kind;
        if (kind == GCL_TOKEN_SCOPE &&
            (start == 1 || !same_stretch(context, start - 2, last) ||
             (!is_name(context, start - 2) && angle_depth(token(context, start - 2)->kind) <= 0)))
            return start - 1;
        if (kind != GCL_TOKEN_SCOPE && kind != GCL_TOKEN_DOT && kind != GCL_TOKEN_ARROW) {
            // Two names in a row: a macro of the program that could be anything.
            return is_name(context, start - 1) ? G_MAXUINT : start;
        }
        if (start < 2)
            return G_MAXUINT;
        i = primary_back(context, start - 2);
    }
    return i;
}

static int bracket_step(enum gcl_token_kind kind) {
    switch (kind) {
    case GCL_TOKEN_ROUND_OPEN:
    case GCL_TOKEN_SQUARE_OPEN:
    case GCL_TOKEN_CURLY_OPEN:
        return 1;
    case GCL_TOKEN_ROUND_CLOSE:
    case GCL_TOKEN_SQUARE_CLOSE:
    case GCL_TOKEN_CURLY_CLOSE:
        return -1;
    default:
        return 0;
    }
}

// Index of the `>>>` that is followed by `(` and matches the `<<<` at `open`; `open` if there is
// none.
static guint find_close(const struct gcl_launch_context *context, guint open) {
    int depth = 0;
    for (guint i = open + 1; i + 1 < context->tokens->len && i - open < SEARCH_LIMIT; i++) {
        enum gcl_token_kind kind = token(context, i)->kind;
        if (!same_stretch(context, i, open) || kind == GCL_TOKEN_LAUNCH_OPEN)
            return open;
        depth += bracket_step(kind);
        if (depth < 0 || (depth == 0 && kind == GCL_TOKEN_SEMICOLON))
            return open;
        if (depth == 0 && kind == GCL_TOKEN_LAUNCH_CLOSE &&
            is_kind(context, i + 1, GCL_TOKEN_ROUND_OPEN) && same_stretch(context, i + 1, open))
            return i;
    }
    return open;
}

guint gcl_launch_find_end(const struct gcl_launch_context *context, guint open) {
    int depth = 0;
    for (guint i = open; i < context->tokens->len; i++) {
        if (!same_stretch(context, i, open))
            return open;
        depth += bracket_step(token(context, i)->kind);
        if (depth == 0)
            return token(context, i)->kind == GCL_TOKEN_ROUND_CLOSE ? i : open;
    }
    return open;
}

// True if a comma stands in the span outside parentheses: it would end a macro's argument.
static bool has_comma(const struct gcl_launch_context *context, struct span span) {
    int depth = 0;
    for (guint i = span.begin; i < span.end; i++) {
        enum gcl_token_kind kind = token(context, i)->kind;
        depth += kind == GCL_TOKEN_ROUND_OPEN ? 1 : kind == GCL_TOKEN_ROUND_CLOSE ? -1 : 0;
        if (kind == GCL_TOKEN_COMMA && depth == 0)
            return true;
    }
    return false;
}

// Splits at commas outside brackets; with `angles`, `<` and `>` count as brackets too. Returns the
// number of parts, which may exceed what `parts` holds.
static guint split(const struct gcl_launch_context *context, struct span span, bool angles,
                   struct span *parts) {
    int depth = 0, angle = 0;
    guint count = 0, begin = span.begin;
    for (guint i = span.begin; i < span.end; i++) {
        enum gcl_token_kind kind = token(context, i)->kind;
        depth += bracket_step(kind);
        if (angles && depth == 0)
            angle = MAX(0, angle - angle_depth(kind));
        if (kind != GCL_TOKEN_COMMA || depth != 0 || angle != 0)
            continue;
        if (count < GCL_CONFIGURATION_MAX)
            parts[count] = (struct span){begin, i};
        count++;
        begin = i + 1;
    }
    if (count < GCL_CONFIGURATION_MAX)
        parts[count] = (struct span){begin, span.end};
    return count + 1;
}

static bool parts_are_sane(const struct gcl_launch_context *context, const struct span *parts,
                           guint count, const struct gcl_tree_launch *call) {
    for (guint i = 0; i < count; i++) {
        if (parts[i].begin >= parts[i].end)
            return false;
        // The tree's begin is inside the part, not at it, where a macro starts with its argument.
        bool plain = call && token(context, parts[i].begin)->line == GCL_LINE_TEXT;
        if (plain && (call->starts[i] < token(context, parts[i].begin)->begin ||
                      call->starts[i] >= token(context, parts[i].end - 1)->end))
            return false;
    }
    return true;
}

// Finds the configuration arguments; returns false if their number is not clear.
static bool split_configuration(const struct gcl_launch_context *context, struct span span,
                                const struct gcl_tree_launch *call,
                                struct gcl_source_launch *launch) {
    struct span plain[GCL_CONFIGURATION_MAX], angled[GCL_CONFIGURATION_MAX], *parts = plain;
    guint count = split(context, span, false, plain);
    guint angled_count = split(context, span, true, angled);
    guint wanted = call ? call->count : count == angled_count ? count : 0;
    if (count != wanted || !parts_are_sane(context, parts, MIN(count, 4), call)) {
        parts = angled;
        count = angled_count;
    }
    if (count != wanted || count < 2 || count > GCL_CONFIGURATION_MAX ||
        !parts_are_sane(context, parts, count, call))
        return false;
    for (guint i = 0; i < count; i++) {
        launch->configuration[i] = (struct gcl_source_range){token(context, parts[i].begin)->begin,
                                                             token(context, parts[i].end - 1)->end};
        if (has_comma(context, parts[i]))
            launch->commas |= (uint8_t)(1 << i);
    }
    launch->configuration_count = count;
    return true;
}

// Would turning the launch's commas from many arguments of a surrounding macro into one change what
// the macro does? Yes, unless that macro takes `...` alone.
static bool splits_macro_arguments(const struct gcl_launch_context *context, guint first,
                                   bool in_argument) {
    int depth = 0;
    for (guint i = first; i-- > 1 && first - i < SEARCH_LIMIT;) {
        if (!same_stretch(context, i, first) && token(context, first)->line != GCL_LINE_TEXT)
            return false;
        enum gcl_token_kind kind = token(context, i)->kind;
        depth += kind == GCL_TOKEN_ROUND_CLOSE ? 1 : kind == GCL_TOKEN_ROUND_OPEN ? -1 : 0;
        if (depth >= 0)
            continue;
        const struct gcl_token *name = token(context, i - 1);
        if (name->kind != GCL_TOKEN_IDENTIFIER || is_keyword(context, i - 1))
            return false;
        char *text = g_strndup(context->bytes + name->begin, name->end - name->begin);
        gpointer alone;
        bool known = g_hash_table_lookup_extended(context->macros, text, NULL, &alone);
        g_free(text);
        return known ? !GPOINTER_TO_INT(alone) : in_argument;
    }
    return false;
}

// A directive between the arguments is fine if the tree vouches for the end, unless it is one that
// clang refuses among a macro's arguments.
static bool arguments_are_sane(const struct gcl_launch_context *context, guint open, guint end) {
    for (guint i = open; i < end; i++) {
        const struct gcl_token *t = token(context, i);
        if (t->line == GCL_LINE_PRAGMA || t->line == GCL_LINE_INCLUDE ||
            (t->line == GCL_LINE_DEFINE && !same_stretch(context, open, i)))
            return false;
    }
    return true;
}

// Index of `(` and `)` behind the `>>>` at `close`; false with a reason if they can't be used.
static bool find_arguments(const struct gcl_launch_context *context, guint close,
                           const struct gcl_tree_launch *call, struct span *round,
                           enum gcl_keep *keep) {
    *keep = GCL_KEEP_NOT_A_CALL;
    if (!is_kind(context, close + 1, GCL_TOKEN_ROUND_OPEN))
        return false;
    *keep = GCL_KEEP_DIRECTIVE;
    if (!same_stretch(context, close, close + 1))
        return false;
    *round = (struct span){close + 1, gcl_launch_find_end(context, close + 1)};
    bool plain = call && token(context, close)->line == GCL_LINE_TEXT;
    if (plain && round->end == round->begin && call->end > 0)
        round->end = gcl_token_at(context->tokens, call->end - 1);
    if (round->end <= round->begin || !is_kind(context, round->end, GCL_TOKEN_ROUND_CLOSE) ||
        !arguments_are_sane(context, round->begin, round->end))
        return false;
    *keep = GCL_KEEP_EXTENT;
    return !plain || token(context, round->end)->end == call->end;
}

static bool is_balanced(const struct gcl_launch_context *context, struct span span) {
    int depth = 0;
    for (guint i = span.begin; i < span.end && depth >= 0; i++)
        depth += bracket_step(token(context, i)->kind);
    return depth == 0;
}

// The tree's begin lies inside the parentheses if a macro makes the kernel of its argument.
static guint find_kernel(const struct gcl_launch_context *context, guint index,
                         const struct gcl_tree_launch *call) {
    assert(index > 0);
    if (!call || token(context, index)->line != GCL_LINE_TEXT)
        return kernel_back(context, index - 1);
    guint first = gcl_token_at(context->tokens, call->kernel);
    if (first >= index || token(context, first)->begin != call->kernel)
        return G_MAXUINT;
    if (is_balanced(context, (struct span){first, index}))
        return first;
    guint walked = kernel_back(context, index - 1);
    return walked <= first ? walked : G_MAXUINT;
}

static guint find_configuration_end(const struct gcl_launch_context *context, guint index,
                                    const struct gcl_tree_launch *call) {
    if (!call || token(context, index)->line != GCL_LINE_TEXT)
        return find_close(context, index);
    guint close = call->close < 3 ? index : gcl_token_at(context->tokens, call->close - 3);
    bool exact = is_kind(context, close, GCL_TOKEN_LAUNCH_CLOSE) &&
                 token(context, close)->end == call->close && close > index;
    return exact ? close : index;
}

static enum gcl_keep delimit(const struct gcl_launch_context *context, guint index,
                             const struct gcl_tree_launch *call, struct gcl_source_launch *launch) {
    if (index == 0 || !same_stretch(context, index - 1, index))
        return GCL_KEEP_NOT_A_CALL;
    guint first = find_kernel(context, index, call);
    if (first == G_MAXUINT)
        return GCL_KEEP_NOT_A_CALL;
    if (call && call->conflicting)
        return GCL_KEEP_CONFIGURATION;
    guint close = find_configuration_end(context, index, call);
    if (close == index)
        return GCL_KEEP_UNMATCHED;
    if (!same_stretch(context, first, close))
        return GCL_KEEP_DIRECTIVE;
    struct span round;
    enum gcl_keep keep;
    if (!find_arguments(context, close, call, &round, &keep))
        return keep;
    if (!split_configuration(context, (struct span){index + 1, close}, call, launch))
        return GCL_KEEP_CONFIGURATION;
    bool look = !call || call->in_argument || launch->in_macro;
    if (look && splits_macro_arguments(context, first, call && call->in_argument))
        return GCL_KEEP_MACRO_ARGUMENT;
    assert(first < index && index < close && close < round.begin && round.begin < round.end);
    launch->kernel =
        (struct gcl_source_range){token(context, first)->begin, token(context, index - 1)->end};
    launch->close =
        (struct gcl_source_range){token(context, close)->begin, token(context, close)->end};
    launch->open = token(context, round.begin)->begin;
    launch->arguments = (struct gcl_source_range){token(context, round.begin + 1)->begin,
                                                  token(context, round.end - 1)->end};
    struct span parts[GCL_CONFIGURATION_MAX];
    if (round.begin + 1 == round.end)
        launch->arguments.end = launch->arguments.begin;
    else
        launch->argument_count =
            split(context, (struct span){round.begin + 1, round.end}, true, parts);
    if (has_comma(context, (struct span){first, index}))
        launch->commas |= 1 << GCL_CONFIGURATION_MAX;
    return GCL_KEEP_NONE;
}

struct gcl_source_launch gcl_launch_delimit(const struct gcl_launch_context *context, guint index,
                                            const struct gcl_tree_launch *call) {
    const struct gcl_token *chevrons = token(context, index);
    assert(chevrons->kind == GCL_TOKEN_LAUNCH_OPEN);
    struct gcl_source_launch launch = {.chevrons = {chevrons->begin, chevrons->end},
                                       .evidence = call ? GCL_EVIDENCE_TREE : GCL_EVIDENCE_TEXT,
                                       .in_macro = chevrons->line == GCL_LINE_DEFINE};
    launch.keep = delimit(context, index, call, &launch);
    return launch;
}
