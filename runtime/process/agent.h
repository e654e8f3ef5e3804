// A process that shares its device by gclusterd (agent/): it computes when it is its turn, and its
// device memory is counted there. Its code and its bytes stay in the process, so that nothing is
// copied on the way, and nobody else's code can reach them.
#ifndef GCL_PROCESS_AGENT_H
#define GCL_PROCESS_AGENT_H

#include <stdbool.h>
#include <stddef.h>

struct gcl_lease_end;
struct gcl_runtime;

/// Attaches to the agent, if there is one for this program, and waits until it is let in. False,
/// after a message: the user wants one, and it can't be had.
bool gcl_agent_attach(struct gcl_runtime *runtime);
/// Bytes of device memory that it can have at most; SIZE_MAX: nobody says.
size_t gcl_agent_memory(void);
/// By which it computes; NULL: the device is its own.
const struct gcl_lease_end *gcl_agent_lease(void);
/// Once space and engine are there, and before anything is allocated: memory is counted, and if the
/// agent ends, the engine fails. False, after a message: no thread.
bool gcl_agent_begin(struct gcl_runtime *runtime);
/// In a child of the process, which has no device: forgets the agent, which is the parent's.
void gcl_agent_forget(void);

#endif
