// Turns a bad access in device code into a fault of its launch instead of the program's end.
#ifndef GCL_EXEC_SIGNALS_H
#define GCL_EXEC_SIGNALS_H

/// Handles SIGSEGV, SIGBUS, SIGFPE and SIGILL for threads that run a block; all others get the
/// handler there was before. Once a process; further calls do nothing.
void gcl_signals_install(void);

/// Gives the calling thread a stack for handlers, so that overflowing its own stack is survived,
/// and blocks signals that are meant for the program. To be undone before the thread ends.
void gcl_signals_enter_thread(void);
void gcl_signals_leave_thread(void);

#endif
