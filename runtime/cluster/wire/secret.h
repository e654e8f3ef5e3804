// The job's secret, and what is proven with it: HMAC-SHA256.
#ifndef GCL_CLUSTER_SECRET_H
#define GCL_CLUSTER_SECRET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "cluster/communicator/node.h"
#include "cluster/wire/wire.h"

enum { GCL_SECRET_SIZE = 32, GCL_SECRET_KEY_SIZE = 32 };

/// Random bytes that nobody can guess; GCL_SYSTEM, after a message, if the system has none.
GCL_MUST_USE enum gcl_status gcl_secret_random(void *bytes, size_t size);

/// What only those can compute who know the secret: for one `purpose`, one node, and the two nonces
/// of one connection.
void gcl_secret_prove(const uint8_t secret[GCL_SECRET_SIZE], const char *purpose, gcl_node node,
                      const uint8_t ours[GCL_WIRE_NONCE_SIZE],
                      const uint8_t theirs[GCL_WIRE_NONCE_SIZE],
                      uint8_t proof[GCL_WIRE_PROOF_SIZE]);

/// What only those can compute who know the secret: for bytes that one node shares in one round.
void gcl_secret_seal(const uint8_t secret[GCL_SECRET_SIZE], gcl_node node, uint32_t round,
                     const void *bytes, size_t size, uint8_t proof[GCL_WIRE_PROOF_SIZE]);

/// The number that each message of a pair of nodes carries in one direction.
uint64_t gcl_secret_token(const uint8_t secret[GCL_SECRET_SIZE], gcl_node from, gcl_node to);

/// The number by which a host's agent finds out which processes are of one job; not 0.
uint64_t gcl_secret_job(const uint8_t secret[GCL_SECRET_SIZE]);

/// A key that only those have who know the secret: for one `purpose` and one pair of nodes in this
/// order.
void gcl_secret_key(const uint8_t secret[GCL_SECRET_SIZE], const char *purpose, gcl_node from,
                    gcl_node to, uint8_t key[GCL_SECRET_KEY_SIZE]);

/// Compares in a time that doesn't depend on where the bytes differ.
bool gcl_secret_equal(const void *a, const void *b, size_t size);

#endif
