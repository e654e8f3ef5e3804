// One source file to one object: the host and the device branch of the pipeline.
//
//     parse ─ rewrite ─ host pass ─────────┐
//        └── findings ┐                    │
//     device pass ────┴─ code generation ──┴─ join ─ object
//
// Each branch runs in a child process of its own, so that they run side by side and a crash of
// clang or LLVM is a message and nothing more. Findings are the block sizes that parsing has seen
// in launches, and pragmas: code generation waits for them, but parsing takes no longer than the
// device pass. A program that needs it (gcl_rewrite_device) has a second device pass after parsing.
#ifndef GCL_DRIVER_COMPILE_H
#define GCL_DRIVER_COMPILE_H

#include <stdbool.h>

#include "commands.h"
#include "process.h"

/// Begun by gcl_compile_start, ended by gcl_compile_finish; `c` is filled in by the caller.
struct gcl_compile {
    struct gcl_compilation c;
    struct gcl_process processes[2]; ///< host, device
    size_t process_count;
    /// A pipe without content: it ends when `c.shapes_file`, `c.pragmas_file` and `c.rewritten` are
    /// complete, or never will be.
    int findings[2];
};

/// Starts the branches. With -dryrun, prints what they would do instead.
void gcl_compile_start(struct gcl_compile *compile);

/// Shows what the branches had to say, once they have ended: `*messages`, to be freed. True if both
/// succeeded. Crashes are added to `diagnostics`.
bool gcl_compile_report(const struct gcl_compile *compile, GPtrArray *diagnostics, char **messages);

/// --dump, --emit and --check-rewrite: starts a process that prints the stage to standard output.
void gcl_compile_dump(struct gcl_compile *compile);

// Steps of the device branch, for who takes them one by one (incremental.h).

/// Runs a command and frees it; its messages go to the file `log`, or to standard error if that is
/// NULL. Returns its exit status.
int gcl_compile_run(const struct gcl_compilation *compilation, GPtrArray *command, const char *log);

/// Writes clang's map to what it gets in place of files: launches that it can't read mended, and
/// `texts` (path -> GBytes; NULL: none). False if there is nothing like that, or it can't be
/// written.
bool gcl_compile_prepare(const struct gcl_compilation *compilation, const char *overlay,
                         GHashTable *texts);

/// From `device_ir` to code and explanations, with the findings in their files. Returns the exit
/// status.
int gcl_compile_generate(const struct gcl_compilation *compilation);

#endif
