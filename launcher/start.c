// The number of words, then texts that end in 0: the folder, the words, the variables.
#include "start.h"

#include <string.h>

#include "cluster/job/rendezvous.h"

static void append(GByteArray *bytes, const char *text) {
    g_byte_array_append(bytes, (const guint8 *)text, (guint)strlen(text) + 1);
}

GByteArray *gcl_start_write(const struct gcl_start *start) {
    GByteArray *bytes = g_byte_array_new();
    guint8 count[4];
    gcl_rendezvous_put32(count, g_strv_length(start->words));
    g_byte_array_append(bytes, count, sizeof count);
    append(bytes, start->folder);
    for (char **word = start->words; *word; word++)
        append(bytes, *word);
    for (char **variable = start->variables; *variable; variable++)
        append(bytes, *variable);
    return bytes;
}

gboolean gcl_start_read(const guint8 *bytes, gsize size, struct gcl_start *start) {
    *start = (struct gcl_start){.folder = NULL};
    if (size < 5 || bytes[size - 1] != 0)
        return FALSE;
    guint32 word_count = gcl_rendezvous_get32(bytes);
    GPtrArray *words = g_ptr_array_new(), *variables = g_ptr_array_new();
    char *folder = NULL;
    for (const char *text = (const char *)bytes + 4; text < (const char *)bytes + size;
         text += strlen(text) + 1) {
        char *copy = g_strdup(text);
        if (!folder)
            folder = copy;
        else
            g_ptr_array_add(words->len < word_count ? words : variables, copy);
    }
    gboolean is_whole = folder && word_count > 0 && words->len == word_count;
    g_ptr_array_add(words, NULL);
    g_ptr_array_add(variables, NULL);
    *start = (struct gcl_start){.folder = folder,
                                .words = (char **)g_ptr_array_free(words, FALSE),
                                .variables = (char **)g_ptr_array_free(variables, FALSE)};
    if (!is_whole)
        gcl_start_clear(start);
    return is_whole;
}

void gcl_start_clear(struct gcl_start *start) {
    g_free(start->folder);
    g_strfreev(start->words);
    g_strfreev(start->variables);
    *start = (struct gcl_start){.folder = NULL};
}
