// Who is let in, and who is noticed to be gone: node 0 here, another node in a child process.
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "cluster/lifeline/lifeline.h"
#include "cluster/wire/secret.h"

static uint8_t secret[GCL_SECRET_SIZE] = {1, 2, 3};
static gcl_node lost_node;
static char lost_reason[GCL_WIRE_TEXT_SIZE];
static bool has_heard_bye;
static uint64_t in_files; // of node 1, as node 0 has heard

static void lose(void *context, gcl_node node, const char *reason) {
    (void)context;
    lost_node = node;
    snprintf(lost_reason, sizeof lost_reason, "%s", reason);
}

static void stall(void *context, gcl_node node, uint64_t silent_ns) {
    (void)context, (void)node, (void)silent_ns;
}

static void hear_bye(void *context, bool is_failure) {
    (void)context, (void)is_failure;
    has_heard_bye = true;
}

static void describe_tiers(void *context, struct gcl_tiers *tiers) {
    (void)context;
    tiers->in_files = 7;
}

static void hear_tiers(void *context, gcl_node node, const struct gcl_tiers *tiers) {
    (void)context;
    if (node == 1)
        in_files = tiers->in_files;
}

static struct gcl_lifeline *create(gcl_node self, const uint8_t *known) {
    return gcl_lifeline_create(&(struct gcl_lifeline_options){
        .self = self,
        .count = 2,
        .secret = known,
        .calls = {.lost = lose,
                  .stalled = stall,
                  .bye = hear_bye,
                  .describe_tiers = describe_tiers,
                  .heard_tiers = hear_tiers},
    });
}

// Connects as node 1; then ends at once, or when node 0 says so, or gives up and waits. Exit status
// 0: let in (and sent home).
static pid_t start_node(const struct gcl_wire_card *card, const uint8_t *known, bool is_local,
                        bool waits, const char *reason) {
    pid_t pid = fork();
    if (pid != 0)
        return pid;
    struct gcl_lifeline *l = create(1, known);
    bool is_in = gcl_lifeline_connect(l, card, is_local, 5) == GCL_OK;
    if (is_in && reason)
        gcl_lifeline_tell_lost(l, 1, reason);
    for (int i = 0; is_in && waits && !has_heard_bye && i < 500; i++) {
        gcl_lifeline_progress(l);
        usleep(10000);
    }
    _exit(is_in && has_heard_bye == waits ? 0 : 1);
}

static int end_of(pid_t pid) {
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return status;
}

static void wrong_secret(void **state) {
    uint8_t wrong[GCL_SECRET_SIZE] = {1, 2, 4};
    struct gcl_wire_card card = {.host = "here"};
    struct gcl_lifeline *l = create(0, secret);
    (void)state;
    assert_int_equal(gcl_lifeline_listen(l, 0x7f000001, &card), GCL_OK);
    for (int is_local = 0; is_local < 2; is_local++) {
        pid_t pid = start_node(&card, wrong, is_local, false, NULL);
        assert_int_equal(gcl_lifeline_await(l, 1), GCL_SYSTEM);
        assert_int_not_equal(end_of(pid), 0);
    }
    assert_int_equal(gcl_lifeline_refused(l), 2);
    gcl_lifeline_destroy(l);
}

static void bye(void **state) {
    (void)state;
    for (int is_local = 0; is_local < 2; is_local++) {
        struct gcl_wire_card card = {.host = "here"};
        struct gcl_lifeline *l = create(0, secret);
        assert_int_equal(gcl_lifeline_listen(l, 0x7f000001, &card), GCL_OK);
        pid_t pid = start_node(&card, secret, is_local, true, NULL);
        assert_int_equal(gcl_lifeline_await(l, 5), GCL_OK);
        in_files = 0;
        for (int i = 0; in_files == 0 && i < 500; i++) {
            gcl_lifeline_progress(l);
            usleep(10000);
        }
        assert_int_equal(in_files, 7);
        assert_true(gcl_lifeline_say_bye(l, false, 5));
        assert_int_equal(end_of(pid), 0);
        gcl_lifeline_destroy(l);
    }
}

/// A node that is killed, or that gives up.
static void lose_node(const char *reason) {
    struct gcl_wire_card card = {.host = "here"};
    struct gcl_lifeline *l = create(0, secret);
    lost_node = GCL_NO_NODE;
    assert_int_equal(gcl_lifeline_listen(l, 0, &card), GCL_OK);
    assert_int_equal(card.door_port, 0);
    pid_t pid = start_node(&card, secret, true, true, reason);
    // One that gives up may have done so by then.
    assert_true(gcl_lifeline_await(l, 5) == GCL_OK || reason);
    if (!reason)
        kill(pid, SIGKILL);
    for (int i = 0; lost_node == GCL_NO_NODE && i < 100; i++) {
        gcl_lifeline_progress(l);
        usleep(10000);
    }
    assert_int_equal(lost_node, 1);
    assert_string_equal(lost_reason, reason ? reason : GCL_LIFELINE_ENDED);
    kill(pid, SIGKILL);
    end_of(pid);
    gcl_lifeline_destroy(l);
}

static void loss(void **state) {
    (void)state;
    lose_node(NULL);
}

static void giving_up(void **state) {
    (void)state;
    lose_node("it has had enough");
}

/// Connects as another user, who knows the secret, or listens as one and hears whether node 1 says
/// hello; exit status 0: nothing was said.
static int run_other_user(const struct gcl_wire_card *card, int listener, int ready) {
    enum { OTHER = 65534 };
    char byte;
    if (setresuid(OTHER, OTHER, OTHER) != 0)
        return 2;
    if (listener < 0)
        return gcl_lifeline_connect(create(1, secret), card, true, 2) == GCL_OK;
    int heard =
        listen(listener, 8) == 0 && write(ready, "", 1) == 1 ? accept(listener, NULL, NULL) : -1;
    return heard < 0 || recv(heard, &byte, 1, 0) > 0;
}

// Who knows the secret and is another user is let in nowhere on one machine, and told nothing.
static void another_user(void **state) {
    struct gcl_wire_card card = {.host = "here"};
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int ready[2];
    char byte;
    (void)state;
    if (geteuid() != 0)
        skip();
    struct gcl_lifeline *l = create(0, secret);
    assert_int_equal(gcl_lifeline_listen(l, 0, &card), GCL_OK);
    pid_t pid = fork();
    if (pid == 0)
        _exit(run_other_user(&card, -1, -1));
    assert_int_equal(gcl_lifeline_await(l, 1), GCL_SYSTEM);
    assert_int_equal(gcl_lifeline_refused(l), 1);
    assert_int_equal(end_of(pid), 0);
    gcl_lifeline_destroy(l);

    snprintf(card.local_door, sizeof card.local_door, "gcluster-test-%d", (int)getpid());
    int length = snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "%s", card.local_door);
    int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_int_equal(
        bind(listener, (struct sockaddr *)&address,
             (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1) + (socklen_t)length),
        0);
    assert_int_equal(pipe(ready), 0);
    pid = fork();
    if (pid == 0)
        _exit(run_other_user(&card, listener, ready[1]));
    assert_int_equal(read(ready[0], &byte, 1), 1);
    l = create(1, secret);
    assert_int_equal(gcl_lifeline_connect(l, &card, true, 2), GCL_SYSTEM);
    gcl_lifeline_destroy(l);
    assert_int_equal(end_of(pid), 0);
    close(listener);
    close(ready[0]);
    close(ready[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_secret), cmocka_unit_test(bye),          cmocka_unit_test(loss),
        cmocka_unit_test(giving_up),    cmocka_unit_test(another_user),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
