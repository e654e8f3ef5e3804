// What a debugger finds of running blocks (gcluster_blocks.py, in gdb and lldb, reads it), and
// where it stops.
#ifndef GCL_EXEC_DEBUGGER_H
#define GCL_EXEC_DEBUGGER_H

#include <stdint.h>

/// A worker that runs blocks of kernels that are compiled to be debugged, as debuggers read it: by
/// its version, without a description of its type.
struct gcl_debugged {
    struct gcl_debugged *next;     ///< another worker, or NULL
    uint64_t thread;               ///< the system's number of the worker's thread
    const struct gcl_block *block; ///< that it runs; NULL: none
    const struct gcl_kernel *kernel;
    uint64_t stack;   ///< bytes of each thread in the block's frame; 0: threads have none there
    const char *file; ///< where the kernel has been launched; NULL: unknown
    uint64_t line;
};

/// All workers, in no order, and 1 as long as the above holds. Debuggers look for these symbols.
extern __attribute__((visibility("default"))) struct gcl_debugged *gcl_debugged_workers;
extern __attribute__((visibility("default"))) const uint64_t gcl_debugged_version;

/// The calling thread runs its block's threads (gcl_block_current) from here on, on stacks of that
/// size.
void gcl_debugger_enter(uint64_t stack);
/// The calling thread has no block any more.
void gcl_debugger_leave(void);
/// Stops in the debugger that follows the process, if one does.
void gcl_debugger_stop(void);
/// As gcl_debugger_stop, for what a signal has told: a debugger that has been waited for lets
/// signals pass, since by SIGSEGV and SIGBUS pages come, too; any other has stopped already.
void gcl_debugger_stop_at_signal(void);

#endif
