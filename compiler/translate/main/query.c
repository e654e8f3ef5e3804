// Questions go with no other option than the form of the answer.
#include "translate/main/query.h"

#include <stdio.h>
#include <string.h>

#include <glib.h>

#include "support/query.h"

bool gcl_query_is_asked(char *const *arguments) {
    for (arguments++; *arguments && strcmp(*arguments, "--") != 0; arguments++) {
        if (strcmp(*arguments, "--query") == 0)
            return true;
    }
    return false;
}

struct question {
    gboolean query;
    char *format;
    char **names;
};

static bool read_question(struct question *question, char *const *arguments, GError **error) {
    const GOptionEntry entries[] = {
        {"query", 0, 0, G_OPTION_ARG_NONE, &question->query, "say what becomes of names", NULL},
        {"format", 0, 0, G_OPTION_ARG_STRING, &question->format, "text or json", "FORMAT"},
        {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_STRING_ARRAY, &question->names, NULL, NULL},
        {NULL, 0, 0, G_OPTION_ARG_NONE, NULL, NULL, NULL},
    };
    GOptionContext *context = g_option_context_new("NAME...");
    char **words = g_strdupv((char **)arguments);
    g_option_context_set_summary(context, "Says what gcluster makes of CUDA's names and headers; "
                                          "* stands for any letters.");
    g_option_context_add_main_entries(context, entries, NULL);
    bool good = g_option_context_parse_strv(context, &words, error);
    g_option_context_free(context);
    g_strfreev(words);
    return good;
}

// What is wrong with the question; NULL: nothing.
static const char *complain(const struct question *question) {
    if (!question->names)
        return "--query wants names";
    if (question->format && strcmp(question->format, "text") != 0 &&
        strcmp(question->format, "json") != 0)
        return "--format is text or json";
    return NULL;
}

int gcl_query_answer(char *const *arguments) {
    struct question question = {.query = FALSE};
    g_autoptr(GError) error = NULL;
    bool good = read_question(&question, arguments, &error);
    const char *complaint = good ? complain(&question) : error->message;
    int status = 2;
    if (complaint)
        fprintf(stderr, "gcluster-translate: %s\n", complaint);
    else
        status = gcl_query_write(stdout, (const char *const *)question.names,
                                 question.format && strcmp(question.format, "json") == 0)
                     ? 0
                     : 1;
    g_free(question.format);
    g_strfreev(question.names);
    return status;
}
