// Texts of PTX, right and damaged ones: each is parsed or refused with an error that says its line.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ptx.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1), error[256] = "";
    if (!text)
        return 0;
    if (size > 0)
        memcpy(text, data, size);
    text[size] = 0;
    struct ptx_module *module = ptx_parse(text, error, sizeof error);
    if (!module && strncmp(error, "line ", 5) != 0)
        abort();
    if (module) {
        struct ptx_variable *variables;
        size_t count = ptx_variables(module, &variables);
        for (size_t i = 0; i < count; i++) {
            unsigned char *bytes = malloc(variables[i].size + 1);
            if (bytes)
                ptx_initialise(module, i, bytes);
            free(bytes);
        }
        ptx_free(module);
    }
    free(text);
    return module ? 0 : -1;
}
