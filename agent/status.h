// What gclusterd says of itself, as JSON: device, programs, who waits.
#ifndef GCL_AGENT_STATUS_H
#define GCL_AGENT_STATUS_H

#include "agent.h"

/// Sends it to whoever asked. They have gone if it doesn't arrive.
void gcl_status_send(const struct gcl_agent *agent, int socket);

#endif
