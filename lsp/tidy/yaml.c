// A block is as deep as its first line; an item of a sequence is a block that begins behind the
// item's dash, which becomes a blank.
#include "lsp/tidy/yaml.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <glib.h>

#include "lsp/base/json.h"

enum { DEPTH_MAX = 16 };

struct reader {
    char **line; // the next one
    unsigned depth;
};

static size_t indentation(const char *line) {
    return strspn(line, " ");
}

static bool is_item(const char *line) {
    const char *at = line + indentation(line);
    return at[0] == '-' && (at[1] == ' ' || at[1] == '\0');
}

// The length of the key that an entry of a mapping begins with; 0: the line is no entry.
static size_t key_length(const char *line) {
    const char *key = line + indentation(line);
    size_t length = strcspn(key, ":'\" ");
    bool ends = key[length] == ':' && (key[length + 1] == ' ' || key[length + 1] == '\0');
    return ends ? length : 0;
}

static char *read_single(const char *text) {
    GString *out = g_string_new(NULL);
    for (; *text; text++) {
        if (*text == '\'' && *++text != '\'')
            break;
        g_string_append_c(out, *text);
    }
    return g_string_free(out, FALSE);
}

// The character behind a backslash, with `text` moved to its last byte; 0: none that is known.
static gunichar read_escape(const char **text) {
    static const char names[] = "abtnvfre0\"\\/", bytes[] = "\a\b\t\n\v\f\r\033\0\"\\/";
    const char *name = strchr(names, **text);
    size_t digits = **text == 'x' ? 2 : **text == 'u' ? 4 : **text == 'U' ? 8 : 0;
    if (digits == 0 || strlen(*text) <= digits)
        return **text && name ? (guchar)bytes[name - names] : 0;
    g_autofree char *number = g_strndup(*text + 1, digits);
    *text += digits;
    return (gunichar)strtoul(number, NULL, 16);
}

static char *read_double(const char *text) {
    GString *out = g_string_new(NULL);
    for (; *text && *text != '"'; text++) {
        if (*text != '\\') {
            g_string_append_c(out, *text);
            continue;
        }
        text++;
        gunichar character = read_escape(&text);
        if (character && g_unichar_validate(character))
            g_string_append_unichar(out, character);
        if (!*text)
            break;
    }
    return g_string_free(out, FALSE);
}

static json_t *read_scalar(const char *text) {
    text += indentation(text);
    if (strcmp(text, "[]") == 0)
        return json_array();
    g_autofree char *value = *text == '\''  ? read_single(text + 1)
                             : *text == '"' ? read_double(text + 1)
                                            : g_strchomp(g_strdup(text));
    return gcl_json_text(value);
}

static json_t *read_block(struct reader *reader, size_t least);

static json_t *read_sequence(struct reader *reader, size_t depth) {
    json_t *list = json_array();
    while (*reader->line && is_item(*reader->line) && indentation(*reader->line) == depth) {
        char *line = *reader->line;
        line[depth] = ' ';
        if (key_length(line) > 0 || is_item(line)) {
            json_t *item = read_block(reader, depth + 1);
            json_array_append_new(list, item ? item : json_null());
        } else {
            json_array_append_new(list, read_scalar(line));
            reader->line++;
        }
    }
    return list;
}

static json_t *read_mapping(struct reader *reader, size_t depth) {
    json_t *object = json_object();
    size_t length;
    while (*reader->line && indentation(*reader->line) == depth &&
           (length = key_length(*reader->line)) > 0) {
        g_autofree char *key = g_strndup(*reader->line + depth, length);
        const char *value = *reader->line + depth + length + 1;
        reader->line++;
        json_t *found = value[indentation(value)] ? read_scalar(value) : NULL;
        if (!found)
            found = read_block(reader, depth + 1);
        json_object_set_new(object, key, found ? found : json_string(""));
    }
    return object;
}

// The block that the next line begins, if it is at least so deep; NULL: there is none.
static json_t *read_block(struct reader *reader, size_t least) {
    json_t *block = NULL;
    while (*reader->line && !block) {
        size_t depth = indentation(*reader->line);
        if (depth < least || reader->depth == DEPTH_MAX)
            return NULL;
        reader->depth++;
        if (is_item(*reader->line))
            block = read_sequence(reader, depth);
        else if (key_length(*reader->line) > 0)
            block = read_mapping(reader, depth);
        else
            reader->line++;
        reader->depth--;
    }
    return block;
}

json_t *gcl_yaml_parse(const char *text) {
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    struct reader reader = {.line = lines};
    json_t *document = NULL;
    while (*reader.line) {
        json_t *block = read_block(&reader, 0);
        if (!document)
            document = block;
        else
            json_decref(block);
        if (*reader.line)
            reader.line++;
    }
    return document;
}
