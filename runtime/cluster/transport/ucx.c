// One UCX worker, one endpoint a node, one active message whose header is the control message.
//
// UCX's TCP obeys requests to write into memory (PUT) of whoever sends them, whatever features were
// asked for, and its port is open to all. So without a trusted network UCX gets shared memory and
// InfiniBand's transports, where a queue pair has to be known, and starting it with TCP is an
// error.
//
// Settings that matter, each found by measuring: error handling has to be allowed for shared
// memory, or else local peers silently get TCP; TCP's segments have to be large. See
// choose_settings.
//
// All memory that UCX sees is the host's, and it is told so: one that knows CUDA would ask the
// driver about each address.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <ucp/api/ucp.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/setting.h"
#include "cluster/transport/carrier.h"

enum { MESSAGE_ID = 0 };
// An endpoint that isn't closed by then is left to UCX: its node may be stopped.
#define CLOSE_NS UINT64_C(200000000)

struct peer {
    ucp_ep_h endpoint;
    char link[64];
};

// A send or receive under way. The control message has to stay until UCX is done with it.
struct request {
    gcl_transport_done done;
    void *context;
    uint8_t head[];
};

struct ucx {
    struct gcl_carrier carrier;
    struct gcl_carrier_options options;
    gcl_node count;
    bool is_closing; // what still arrives is dropped
    ucp_context_h context;
    ucp_worker_h worker;
    ucp_address_t *address;
    size_t address_size;
    int descriptor;
    bool has_network;
    struct peer *peers;
};

struct incoming {
    struct gcl_incoming payload;
    struct ucx *ucx;
    void *data;
    bool is_rendezvous;
};

static struct ucx *of(struct gcl_carrier *carrier) {
    return (struct ucx *)(void *)carrier;
}

static const struct ucx *view(const struct gcl_carrier *carrier) {
    return (const struct ucx *)(const void *)carrier;
}

static const char *describe(ucs_status_t status) {
    return ucs_status_string(status);
}

// Start and end.

enum { MAX_SETTINGS = 11, MAX_DEVICES_SIZE = 512 };

static bool all_share_memory(const struct gcl_transport_options *options) {
    for (gcl_node n = 0; n < options->count; n++) {
        if (!options->shares_memory[n])
            return false;
    }
    return true;
}

/// What UCX may use of the network, where not all of it: the card near this node's cores, and for
/// TCP the interface by which others reach it.
static const char *choose_devices(const struct gcl_transport_options *options,
                                  char text[MAX_DEVICES_SIZE]) {
    const char *interface = options->is_network_trusted ? options->interface_names : NULL;
    if (!options->card_name)
        return interface;
    snprintf(text, MAX_DEVICES_SIZE, "%s%s%s", options->card_name, interface ? "," : "",
             interface ? interface : "");
    return text;
}

// UCX reads some settings as it starts and others as a worker is made.
static size_t choose_settings(const struct gcl_transport_options *options,
                              struct gcl_setting settings[MAX_SETTINGS],
                              char devices[MAX_DEVICES_SIZE]) {
    unsigned major, minor, release;
    ucp_get_version(&major, &minor, &release);
    bool has_user_timeout = major > 1 || minor >= 16; // unknown settings are warned about
    bool is_trusted = options->is_network_trusted;
    const char *beyond_host = is_trusted ? NULL : "posix,cma,self,ib";
    const struct gcl_setting chosen[MAX_SETTINGS] = {
        {.name = "UCX_POSIX_ERROR_HANDLING", .value = "y"},
        // At first; 512, of 8 KiB each, are written to before they are used.
        {.name = "UCX_POSIX_RX_BUFS_GROW", .value = "32"},
        {.name = "UCX_TLS", .value = all_share_memory(options) ? "posix,cma,self" : beyond_host},
        {.name = "UCX_NET_DEVICES", .value = choose_devices(options, devices)},
        {.name = "UCX_TCP_TX_SEG_SIZE", .value = "512k"},
        {.name = "UCX_TCP_RX_SEG_SIZE", .value = "512k"},
        {.name = "UCX_KEEPALIVE_INTERVAL", .value = "1s"},
        {.name = "UCX_TCP_KEEPIDLE", .value = "1s"},
        {.name = "UCX_TCP_KEEPINTVL", .value = "1s"},
        {.name = "UCX_TCP_KEEPCNT", .value = "3"},
        {.name = "UCX_TCP_USER_TIMEOUT", .value = has_user_timeout ? "3s" : NULL},
    };
    memcpy(settings, chosen, sizeof chosen);
    return MAX_SETTINGS;
}

static ucs_status_t open_context(struct ucx *u) {
    ucp_config_t *config;
    ucp_params_t parameters = {
        .field_mask = UCP_PARAM_FIELD_FEATURES | UCP_PARAM_FIELD_ESTIMATED_NUM_EPS |
                      UCP_PARAM_FIELD_MT_WORKERS_SHARED | UCP_PARAM_FIELD_NAME,
        .features = UCP_FEATURE_AM | UCP_FEATURE_WAKEUP,
        .estimated_num_eps = u->count,
        .mt_workers_shared = 0,
        .name = "gcluster",
    };
    ucs_status_t status = ucp_config_read(NULL, NULL, &config);
    if (status != UCS_OK)
        return status;
    status = ucp_init(&parameters, config, &u->context);
    ucp_config_release(config);
    return status;
}

struct resources {
    bool has_tcp, has_fabric;
};

static bool begins_with(const char *text, const char *begin) {
    return strncmp(text, begin, strlen(begin)) == 0;
}

// UCX 1.13 tells what it found only in its description for people, one a line:
// "#      resource 2  :  md 1  dev 2  flags -- tcp/eth0".
static struct resources find_resources(ucp_context_h context) {
    struct resources found = {.has_tcp = false};
    char *text = NULL, *rest = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return (struct resources){.has_tcp = true}; // nobody knows
    ucp_context_print_info(context, stream);
    fclose(stream);
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        const char *name = strrchr(line, ' ');
        if (!name || !strstr(line, "resource "))
            continue;
        found.has_tcp |= begins_with(name + 1, "tcp/");
        found.has_fabric |= begins_with(name + 1, "rc_") || begins_with(name + 1, "ud_") ||
                            begins_with(name + 1, "dc_");
    }
    free(text);
    return found;
}

// Before there is a worker, which opens ports.
static bool check_resources(struct ucx *u) {
    struct resources found = find_resources(u->context);
    const char *chosen = getenv("UCX_TLS");
    bool is_trusted = u->options.transport->is_network_trusted;
    u->has_network = is_trusted || found.has_fabric;
    if (is_trusted || !found.has_tcp)
        return true;
    gcl_log(GCL_LOG_ERROR,
            "UCX_TLS=%s lets UCX open TCP ports, and whoever reaches them can write into the "
            "program's memory: leave tcp out, or set GCL_TRUSTED_NETWORK=1 where nobody else "
            "reaches this host's ports",
            chosen ? chosen : "");
    return false;
}

static ucs_status_t receive_message(void *arg, const void *header, size_t header_length, void *data,
                                    size_t length, const ucp_am_recv_param_t *param);

static ucs_status_t open_worker(struct ucx *u) {
    ucp_worker_params_t parameters = {.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE,
                                      .thread_mode = UCS_THREAD_MODE_SERIALIZED};
    ucs_status_t status = ucp_worker_create(u->context, &parameters, &u->worker);
    if (status != UCS_OK)
        return status;
    ucp_am_handler_param_t handler = {
        .field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_FLAGS |
                      UCP_AM_HANDLER_PARAM_FIELD_CB | UCP_AM_HANDLER_PARAM_FIELD_ARG,
        .id = MESSAGE_ID,
        .flags = UCP_AM_FLAG_WHOLE_MSG,
        .cb = receive_message,
        .arg = u,
    };
    status = ucp_worker_set_am_recv_handler(u->worker, &handler);
    if (status == UCS_OK)
        status = ucp_worker_get_efd(u->worker, &u->descriptor);
    if (status == UCS_OK)
        status = ucp_worker_get_address(u->worker, &u->address, &u->address_size);
    return status;
}

// UCX doesn't tell when it lacks room for shared memory.
static const char *room_for_shared_memory(void) {
    static char text[64];
    struct statvfs status;
    if (statvfs("/dev/shm", &status) != 0)
        return "; there is no /dev/shm";
    snprintf(text, sizeof text, "; %llu KiB are free in /dev/shm",
             (unsigned long long)status.f_bavail * status.f_frsize >> 10);
    return text;
}

static bool start(struct ucx *u) {
    struct gcl_setting settings[MAX_SETTINGS];
    char devices[MAX_DEVICES_SIZE];
    size_t count = choose_settings(u->options.transport, settings, devices);
    gcl_settings_apply(settings, count);
    ucs_status_t status = open_context(u);
    bool is_allowed = status != UCS_OK || check_resources(u);
    if (status == UCS_OK && is_allowed)
        status = open_worker(u);
    gcl_settings_remove(settings, count);
    if (status != UCS_OK)
        gcl_log(GCL_LOG_ERROR, "UCX can't be started: %s%s", describe(status),
                room_for_shared_memory());
    return status == UCS_OK && is_allowed;
}

static void wait_for(struct ucx *u, ucs_status_ptr_t request) {
    if (!UCS_PTR_IS_PTR(request))
        return;
    uint64_t end_ns = gcl_clock_ns() + CLOSE_NS;
    while (ucp_request_check_status(request) == UCS_INPROGRESS && gcl_clock_ns() < end_ns)
        ucp_worker_progress(u->worker);
    ucp_request_free(request);
}

static void close_endpoint(struct ucx *u, struct peer *peer) {
    ucp_request_param_t parameters = {.op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS,
                                      .flags = UCP_EP_CLOSE_FLAG_FORCE};
    if (peer->endpoint)
        wait_for(u, ucp_ep_close_nbx(peer->endpoint, &parameters));
    peer->endpoint = NULL;
}

static void destroy(struct gcl_carrier *carrier) {
    struct ucx *u = of(carrier);
    u->is_closing = true;
    for (gcl_node n = 0; u->peers && n < u->count; n++)
        close_endpoint(u, &u->peers[n]);
    if (u->address)
        ucp_worker_release_address(u->worker, u->address);
    if (u->worker)
        ucp_worker_destroy(u->worker);
    if (u->context)
        ucp_cleanup(u->context);
    free(u->peers);
    free(u);
}

static const void *address(const struct gcl_carrier *carrier, size_t *size) {
    const struct ucx *u = view(carrier);
    *size = u->address_size;
    return u->address;
}

// Connections.

static void lose(void *arg, ucp_ep_h endpoint, ucs_status_t status) {
    struct ucx *u = arg;
    for (gcl_node n = 0; n < u->count && !u->is_closing; n++) {
        if (u->peers[n].endpoint == endpoint)
            u->options.lose(u->options.receiver, n, describe(status));
    }
}

static void abandon(struct gcl_carrier *carrier, gcl_node node) {
    close_endpoint(of(carrier), &of(carrier)->peers[node]);
}

// UCX 1.13 tells which transport it uses only in its description for people: the first lane's line,
// "#    lane[0]:  2:posix/memory.0 md[2] -> ...".
static void find_link(struct peer *peer) {
    char *text = NULL, resource[64] = "";
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    snprintf(peer->link, sizeof peer->link, "?");
    if (!stream)
        return;
    ucp_ep_print_info(peer->endpoint, stream);
    fclose(stream);
    const char *lane = text ? strstr(text, "lane[0]:") : NULL;
    if (lane && sscanf(lane, "lane[0]: %*u:%63s", resource) == 1) {
        char *dot = strrchr(resource, '.');
        if (dot)
            *dot = 0;
        snprintf(peer->link, sizeof peer->link, "%s", resource);
    }
    free(text);
}

static enum gcl_status connect_node(struct gcl_carrier *carrier, gcl_node node, const void *bytes,
                                    size_t size) {
    struct ucx *u = of(carrier);
    struct peer *peer = &u->peers[node];
    ucp_ep_params_t parameters = {
        .field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS | UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE |
                      UCP_EP_PARAM_FIELD_ERR_HANDLER,
        .address = bytes,
        .err_mode = UCP_ERR_HANDLING_MODE_PEER,
        .err_handler = {.cb = lose, .arg = u},
    };
    ucs_status_t status =
        size > 0 ? ucp_ep_create(u->worker, &parameters, &peer->endpoint) : UCS_ERR_INVALID_ADDR;
    if (status != UCS_OK) {
        gcl_log(GCL_LOG_ERROR, "UCX can't reach node %u: %s", node, describe(status));
        peer->endpoint = NULL;
        return GCL_SYSTEM;
    }
    find_link(peer);
    return GCL_OK;
}

static bool is_open(const struct gcl_carrier *carrier, gcl_node node) {
    return view(carrier)->peers[node].endpoint != NULL;
}

static const char *link_of(const struct gcl_carrier *carrier, gcl_node node) {
    return view(carrier)->peers[node].link;
}

// Sending.

static enum gcl_status status_of(ucs_status_t status) {
    return status == UCS_OK ? GCL_OK : GCL_SYSTEM;
}

static void finish(struct request *request, ucs_status_t status) {
    if (request->done)
        request->done(request->context, status_of(status));
    free(request);
}

static void sent(void *ucx_request, ucs_status_t status, void *user_data) {
    finish(user_data, status);
    ucp_request_free(ucx_request);
}

// What UCX finished on the spot has no callback.
static void check_started(struct request *request, ucs_status_ptr_t ucx_request) {
    if (!UCS_PTR_IS_PTR(ucx_request))
        finish(request, UCS_PTR_STATUS(ucx_request));
}

static struct request *create_request(size_t head_size, gcl_transport_done done, void *context) {
    struct request *request = malloc(sizeof *request + head_size);
    if (!request) {
        gcl_log(GCL_LOG_ERROR, "no memory for a message");
        if (done)
            done(context, GCL_NO_MEMORY);
        return NULL;
    }
    request->done = done;
    request->context = context;
    return request;
}

static void send_message(struct gcl_carrier *carrier, gcl_node to, const uint8_t *head,
                         size_t head_size, const struct gcl_outgoing *payload) {
    struct peer *peer = &of(carrier)->peers[to];
    struct request *request = create_request(head_size, payload->done, payload->context);
    if (!request)
        return;
    memcpy(request->head, head, head_size);
    if (!peer->endpoint) {
        finish(request, UCS_ERR_UNREACHABLE);
        return;
    }
    ucp_request_param_t parameters = {
        .op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA |
                        UCP_OP_ATTR_FIELD_MEMORY_TYPE,
        .cb.send = sent,
        .user_data = request,
        .memory_type = UCS_MEMORY_TYPE_HOST,
    };
    check_started(request, ucp_am_send_nbx(peer->endpoint, MESSAGE_ID, request->head, head_size,
                                           payload->payload, payload->size, &parameters));
}

// Receiving.

static void received(void *ucx_request, ucs_status_t status, size_t length, void *user_data) {
    (void)length;
    finish(user_data, status);
    ucp_request_free(ucx_request);
}

static void receive_payload(struct gcl_incoming *payload, void *buffer, gcl_transport_done done,
                            void *context) {
    struct incoming *incoming = (struct incoming *)(void *)payload;
    if (!incoming->is_rendezvous) {
        memcpy(buffer, incoming->data, payload->size);
        if (done)
            done(context, GCL_OK);
        return;
    }
    struct request *request = create_request(0, done, context);
    if (!request) {
        payload->is_taken = false;
        return;
    }
    ucp_request_param_t parameters = {
        .op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA |
                        UCP_OP_ATTR_FIELD_MEMORY_TYPE | UCP_OP_ATTR_FLAG_NO_IMM_CMPL,
        .cb.recv_am = received,
        .user_data = request,
        .memory_type = UCS_MEMORY_TYPE_HOST,
    };
    ucs_status_ptr_t started = ucp_am_recv_data_nbx(incoming->ucx->worker, incoming->data, buffer,
                                                    payload->size, &parameters);
    check_started(request, started);
}

static ucs_status_t receive_message(void *arg, const void *header, size_t header_length, void *data,
                                    size_t length, const ucp_am_recv_param_t *param) {
    struct ucx *u = arg;
    struct incoming incoming = {
        .payload = {.size = length, .receive = receive_payload},
        .ucx = u,
        .data = data,
        .is_rendezvous = (param->recv_attr & UCP_AM_RECV_ATTR_FLAG_RNDV) != 0,
    };
    if (u->is_closing)
        return UCS_OK;
    u->options.take(u->options.receiver, GCL_NO_NODE, header, header_length,
                    length > 0 ? &incoming.payload : NULL);
    return incoming.payload.is_taken && incoming.is_rendezvous ? UCS_INPROGRESS : UCS_OK;
}

// Progress.

static bool progress(struct gcl_carrier *carrier) {
    return ucp_worker_progress(of(carrier)->worker) > 0;
}

static int descriptor(const struct gcl_carrier *carrier) {
    return view(carrier)->descriptor;
}

static bool arm(struct gcl_carrier *carrier) {
    return ucp_worker_arm(of(carrier)->worker) == UCS_OK;
}

static const struct gcl_carrier_calls calls = {
    .destroy = destroy,
    .address = address,
    .connect = connect_node,
    .is_open = is_open,
    .link = link_of,
    .send = send_message,
    .abandon = abandon,
    .progress = progress,
    .descriptor = descriptor,
    .arm = arm,
};

struct gcl_carrier *gcl_ucx_create(const struct gcl_carrier_options *options) {
    struct ucx *u = calloc(1, sizeof *u);
    if (!u)
        return NULL;
    u->carrier.calls = &calls;
    u->options = *options;
    u->count = options->transport->count;
    u->peers = calloc(u->count, sizeof u->peers[0]);
    if (u->peers && start(u))
        return &u->carrier;
    destroy(&u->carrier);
    return NULL;
}

bool gcl_ucx_has_network(const struct gcl_carrier *ucx) {
    return view(ucx)->has_network;
}
