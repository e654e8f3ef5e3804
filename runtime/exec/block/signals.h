// Turns a bad access in device code into a fault of its launch instead of the program's end.
#ifndef GCL_EXEC_SIGNALS_H
#define GCL_EXEC_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

/// Handles SIGSEGV, SIGBUS, SIGFPE and SIGILL for threads that run a block; all others get the
/// handler there was before. Once a process; further calls do nothing.
void gcl_signals_install(void);

/// Prepares the calling thread for running blocks: gives it a stack for handlers, unless it has
/// one, so that overflowing its own stack is survived. Goes with the thread; further calls do
/// nothing.
void gcl_signals_guard_thread(void);

/// Where pages are absent (exec/memory/absent.h), correct kernels stop at them, too: from here on
/// the calling thread, which has been prepared and may be the program's, is let have the signals,
/// and they are handled here again if the program has set handlers of its own meanwhile. True: its
/// mask was another one, which gcl_signals_end_blocks restores.
bool gcl_signals_begin_blocks(sigset_t *before);
void gcl_signals_end_blocks(const sigset_t *before);

/// Whether an address is on the stack of the calling thread, which has been prepared.
bool gcl_signals_is_on_stack(const void *address);

/// Like gcl_signals_guard_thread for a thread of the runtime's own, which also leaves signals to
/// the program's threads.
void gcl_signals_enter_thread(void);

#endif
