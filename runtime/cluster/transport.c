// One UCX worker, one endpoint a node, one active message whose header is the control message.
//
// Settings that matter, each found by measuring: error handling has to be allowed for shared
// memory, or else local peers silently get TCP; TCP's segments have to be large. See
// choose_settings.
#include "transport.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <ucp/api/ucp.h>

#include "base/clock.h"
#include "base/log.h"
#include "cluster/secret.h"
#include "cluster/ucx_settings.h"

enum { MESSAGE_ID = 0, MAX_REFUSALS_LOGGED = 10 };
// An endpoint that isn't closed by then is left to UCX: its node may be stopped.
#define CLOSE_NS UINT64_C(200000000)

struct peer {
    ucp_ep_h endpoint;
    uint64_t token_in, token_out;
    bool is_lost;     // told to the owner, or about to be
    bool is_reported; // told to the owner
    char reason[64];
    char link[64];
};

// A send or receive under way. The control message has to stay until UCX is done with it.
struct request {
    gcl_transport_done done;
    void *context;
    uint8_t head[];
};

struct gcl_transport {
    struct gcl_transport_options options;
    ucp_context_h context;
    ucp_worker_h worker;
    ucp_address_t *address;
    size_t address_size;
    int descriptor;
    uint64_t refused;
    bool has_lost_peers; // that aren't reported yet
    struct peer *peers;
};

struct gcl_incoming {
    struct gcl_transport *transport;
    void *data;
    size_t size;
    bool is_rendezvous, is_taken;
};

static const char *describe(ucs_status_t status) {
    return ucs_status_string(status);
}

// Start and end.

enum { MAX_SETTINGS = 10 };

// UCX reads some settings as it starts and others as a worker is made.
static size_t choose_settings(const struct gcl_transport_options *options,
                              struct gcl_ucx_setting settings[MAX_SETTINGS]) {
    unsigned major, minor, release;
    ucp_get_version(&major, &minor, &release);
    bool has_user_timeout = major > 1 || minor >= 16; // unknown settings are warned about
    const struct gcl_ucx_setting chosen[MAX_SETTINGS] = {
        {.name = "UCX_POSIX_ERROR_HANDLING", .value = "y"},
        {.name = "UCX_TLS", .value = options->is_one_host ? "posix,cma,self" : NULL},
        {.name = "UCX_NET_DEVICES", .value = options->interface_names},
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

static ucs_status_t open_context(struct gcl_transport *t) {
    ucp_config_t *config;
    ucp_params_t parameters = {
        .field_mask = UCP_PARAM_FIELD_FEATURES | UCP_PARAM_FIELD_ESTIMATED_NUM_EPS |
                      UCP_PARAM_FIELD_MT_WORKERS_SHARED | UCP_PARAM_FIELD_NAME,
        // Not RMA: over TCP it would let whoever sends write anywhere.
        .features = UCP_FEATURE_AM | UCP_FEATURE_WAKEUP,
        .estimated_num_eps = t->options.count,
        .mt_workers_shared = 0,
        .name = "gcluster",
    };
    ucs_status_t status = ucp_config_read(NULL, NULL, &config);
    if (status != UCS_OK)
        return status;
    status = ucp_init(&parameters, config, &t->context);
    ucp_config_release(config);
    return status;
}

static ucs_status_t receive_message(void *arg, const void *header, size_t header_length, void *data,
                                    size_t length, const ucp_am_recv_param_t *param);

static ucs_status_t open_worker(struct gcl_transport *t) {
    ucp_worker_params_t parameters = {.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE,
                                      .thread_mode = UCS_THREAD_MODE_SERIALIZED};
    ucs_status_t status = ucp_worker_create(t->context, &parameters, &t->worker);
    if (status != UCS_OK)
        return status;
    ucp_am_handler_param_t handler = {
        .field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_FLAGS |
                      UCP_AM_HANDLER_PARAM_FIELD_CB | UCP_AM_HANDLER_PARAM_FIELD_ARG,
        .id = MESSAGE_ID,
        .flags = UCP_AM_FLAG_WHOLE_MSG,
        .cb = receive_message,
        .arg = t,
    };
    status = ucp_worker_set_am_recv_handler(t->worker, &handler);
    if (status == UCS_OK)
        status = ucp_worker_get_efd(t->worker, &t->descriptor);
    if (status == UCS_OK)
        status = ucp_worker_get_address(t->worker, &t->address, &t->address_size);
    return status;
}

// UCX doesn't tell when that is what it lacks.
static const char *room_for_shared_memory(void) {
    static char text[64];
    struct statvfs status;
    if (statvfs("/dev/shm", &status) != 0)
        return "; there is no /dev/shm";
    snprintf(text, sizeof text, "; %llu KiB are free in /dev/shm",
             (unsigned long long)status.f_bavail * status.f_frsize >> 10);
    return text;
}

struct gcl_transport *gcl_transport_create(const struct gcl_transport_options *options) {
    struct gcl_transport *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->options = *options;
    t->peers = calloc(options->count, sizeof t->peers[0]);
    if (!t->peers)
        goto destroy;
    for (gcl_node n = 0; n < options->count; n++) {
        t->peers[n].token_in = gcl_secret_token(options->secret, n, options->self);
        t->peers[n].token_out = gcl_secret_token(options->secret, options->self, n);
    }
    struct gcl_ucx_setting settings[MAX_SETTINGS];
    size_t count = choose_settings(options, settings);
    gcl_ucx_settings_apply(settings, count);
    ucs_status_t status = open_context(t);
    if (status == UCS_OK)
        status = open_worker(t);
    gcl_ucx_settings_remove(settings, count);
    if (status == UCS_OK)
        return t;
    gcl_log(GCL_LOG_ERROR, "UCX can't be started: %s%s", describe(status),
            room_for_shared_memory());
destroy:
    gcl_transport_destroy(t);
    return NULL;
}

static void wait_for(struct gcl_transport *t, ucs_status_ptr_t request) {
    if (!UCS_PTR_IS_PTR(request))
        return;
    uint64_t end_ns = gcl_clock_ns() + CLOSE_NS;
    while (ucp_request_check_status(request) == UCS_INPROGRESS && gcl_clock_ns() < end_ns)
        ucp_worker_progress(t->worker);
    ucp_request_free(request);
}

static void close_endpoint(struct gcl_transport *t, struct peer *peer) {
    ucp_request_param_t parameters = {.op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS,
                                      .flags = UCP_EP_CLOSE_FLAG_FORCE};
    if (peer->endpoint)
        wait_for(t, ucp_ep_close_nbx(peer->endpoint, &parameters));
    peer->endpoint = NULL;
}

void gcl_transport_destroy(struct gcl_transport *t) {
    if (!t)
        return;
    t->options.handler = NULL; // what still arrives is dropped
    t->options.lost = NULL;
    for (gcl_node n = 0; t->peers && n < t->options.count; n++)
        close_endpoint(t, &t->peers[n]);
    if (t->address)
        ucp_worker_release_address(t->worker, t->address);
    if (t->worker)
        ucp_worker_destroy(t->worker);
    if (t->context)
        ucp_cleanup(t->context);
    free(t->peers);
    free(t);
}

const void *gcl_transport_address(const struct gcl_transport *t, size_t *size) {
    *size = t->address_size;
    return t->address;
}

// Connections.

// Called by UCX in the middle of its work: the owner hears of it later.
static void lose(void *arg, ucp_ep_h endpoint, ucs_status_t status) {
    struct gcl_transport *t = arg;
    for (gcl_node n = 0; n < t->options.count; n++) {
        struct peer *peer = &t->peers[n];
        if (peer->endpoint != endpoint || peer->is_lost)
            continue;
        peer->is_lost = true;
        snprintf(peer->reason, sizeof peer->reason, "%s", describe(status));
        t->has_lost_peers = true;
    }
}

static void report_lost(struct gcl_transport *t) {
    t->has_lost_peers = false;
    for (gcl_node n = 0; n < t->options.count; n++) {
        struct peer *peer = &t->peers[n];
        if (!peer->is_lost || peer->is_reported)
            continue;
        peer->is_reported = true;
        close_endpoint(t, peer);
        if (t->options.lost)
            t->options.lost(t->options.context, n, peer->reason);
    }
}

void gcl_transport_abandon(struct gcl_transport *t, gcl_node node) {
    struct peer *peer = &t->peers[node];
    if (peer->is_reported)
        return;
    peer->is_lost = peer->is_reported = true;
    close_endpoint(t, peer);
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

enum gcl_status gcl_transport_connect(struct gcl_transport *t, gcl_node node, const void *address) {
    struct peer *peer = &t->peers[node];
    ucp_ep_params_t parameters = {
        .field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS | UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE |
                      UCP_EP_PARAM_FIELD_ERR_HANDLER,
        .address = address,
        .err_mode = UCP_ERR_HANDLING_MODE_PEER,
        .err_handler = {.cb = lose, .arg = t},
    };
    ucs_status_t status = ucp_ep_create(t->worker, &parameters, &peer->endpoint);
    if (status != UCS_OK) {
        gcl_log(GCL_LOG_ERROR, "UCX can't reach node %u: %s", node, describe(status));
        peer->endpoint = NULL;
        return GCL_SYSTEM;
    }
    find_link(peer);
    return GCL_OK;
}

const char *gcl_transport_link(const struct gcl_transport *t, gcl_node node) {
    return t->peers[node].link;
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

void gcl_transport_send(struct gcl_transport *t, gcl_node to,
                        const struct gcl_wire_message *message, const void *payload, size_t size,
                        gcl_transport_done done, void *context) {
    uint8_t head[GCL_WIRE_MAX_SIZE];
    struct peer *peer = &t->peers[to];
    struct gcl_wire_message copy = *message;

    copy.from = t->options.self;
    copy.token = peer->token_out;
    size_t head_size = gcl_wire_write(&copy, head, sizeof head);
    assert(head_size > 0);
    struct request *request = create_request(head_size, done, context);
    if (!request)
        return;
    memcpy(request->head, head, head_size);
    if (!peer->endpoint || peer->is_lost) {
        finish(request, UCS_ERR_UNREACHABLE);
        return;
    }
    ucp_request_param_t parameters = {
        .op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA,
        .cb.send = sent,
        .user_data = request,
    };
    check_started(request, ucp_am_send_nbx(peer->endpoint, MESSAGE_ID, request->head, head_size,
                                           payload, size, &parameters));
}

// Receiving.

static void refuse(struct gcl_transport *t, const char *why) {
    if (++t->refused <= MAX_REFUSALS_LOGGED)
        gcl_log(GCL_LOG_WARN, "a message was refused: %s%s", why,
                t->refused == MAX_REFUSALS_LOGGED ? " (no more of these are shown)" : "");
}

// The token comes first: of a message from outside of the job nothing else is looked at.
static bool is_authentic(const struct gcl_transport *t, const uint8_t *head, size_t size) {
    struct gcl_wire_message message;
    if (!gcl_wire_read_head(head, size, &message) || message.from >= t->options.count)
        return false;
    return gcl_secret_equal(&message.token, &t->peers[message.from].token_in, sizeof message.token);
}

static ucs_status_t receive_message(void *arg, const void *header, size_t header_length, void *data,
                                    size_t length, const ucp_am_recv_param_t *param) {
    struct gcl_transport *t = arg;
    struct gcl_wire_message message;
    struct gcl_incoming payload = {
        .transport = t,
        .data = data,
        .size = length,
        .is_rendezvous = (param->recv_attr & UCP_AM_RECV_ATTR_FLAG_RNDV) != 0,
    };
    if (!t->options.handler)
        return UCS_OK;
    if (!is_authentic(t, header, header_length)) {
        refuse(t, "it doesn't come from this job");
        return UCS_OK;
    }
    const char *wrong = gcl_wire_read(header, header_length, &message);
    if (wrong) {
        refuse(t, wrong);
        return UCS_OK;
    }
    t->options.handler(t->options.context, &message, length > 0 ? &payload : NULL);
    return payload.is_taken && payload.is_rendezvous ? UCS_INPROGRESS : UCS_OK;
}

size_t gcl_incoming_size(const struct gcl_incoming *payload) {
    return payload->size;
}

static void received(void *ucx_request, ucs_status_t status, size_t length, void *user_data) {
    (void)length;
    finish(user_data, status);
    ucp_request_free(ucx_request);
}

void gcl_incoming_receive(struct gcl_incoming *payload, void *buffer, gcl_transport_done done,
                          void *context) {
    assert(!payload->is_taken);
    payload->is_taken = true;
    if (!payload->is_rendezvous) {
        memcpy(buffer, payload->data, payload->size);
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
        .op_attr_mask =
            UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA | UCP_OP_ATTR_FLAG_NO_IMM_CMPL,
        .cb.recv_am = received,
        .user_data = request,
    };
    ucs_status_ptr_t started = ucp_am_recv_data_nbx(payload->transport->worker, payload->data,
                                                    buffer, payload->size, &parameters);
    check_started(request, started);
}

// Progress.

bool gcl_transport_progress(struct gcl_transport *t) {
    bool has_worked = ucp_worker_progress(t->worker) > 0;
    if (t->has_lost_peers)
        report_lost(t);
    return has_worked;
}

int gcl_transport_descriptor(const struct gcl_transport *t) {
    return t->descriptor;
}

bool gcl_transport_arm(struct gcl_transport *t) {
    return !t->has_lost_peers && ucp_worker_arm(t->worker) == UCS_OK;
}

uint64_t gcl_transport_refused(const struct gcl_transport *t) {
    return t->refused;
}
