// gcluster-cc: nvcc's command line in, objects and programs out.
#include <stdio.h>
#include <unistd.h>

#include "base/diagnostic.h"
#include "driver/driver.h"
#include "driver/options/command_line.h"
#include "driver/wrapper.h"

int main(int argc, char **argv) {
    (void)argc;
    GPtrArray *diagnostics = gcl_diagnostics_create();
    struct gcl_options *options =
        gcl_command_line_parse((const char *const *)argv + 1, diagnostics);
    gcl_wrapper_ask(options, diagnostics);
    bool good = !gcl_diagnostics_have_error(diagnostics);
    if (options->verbose || options->dry_run)
        gcl_driver_describe();
    if (!options->no_warnings || !good)
        gcl_diagnostics_print(diagnostics, stderr, isatty(STDERR_FILENO));
    int status = good ? gcl_driver_run(options) : 1;
    gcl_options_destroy(options);
    g_ptr_array_unref(diagnostics);
    return status;
}
