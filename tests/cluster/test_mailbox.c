// Parcels that come, and parcels that don't: what is waited for can be told, and ends with a loss.
#include "check.h"
#include "cluster/mailbox.h"

static struct gcl_wait seen;
static int seen_count;

static void see(void *context, const struct gcl_wait *wait) {
    (void)context;
    seen = *wait;
    seen_count++;
}

static int look(struct gcl_mailbox *mailbox) {
    seen_count = 0;
    gcl_mailbox_look(mailbox, see, NULL);
    return seen_count;
}

static void lost_parcel(void **state) {
    struct gcl_mailbox *mailbox = gcl_mailbox_create(NULL, 0, 3);
    char bytes[3][100];
    struct gcl_parcel parcels[] = {
        {.peer = 1, .tag = 7, .bytes = bytes[0], .size = sizeof bytes[0]},
        {.peer = 2, .tag = 7, .bytes = bytes[1], .size = sizeof bytes[1]},
        {.peer = 2, .tag = 8, .bytes = bytes[2], .size = sizeof bytes[2]},
    };
    (void)state;
    assert_int_equal(look(mailbox), 0);
    struct gcl_batch *first = gcl_batch_create(mailbox, parcels, 2);
    struct gcl_batch *second = gcl_batch_create(mailbox, parcels + 2, 1);
    gcl_batch_start(second);
    gcl_batch_start(first);
    assert_int_equal(look(mailbox), 2);
    // The one that was started first is seen last.
    assert_int_equal(seen.parcel->tag, 8);
    assert_int_equal(seen.others, 0);
    *seen.is_told = true;
    look(mailbox);
    assert_true(*seen.is_told);
    gcl_mailbox_fail(mailbox);
    assert_int_equal(look(mailbox), 0);
    assert_int_equal(gcl_batch_wait(first), GCL_NODE_LOST);
    assert_int_equal(gcl_batch_wait(second), GCL_NODE_LOST);
    struct gcl_batch *later = gcl_batch_create(mailbox, parcels, 2);
    gcl_batch_start(later);
    assert_int_equal(gcl_batch_wait(later), GCL_NODE_LOST);
    gcl_mailbox_destroy(mailbox);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lost_parcel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
