// Whose a device's memory is: that of the CPU device, and of each GPU that programs use.
#ifndef GCL_AGENT_BOOKS_H
#define GCL_AGENT_BOOKS_H

#include "agent.h"
#include "base/agent_wire.h"
#include "ledger.h"

struct gcl_books {
    unsigned char gpu[GCL_AGENT_UUID]; ///< zeros: the CPU device
    uint64_t size;                     ///< a GPU's bytes: the most that a program says it has
    unsigned clients;                  ///< programs that use the device, or want to
    struct gcl_account all;
    GHashTable *users;   ///< by number: struct gcl_account, below `all`
    gboolean is_awaited; ///< somebody who came earlier waits for memory of it
};

gboolean gcl_books_are_of_gpu(const struct gcl_books *books);
/// The books of a device, for one program more. NULL: there are those of as many GPUs as no
/// machine has.
struct gcl_books *gcl_books_open(struct gcl_agent *agent, const unsigned char gpu[GCL_AGENT_UUID],
                                 uint64_t size);
/// For one program less, which has given all back.
void gcl_books_close(struct gcl_agent *agent, struct gcl_books *books);
/// What a user has of the device, which stays until the books are closed.
struct gcl_account *gcl_books_of_user(struct gcl_books *books, const struct gcl_settings *settings,
                                      uid_t user);
/// Bytes that a program of a user's may have.
uint64_t gcl_books_of_client(const struct gcl_books *books, const struct gcl_settings *settings,
                             uid_t user);
/// Puts the limits of the settings in force.
void gcl_books_configure(struct gcl_books *books, const struct gcl_settings *settings);

#endif
