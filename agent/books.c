#include "books.h"

#include <string.h>

enum { MOST_GPUS = 64 };

gboolean gcl_books_are_of_gpu(const struct gcl_books *books) {
    static const unsigned char cpu[GCL_AGENT_UUID];
    return memcmp(books->gpu, cpu, sizeof cpu) != 0;
}

static struct gcl_books *find(const struct gcl_agent *agent, const unsigned char *gpu) {
    for (const GList *at = agent->books.head; at; at = at->next) {
        struct gcl_books *books = at->data;
        if (memcmp(books->gpu, gpu, sizeof books->gpu) == 0)
            return books;
    }
    return NULL;
}

struct gcl_books *gcl_books_open(struct gcl_agent *agent, const unsigned char gpu[GCL_AGENT_UUID],
                                 uint64_t size) {
    struct gcl_books *books = find(agent, gpu);
    if (!books && g_queue_get_length(&agent->books) > MOST_GPUS)
        return NULL;
    if (!books) {
        books = g_new0(struct gcl_books, 1);
        memcpy(books->gpu, gpu, sizeof books->gpu);
        books->users = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, g_free);
        g_queue_push_tail(&agent->books, books);
    }
    books->clients++;
    books->size = MAX(books->size, size);
    gcl_books_configure(books, agent->settings);
    return books;
}

void gcl_books_close(struct gcl_agent *agent, struct gcl_books *books) {
    if (--books->clients > 0)
        return;
    g_assert(books->all.taken == 0);
    g_queue_remove(&agent->books, books);
    g_hash_table_destroy(books->users);
    g_free(books);
}

static uint64_t user_limit(const struct gcl_books *books, const struct gcl_settings *settings,
                           uid_t user) {
    const struct gcl_share *share = gcl_settings_of(settings, user);
    return gcl_books_are_of_gpu(books) ? share->gpu_memory : share->memory;
}

struct gcl_account *gcl_books_of_user(struct gcl_books *books, const struct gcl_settings *settings,
                                      uid_t user) {
    struct gcl_account *account = g_hash_table_lookup(books->users, GUINT_TO_POINTER(user));
    if (!account) {
        account = g_new(struct gcl_account, 1);
        *account =
            (struct gcl_account){.limit = user_limit(books, settings, user), .parent = &books->all};
        g_hash_table_insert(books->users, GUINT_TO_POINTER(user), account);
    }
    return account;
}

uint64_t gcl_books_of_client(const struct gcl_books *books, const struct gcl_settings *settings,
                             uid_t user) {
    const struct gcl_share *share = gcl_settings_of(settings, user);
    return gcl_books_are_of_gpu(books) ? share->client_gpu_memory : share->client_memory;
}

void gcl_books_configure(struct gcl_books *books, const struct gcl_settings *settings) {
    GHashTableIter users;
    gpointer number, account;
    books->all.limit =
        gcl_books_are_of_gpu(books) ? MIN(books->size, settings->gpu_memory) : settings->memory;
    g_hash_table_iter_init(&users, books->users);
    while (g_hash_table_iter_next(&users, &number, &account))
        ((struct gcl_account *)account)->limit =
            user_limit(books, settings, GPOINTER_TO_UINT(number));
}
