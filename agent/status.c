#include "status.h"

#include <jansson.h>
#include <sys/mman.h>
#include <unistd.h>

#include "books.h"
#include "client.h"

static const char *state_of(const struct gcl_client *client) {
    return client->state == GCL_CLIENT_WAITING   ? "waits"
           : gcl_books_are_of_gpu(client->books) ? "has its GPU by the driver"
           : client->is_overdue                  ? "overdue"
           : client->has_turn                    ? "has the device"
           : gcl_lease_is_wanted(client->lease)  ? "wants the device"
                                                 : "idle";
}

/// The beginning of a GPU's UUID, as nvidia-smi shows it; "CPU" for that.
static char *name_of(const struct gcl_books *books) {
    const unsigned char *gpu = books->gpu;
    return gcl_books_are_of_gpu(books)
               ? g_strdup_printf("GPU-%02x%02x%02x%02x", gpu[0], gpu[1], gpu[2], gpu[3])
               : g_strdup("CPU");
}

static json_t *describe(const struct gcl_client *client, int64_t now_us) {
    int weight = (int)gcl_settings_of(client->agent->settings, client->peer.uid)->weight;
    g_autofree char *device = name_of(client->books);
    return json_pack("{s:i, s:I, s:s, s:s, s:s, s:I, s:I, s:I, s:i, s:I}", "process",
                     (int)client->peer.pid, "user", (json_int_t)client->peer.uid, "name",
                     client->name, "device", device, "state", state_of(client), "memory",
                     (json_int_t)client->account.taken, "wanted", (json_int_t)client->wanted,
                     "busy_ns", (json_int_t)gcl_client_busy(client), "weight", weight, "since_us",
                     (json_int_t)(now_us - client->since_us));
}

static json_t *describe_clients(const struct gcl_agent *agent, int64_t now_us) {
    json_t *clients = json_array();
    for (const GList *at = agent->clients.head; at; at = at->next) {
        const struct gcl_client *client = at->data;
        if (client->state != GCL_CLIENT_NEW)
            json_array_append_new(clients, describe(client, now_us));
    }
    return clients;
}

static json_t *describe_devices(const struct gcl_agent *agent) {
    json_t *devices = json_array();
    for (const GList *at = agent->books.head; at; at = at->next) {
        const struct gcl_books *books = at->data;
        g_autofree char *name = name_of(books);
        json_array_append_new(devices, json_pack("{s:s, s:I, s:I}", "name", name, "memory",
                                                 (json_int_t)books->all.limit, "taken",
                                                 (json_int_t)books->all.taken));
    }
    return devices;
}

static json_t *describe_all(const struct gcl_agent *agent) {
    int64_t now_us = g_get_monotonic_time();
    return json_pack("{s:o, s:i, s:I, s:I, s:o}", "devices", describe_devices(agent), "waiting",
                     (int)g_queue_get_length((GQueue *)&agent->line), "refused",
                     (json_int_t)agent->refused, "time_us", (json_int_t)now_us, "clients",
                     describe_clients(agent, now_us));
}

void gcl_status_send(const struct gcl_agent *agent, int socket) {
    const struct gcl_agent_message answer = gcl_agent_message(GCL_AGENT_STATUS, NULL);
    json_t *all = describe_all(agent);
    int file = memfd_create("gclusterd-status", MFD_CLOEXEC);
    if (file >= 0 && all && json_dumpfd(all, file, JSON_COMPACT) == 0 &&
        lseek(file, 0, SEEK_SET) == 0)
        gcl_agent_send(socket, &answer, &file, 1);
    if (file >= 0)
        close(file);
    json_decref(all);
}
