#include "ledger.h"

static uint64_t room(const struct gcl_account *account) {
    // A limit may have been lowered meanwhile.
    return account->limit > account->taken ? account->limit - account->taken : 0;
}

uint64_t gcl_account_limit(const struct gcl_account *account) {
    uint64_t least = UINT64_MAX;
    for (; account; account = account->parent)
        least = account->limit < least ? account->limit : least;
    return least;
}

uint64_t gcl_account_free(const struct gcl_account *account) {
    uint64_t least = UINT64_MAX;
    for (; account; account = account->parent)
        least = room(account) < least ? room(account) : least;
    return least;
}

const struct gcl_account *gcl_account_lacking(const struct gcl_account *account, uint64_t bytes) {
    while (account && room(account) >= bytes)
        account = account->parent;
    return account;
}

bool gcl_account_take(struct gcl_account *account, uint64_t bytes) {
    if (gcl_account_lacking(account, bytes))
        return false;
    for (; account; account = account->parent)
        account->taken += bytes;
    return true;
}

bool gcl_account_give(struct gcl_account *account, uint64_t bytes) {
    if (account->taken < bytes)
        return false;
    for (; account; account = account->parent)
        account->taken -= bytes;
    return true;
}
