// Functions that compiled device code calls; their callers are objects made by gcluster-cc.
#ifndef GCL_EXEC_INTRINSICS_H
#define GCL_EXEC_INTRINSICS_H

#include <stddef.h>

#pragma GCC visibility push(default)

/// Device printf: `arguments` holds the promoted arguments, each at its natural alignment. Returns
/// the number of arguments printed, -1 for a malformed format. A call's text appears in one piece.
int gcl_device_printf(const char *format, const void *arguments);
/// Device heap; NULL if there is no memory.
void *gcl_device_malloc(size_t size);
void gcl_device_free(void *pointer);
/// Ends the launch with GCL_FAULT_ASSERT.
_Noreturn void gcl_device_assert_fail(const char *expression, const char *file, unsigned line,
                                      const char *function);
/// Ends the launch with GCL_FAULT_TRAP.
_Noreturn void gcl_device_trap(void);
/// Ends the launch with GCL_FAULT_INSTRUCTION: a thread has come to inline PTX, on that line of
/// `file`, that the compiler didn't know.
_Noreturn void gcl_device_refuse_ptx(const char *statement, const char *file, unsigned line);
/// Whether an address is of a thread's own memory, in the running block: 1 or 0.
unsigned gcl_device_is_local(const void *address);
/// Ticks of the device's clock: nanoseconds, for a clock rate of 1 GHz.
long long gcl_device_clock(void);
/// Wall-clock time in nanoseconds.
unsigned long long gcl_device_globaltimer(void);
void gcl_device_nanosleep(unsigned ns);

#pragma GCC visibility pop

#endif
