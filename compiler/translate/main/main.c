// gcluster-translate: a CUDA project in, the same project on the gcluster API and a report out. By
// a compiler's name, in a build that it records, it is that compiler.
#include "translate/command_line.h"
#include "translate/intercept.h"
#include "translate/main/query.h"
#include "translate/translate.h"

int main(int argc, char **argv) {
    int status = argc > 0 ? gcl_intercept_pass_on(argv) : 2;
    if (status >= 0)
        return status;
    if (gcl_query_is_asked(argv))
        return gcl_query_answer(argv);
    status = 0;
    struct gcl_translate_options *options = gcl_translate_parse((const char *const *)argv, &status);
    if (options)
        status = gcl_translate(options);
    gcl_translate_options_destroy(options);
    return status;
}
