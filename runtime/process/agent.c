// The agent answers one question at a time, at once; a thread of its own hears when it ends. What
// memory the program has beside what is allocated is kept for what it allocates next, so that few
// allocations ask.
#include "process/agent.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/agent_wire.h"
#include "base/lease.h"
#include "base/log.h"
#include "exec/device/device.h"
#include "exec/engine/engine.h"
#include "exec/memory/space.h"
#include "process/resources.h"
#include "process/runtime.h"

enum {
    STEP = 2 << 20,  ///< bytes: what is taken and given back is a multiple of it
    KEPT = 4 * STEP, ///< that may be kept beside what is allocated
    SILENCE = 30,    ///< seconds: an agent answers sooner; `silent` says it, too
    LOOK_MS = 1000,  ///< between looks at whether the program waits for its turn
    LONG_WAIT = 60,  ///< seconds: turns are milliseconds
};

static struct {
    int socket; ///< -1: there is none
    const char *path;
    struct gcl_lease_end lease;
    bool is_of_gpu; ///< whose driver has programs take turns
    size_t limit;
    pthread_mutex_t lock; ///< of what follows, and of questions
    size_t taken, used;
    struct gcl_engine *engine; ///< NULL: nothing computes yet
    atomic_bool is_lost;       ///< of which the user was told
} agent = {.socket = -1, .lock = PTHREAD_MUTEX_INITIALIZER};

static bool is_attached(void) {
    return agent.socket >= 0;
}

size_t gcl_agent_memory(void) {
    return is_attached() ? agent.limit : SIZE_MAX;
}

const struct gcl_lease_end *gcl_agent_lease(void) {
    return is_attached() && !agent.is_of_gpu ? &agent.lease : NULL;
}

void gcl_agent_forget(void) {
    if (!is_attached())
        return;
    close(agent.socket);
    if (agent.lease.lease)
        close(agent.lease.bell);
    agent.socket = -1;
}

// The agent's end.

static const char ended[] = "has ended, or the connection";
static const char silent[] = "doesn't answer for 30 seconds";

/// Whoever notices it first tells it, before others go on.
static void lose(const char *what) {
    static pthread_mutex_t telling = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&telling);
    if (!atomic_exchange(&agent.is_lost, true)) {
        gcl_log(GCL_LOG_ERROR, "gclusterd at %s %s: this program has no device any more",
                agent.path, what);
        gcl_engine_fail(agent.engine, GCL_UNAVAILABLE);
        gcl_lease_close(&agent.lease);
    }
    pthread_mutex_unlock(&telling);
}

// Questions.

/// Asks, and receives the answer. False: the agent has ended, which a program that computes is
/// told.
static bool ask(const struct gcl_agent_message *question, struct gcl_agent_message *answer,
                int files[GCL_AGENT_FILES]) {
    if (gcl_agent_send(agent.socket, question, NULL, 0) &&
        gcl_agent_receive(agent.socket, false, answer, files))
        return true;
    bool is_silent = errno == EAGAIN || errno == EWOULDBLOCK;
    if (agent.engine)
        lose(is_silent ? silent : ended);
    else if (is_silent)
        gcl_log(GCL_LOG_ERROR, "gclusterd at %s %s", agent.path, silent);
    shutdown(agent.socket, SHUT_RDWR); // what it answers later answers another question
    return false;
}

/// What the agent gives of `bytes`, all or nothing; `*left`: what it could give besides.
static size_t ask_for_memory(enum gcl_agent_kind kind, size_t bytes, size_t *left) {
    struct gcl_agent_message answer, question = gcl_agent_message(kind, NULL);
    int files[GCL_AGENT_FILES];
    question.bytes = bytes;
    *left = 0;
    if (!ask(&question, &answer, files))
        return 0;
    if (answer.kind == GCL_AGENT_REFUSED)
        gcl_log(GCL_LOG_ERROR, "gclusterd ends the connection: %s", answer.text);
    if (answer.kind != GCL_AGENT_MEMORY || answer.bytes > bytes)
        return 0;
    *left = answer.total;
    return answer.bytes;
}

static size_t round_up(size_t size) {
    return (size + STEP - 1) / STEP * STEP;
}

static enum gcl_status take(void *context, size_t size) {
    (void)context;
    pthread_mutex_lock(&agent.lock);
    assert(agent.taken >= agent.used);
    size_t left, kept = agent.taken - agent.used;
    size_t lacking = size > kept ? size - kept : 0;
    if (lacking > 0) {
        size_t got = ask_for_memory(GCL_AGENT_TAKE, round_up(lacking), &left);
        if (got == 0 && left >= lacking) // what is left is no multiple
            got = ask_for_memory(GCL_AGENT_TAKE, lacking, &left);
        agent.taken += got;
        if (got < lacking)
            gcl_log(GCL_LOG_INFO, "%zu bytes asked for, gclusterd has %zu for this program", size,
                    left + kept);
    }
    bool is_there = agent.taken - agent.used >= size;
    agent.used += is_there ? size : 0;
    pthread_mutex_unlock(&agent.lock);
    return is_there ? GCL_OK : atomic_load(&agent.is_lost) ? GCL_UNAVAILABLE : GCL_NO_MEMORY;
}

static void give(void *context, size_t size) {
    size_t left;
    (void)context;
    pthread_mutex_lock(&agent.lock);
    assert(agent.used >= size);
    agent.used -= size;
    size_t kept = agent.taken - agent.used;
    if (kept > KEPT) {
        agent.taken -= kept - STEP;
        ask_for_memory(GCL_AGENT_GIVE, kept - STEP, &left);
    }
    pthread_mutex_unlock(&agent.lock);
}

static size_t left(void *context) {
    size_t left;
    (void)context;
    pthread_mutex_lock(&agent.lock);
    ask_for_memory(GCL_AGENT_TAKE, 0, &left);
    left += agent.taken - agent.used;
    pthread_mutex_unlock(&agent.lock);
    return left;
}

/// Waits until the agent ends, or lets the program wait for longer than turns are.
static void *watch(void *argument) {
    sigset_t signals;
    unsigned waited = 0;
    uint64_t busy_ns = 0; // at the last look
    (void)argument;
    sigfillset(&signals);
    pthread_sigmask(SIG_SETMASK, &signals, NULL);
    pthread_setname_np(pthread_self(), "gcl-agent");
    struct pollfd poller = {.fd = agent.socket, .events = POLLRDHUP};
    while (waited < LONG_WAIT * 1000 / LOOK_MS) {
        int count = poll(&poller, 1, LOOK_MS);
        if (count > 0 || (count < 0 && errno != EINTR)) {
            lose(ended);
            return NULL;
        }
        uint64_t now_ns = atomic_load(&agent.lease.lease->busy_ns);
        bool still_waits = gcl_lease_is_wanted(agent.lease.lease) && now_ns == busy_ns;
        waited = still_waits ? waited + 1 : 0;
        busy_ns = now_ns;
    }
    lose("hasn't let this program compute for a minute");
    return NULL;
}

bool gcl_agent_begin(struct gcl_runtime *r) {
    pthread_t thread;
    if (!is_attached())
        return true;
    agent.engine = r->engine;
    if (r->env.memory == 0)
        gcl_space_borrow(r->space,
                         &(struct gcl_space_lender){.take = take, .give = give, .left = left});
    if (pthread_create(&thread, NULL, watch, NULL) != 0) {
        gcl_log(GCL_LOG_ERROR, "no thread to hear from gclusterd");
        return false;
    }
    pthread_detach(thread);
    return true;
}

// Attaching.

/// Maps the page of a lease, if it is one that can't become smaller.
static struct gcl_lease *map_lease(int file) {
    struct stat status;
    int seals = fcntl(file, F_GET_SEALS);
    if (seals < 0 || !(seals & F_SEAL_SHRINK) || fstat(file, &status) != 0 ||
        status.st_size != GCL_AGENT_PAGE)
        return NULL;
    void *page = mmap(NULL, GCL_AGENT_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    return page == MAP_FAILED ? NULL : page;
}

/// Takes what the agent has for a program that it lets in. False: it isn't an agent's.
static bool enter(const struct gcl_agent_message *welcome, const int files[GCL_AGENT_FILES]) {
    agent.lease = (struct gcl_lease_end){.lease = map_lease(files[0]), .bell = files[1]};
    agent.limit = welcome->total;
    agent.taken = welcome->bytes;
    close(files[0]);
    return agent.lease.lease && agent.lease.bell >= 0;
}

enum entry { LET_IN, REFUSED, NOT_ANSWERED };

/// Waits to be let in. After a message if it isn't.
static enum entry await_welcome(const struct gcl_runtime *r, struct gcl_agent_message *question) {
    const struct timeval patience = {.tv_sec = SILENCE}, forever = {.tv_sec = 0};
    struct gcl_agent_message answer;
    int files[GCL_AGENT_FILES];
    setsockopt(agent.socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    bool is_there = ask(question, &answer, files);
    if (is_there && answer.kind == GCL_AGENT_WAIT) {
        gcl_log(GCL_LOG_WARN, "gclusterd has this program wait, up to %zu seconds, at place %u: %s",
                r->env.agent_wait, answer.number, answer.text);
        setsockopt(agent.socket, SOL_SOCKET, SO_RCVTIMEO, &forever, sizeof forever);
        is_there = gcl_agent_receive(agent.socket, false, &answer, files);
        setsockopt(agent.socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    }
    if (is_there && answer.kind == GCL_AGENT_WELCOME && enter(&answer, files))
        return LET_IN;
    if (is_there && answer.kind == GCL_AGENT_REFUSED) {
        gcl_log(GCL_LOG_ERROR, "gclusterd doesn't let this program in: %s", answer.text);
        return REFUSED;
    }
    gcl_log(GCL_LOG_WARN, "gclusterd at %s doesn't answer as it should", agent.path);
    return NOT_ANSWERED;
}

static bool has_tiers(const struct gcl_runtime *r) {
    return r->device->is_apart ? r->env.host_memory != SIZE_MAX : r->env.spill.folder[0] != 0;
}

/// A program with tiers of memory has what it may have on the device from the beginning, and so has
/// a node of a job, whose copies of other nodes' memory no allocation tells of. Half of its share
/// leaves room for others.
static bool reserve(struct gcl_runtime *r) {
    size_t left, own = gcl_resources_own_memory(r) / 2;
    if (r->env.memory || (!has_tiers(r) && r->place.count == 1))
        return true;
    ask_for_memory(GCL_AGENT_TAKE, 0, &left);
    r->env.memory = ask_for_memory(GCL_AGENT_TAKE, left < own ? left : own, &left);
    if (r->env.memory == 0)
        gcl_log(GCL_LOG_ERROR, "gclusterd has no memory for this program");
    else
        gcl_log(GCL_LOG_INFO,
                "%zu bytes of the device's memory are this program's; GCL_MEMORY says "
                "how many it needs",
                r->env.memory);
    return r->env.memory > 0;
}

static struct gcl_agent_message introduce(const struct gcl_runtime *r) {
    static const unsigned char cpu[GCL_AGENT_UUID];
    struct gcl_agent_message hello =
        gcl_agent_message(GCL_AGENT_HELLO, program_invocation_short_name);
    hello.bytes = r->env.memory;
    hello.job = r->job;
    hello.number = (uint32_t)r->env.agent_wait;
    if (!r->device->is_apart)
        return hello;
    agent.is_of_gpu = true;
    hello.total = gcl_resources_own_memory(r);
    memcpy(hello.gpu, r->device->properties()->uuid, sizeof hello.gpu);
    hello.gpu[0] |= memcmp(hello.gpu, cpu, sizeof cpu) == 0; // one that has no UUID
    return hello;
}

bool gcl_agent_attach(struct gcl_runtime *r) {
    static char found[GCL_AGENT_PATH];
    bool is_asked = r->env.has_agent == GCL_ENV_YES;
    if (r->env.has_agent == GCL_ENV_NO)
        return true;
    agent.path = r->env.agent[0] ? r->env.agent : gcl_agent_find(found) ? found : NULL;
    if (!agent.path && is_asked)
        gcl_log(GCL_LOG_ERROR, "GCL_AGENT=yes, and no gclusterd runs on this machine or for this "
                               "user");
    if (!agent.path)
        return !is_asked;
    agent.socket = gcl_agent_connect(agent.path);
    if (agent.socket < 0) {
        gcl_log(is_asked ? GCL_LOG_ERROR : GCL_LOG_INFO, "gclusterd at %s can't be had: %s",
                agent.path,
                errno == EPERM ? "who listens is neither root nor this user" : strerror(errno));
        return !is_asked;
    }
    struct gcl_agent_message hello = introduce(r);
    enum entry entry = await_welcome(r, &hello);
    if (entry == NOT_ANSWERED && !is_asked)
        gcl_agent_forget(); // it was about to end: nobody else has the device
    return entry == LET_IN ? reserve(r) : entry == NOT_ANSWERED && !is_asked;
}
