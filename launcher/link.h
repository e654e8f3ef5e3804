// Frames (cluster/job/rendezvous.h) to and from a node, or a part of the launcher on another host.
// No call waits; what can't be written yet is kept.
#ifndef GCL_LAUNCHER_LINK_H
#define GCL_LAUNCHER_LINK_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>

#include "cluster/job/rendezvous.h"

struct gcl_link;

struct gcl_frame {
    struct gcl_rendezvous_head head;
    const uint8_t *body; ///< head.size bytes, until the next call with this link
};

/// Takes two descriptors, which may be the same one.
struct gcl_link *gcl_link_create(int in, int out);
/// Takes NULL. What hasn't been written is dropped.
void gcl_link_destroy(struct gcl_link *link);

void gcl_link_send(struct gcl_link *link, enum gcl_rendezvous_kind kind, gcl_node node,
                   const void *body, size_t size);
/// Bytes that wait to be written.
size_t gcl_link_pending(const struct gcl_link *link);

/// What to wait for with poll(2).
void gcl_link_poll(const struct gcl_link *link, struct pollfd pollers[2]);
/// Writes and reads what goes. False: the other side has closed; frames may still be there.
bool gcl_link_progress(struct gcl_link *link);
/// The next frame that has come as a whole; false if there is none. `wrong`, which is left alone
/// otherwise: why the other side can't be understood; the link is of no use then.
bool gcl_link_next(struct gcl_link *link, struct gcl_frame *frame, const char **wrong);

#endif
