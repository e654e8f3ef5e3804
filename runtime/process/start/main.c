// What happens between a process' start and its main(): in a job, the other nodes are connected,
// and every node but 0 works for the job instead of running main().
//
// The C start-up code of every program calls __libc_start_main, and finds ours before libc's, since
// libgcluster comes before libc on every link line. By then the constructors of shared libraries
// have run; libc's runs those of the program itself, and then, instead of main(), run_main below:
// so kernels of all files are registered, and static objects are what they are in node 0.
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "exec/code/registry.h"
#include "exec/memory/margin.h"
#include "process/nodes.h"
#include "process/runtime.h"

typedef int main_function(int argc, char **argv, char **environment);
typedef int start_function(main_function *main, int argc, char **argv, void (*init)(void),
                           void (*fini)(void), void (*loader_fini)(void), void *stack_end);

start_function __libc_start_main;

static main_function *program_main;
static void (*loader_end)(void);
static bool is_other_node;
static int output = -1; ///< standard output of another node, until its constructors have run

// The job ends after the program's static objects, whose destructors may still use it, and before
// any library is taken down.
static void end(void) {
    gcl_runtime_leave_job();
    if (loader_end)
        loader_end();
}

// A program that looks at no error would end well with a wrong result.
static void check_exit(int status, void *context) {
    (void)context;
    if (status != 0 || !gcl_nodes_have_failed())
        return;
    fflush(NULL);
    _exit(EXIT_FAILURE);
}

// What kernels print on other nodes appears, what constructors print there doesn't.
static void open_output(void) {
    fflush(stdout);
    if (output >= 0)
        dup2(output, STDOUT_FILENO);
}

// Programs may define main() with fewer parameters.
#ifdef __clang__
__attribute__((no_sanitize("function")))
#endif
static int
run_main(int argc, char **argv, char **environment) {
    gcl_registry_begin_program();
    if (!gcl_cluster_is_job() && !gcl_runtime_is_joined())
        return program_main(argc, argv, environment);
    const struct gcl_runtime *runtime = gcl_runtime_get();
    if (!runtime)
        _exit(EXIT_FAILURE); // the launcher ends the other nodes
    if (!is_other_node)
        return program_main(argc, argv, environment);
    open_output();
    int status = gcl_nodes_serve(runtime->spread);
    gcl_margin_close_all(runtime->space);
    fflush(stdout);
    gcl_nodes_close(status == 0 ? GCL_OK : GCL_NODE_LOST);
    // Destructors of the program's static objects have nothing to do: they would write files again.
    _exit(status);
}

int __libc_start_main(main_function *main, int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*loader_fini)(void), void *stack_end) {
    start_function *next;
    *(void **)&next = dlsym(RTLD_NEXT, "__libc_start_main");
    program_main = main;
    loader_end = loader_fini;
    return next(run_main, argc, argv, init, fini, end, stack_end);
}

// Input and output happen once, in node 0. Runs before the program's own constructors.
__attribute__((constructor)) static void prepare(void) {
    const char *number = gcl_cluster_number();
    is_other_node = number && strcmp(number, "0") != 0;
    if (number) {
        setvbuf(stdout, NULL, _IOLBF, 0); // nodes write whole lines between each other's
        on_exit(check_exit, NULL);        // the first one that is registered is called last
    }
    if (!is_other_node)
        return;
    int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    if (nowhere >= 0) {
        dup2(nowhere, STDIN_FILENO);
        dup2(nowhere, STDOUT_FILENO);
        close(nowhere);
    }
    start_function *found;
    *(void **)&found = dlsym(RTLD_DEFAULT, "__libc_start_main");
    if (found == __libc_start_main)
        return;
    gcl_log(GCL_LOG_ERROR, "a job's programs have to be linked with libgcluster themselves: "
                           "this one loads it later, and would run main() on every node");
    _exit(EXIT_FAILURE);
}
