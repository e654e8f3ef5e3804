// gcluster-translate: a CUDA project in, the same project on the gcluster API and a report out.
#include "translate/command_line.h"
#include "translate/translate.h"

int main(int argc, char **argv) {
    (void)argc;
    int status = 0;
    struct gcl_translate_options *options = gcl_translate_parse((const char *const *)argv, &status);
    if (options)
        status = gcl_translate(options);
    gcl_translate_options_destroy(options);
    return status;
}
