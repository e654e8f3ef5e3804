// Who has how much of the device's memory: of all there is, of what a user may have, and of what a
// program may have. Pure.
#ifndef GCL_AGENT_LEDGER_H
#define GCL_AGENT_LEDGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Bytes that somebody may have, and has.
struct gcl_account {
    uint64_t limit, taken;
    struct gcl_account *parent; ///< what is taken here is taken there, too; NULL: it is the device
};

/// Bytes that could be taken if nobody had any.
uint64_t gcl_account_limit(const struct gcl_account *account);
/// Bytes that could still be taken.
uint64_t gcl_account_free(const struct gcl_account *account);
/// The account that can't have so many bytes more: this one, or one above it. NULL: all can.
const struct gcl_account *gcl_account_lacking(const struct gcl_account *account, uint64_t bytes);
/// Takes bytes. False: they aren't to be had, and nothing is taken.
bool gcl_account_take(struct gcl_account *account, uint64_t bytes);
/// Gives back. False: it hasn't so many, and nothing is given back.
bool gcl_account_give(struct gcl_account *account, uint64_t bytes);

#endif
