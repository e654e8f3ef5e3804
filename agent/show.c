#include "show.h"

#include <errno.h>
#include <pwd.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/agent_wire.h"
#include "base/bytes_text.h"

#define SHOW_ERROR g_quark_from_static_string("gcluster-agent-show")

static json_t *ask(int socket) {
    const struct timeval patience = {.tv_sec = 5};
    struct gcl_agent_message answer, question = gcl_agent_message(GCL_AGENT_ASK, NULL);
    int files[GCL_AGENT_FILES];
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (!gcl_agent_send(socket, &question, NULL, 0) ||
        !gcl_agent_receive(socket, false, &answer, files))
        return NULL;
    json_t *said = files[0] >= 0 ? json_loadfd(files[0], 0, NULL) : NULL;
    for (size_t i = 0; i < GCL_AGENT_FILES; i++) {
        if (files[i] >= 0)
            close(files[i]);
    }
    return said;
}

json_t *gcl_show_ask(const char *path, GError **error) {
    int socket = gcl_agent_connect(path);
    if (socket < 0) {
        g_set_error(error, SHOW_ERROR, 0, "%s: %s", path,
                    errno == EPERM ? "who listens there is neither root nor this user"
                                   : g_strerror(errno));
        return NULL;
    }
    json_t *said = ask(socket);
    close(socket);
    if (!json_is_object(said)) {
        json_decref(said);
        g_set_error(error, SHOW_ERROR, 0, "%s: who listens there doesn't answer as gclusterd does",
                    path);
        return NULL;
    }
    return said;
}

static double number_of(json_t *object, const char *name) {
    return json_number_value(json_object_get(object, name));
}

static const char *text_of(json_t *object, const char *name) {
    const char *text = json_string_value(json_object_get(object, name));
    return text ? text : "?";
}

/// A program as it was before. NULL: it is new.
static json_t *find(json_t *said, json_t *client) {
    size_t i;
    json_t *other;
    json_array_foreach(json_object_get(said, "clients"), i, other) {
        if (json_equal(json_object_get(other, "process"), json_object_get(client, "process")))
            return other;
    }
    return NULL;
}

/// What part of the time it has computed, as text.
static char *use_of(json_t *client, json_t *before, double elapsed_us) {
    json_t *earlier = before ? find(before, client) : NULL;
    if (!earlier || elapsed_us <= 0)
        return g_strdup("");
    double busy_ns = number_of(client, "busy_ns") - number_of(earlier, "busy_ns");
    return g_strdup_printf("%.0f %%", busy_ns / elapsed_us / 10);
}

static char *user_of(json_t *client) {
    uid_t number = (uid_t)number_of(client, "user");
    const struct passwd *entry = getpwuid(number);
    return entry ? g_strdup(entry->pw_name) : g_strdup_printf("%u", (unsigned)number);
}

static void add_client(GString *table, json_t *client, json_t *before, double elapsed_us) {
    g_autofree char *use = use_of(client, before, elapsed_us), *user = user_of(client);
    const char *state = text_of(client, "state");
    gboolean waits = g_str_equal(state, "waits");
    g_string_append_printf(
        table, "%9.0f  %-12.12s %-20.20s %-12.12s %10s %9.2f s %6s %7.0f  %s\n",
        number_of(client, "process"), user, text_of(client, "name"), text_of(client, "device"),
        gcl_bytes_text(number_of(client, waits ? "wanted" : "memory")).text,
        number_of(client, "busy_ns") * 1e-9, use, number_of(client, "weight"), state);
}

/// What of each device's memory is taken.
static void add_devices(GString *table, json_t *devices) {
    size_t i;
    json_t *device;
    json_array_foreach(devices, i, device) {
        if (i > 0)
            g_string_append_printf(table, "; %s: ", text_of(device, "name"));
        g_string_append_printf(table, "%s of %s", gcl_bytes_text(number_of(device, "taken")).text,
                               gcl_bytes_text(number_of(device, "memory")).text);
    }
    g_string_append(table, " of memory taken\n");
}

char *gcl_show_table(json_t *now, json_t *before) {
    GString *table = g_string_new(NULL);
    size_t i;
    json_t *client, *clients = json_object_get(now, "clients");
    double elapsed_us = before ? number_of(now, "time_us") - number_of(before, "time_us") : 0;
    g_string_append_printf(table, "%zu programs, of which %.0f wait; ", json_array_size(clients),
                           number_of(now, "waiting"));
    add_devices(table, json_object_get(now, "devices"));
    if (json_array_size(clients) > 0)
        g_string_append_printf(table, "%9s  %-12s %-20s %-12s %10s %11s %6s %7s  %s\n", "process",
                               "user", "program", "device", "memory", "computed", "use", "weight",
                               "");
    json_array_foreach(clients, i, client) add_client(table, client, before, elapsed_us);
    return g_string_free(table, FALSE);
}
