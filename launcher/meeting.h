// A round in which all nodes of a job share bytes.
#ifndef GCL_LAUNCHER_MEETING_H
#define GCL_LAUNCHER_MEETING_H

#include <stdbool.h>
#include <stddef.h>

#include <glib.h>

#include "cluster/communicator/node.h"

struct gcl_meeting;

struct gcl_meeting *gcl_meeting_create(gcl_node count);
/// Takes NULL.
void gcl_meeting_destroy(struct gcl_meeting *meeting);

/// What a node of the job shares. False: it has done so already in this round.
bool gcl_meeting_add(struct gcl_meeting *meeting, gcl_node node, const void *bytes, size_t size);
/// Once all have shared: the body of a SHARED frame, to be freed, and the next round begins.
/// Otherwise NULL.
GByteArray *gcl_meeting_take(struct gcl_meeting *meeting);

#endif
