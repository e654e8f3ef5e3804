// What a node tells the others about its machine.
#ifndef GCL_CLUSTER_HOST_H
#define GCL_CLUSTER_HOST_H

#include <stdbool.h>
#include <stdint.h>

#include "cluster/wire/wire.h"

/// Fills in machine, memory name and process.
void gcl_host_describe(struct gcl_wire_card *card);

/// Chooses the network interface of the job, into the card: the one with the address of `host`, as
/// other machines know this one, else the first that is up and no loopback. Returns its IPv4
/// address in host order, 0 if there is none.
uint32_t gcl_host_choose_interface(const char *host, struct gcl_wire_card *card);

/// Whether the cards' nodes are on one machine.
bool gcl_host_is_same(const struct gcl_wire_card *a, const struct gcl_wire_card *b);
/// Whether two nodes are on the same host and can map each other's memory.
bool gcl_host_shares_memory(const struct gcl_wire_card *a, const struct gcl_wire_card *b);

#endif
