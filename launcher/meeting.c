// `here` counts the shares that aren't NULL; a round is over when it reaches `count`, and then all
// are forgotten.
#include "meeting.h"

#include <assert.h>

#include "cluster/job/rendezvous.h"

struct gcl_meeting {
    gcl_node count, here;
    GBytes **shares; // by node; NULL: not yet
};

struct gcl_meeting *gcl_meeting_create(gcl_node count) {
    assert(count > 0);
    struct gcl_meeting *meeting = g_new0(struct gcl_meeting, 1);
    meeting->count = count;
    meeting->shares = g_new0(GBytes *, count);
    return meeting;
}

static void begin_round(struct gcl_meeting *meeting) {
    for (gcl_node n = 0; n < meeting->count; n++)
        g_clear_pointer(&meeting->shares[n], g_bytes_unref);
    meeting->here = 0;
}

void gcl_meeting_destroy(struct gcl_meeting *meeting) {
    if (!meeting)
        return;
    begin_round(meeting);
    g_free(meeting->shares);
    g_free(meeting);
}

bool gcl_meeting_add(struct gcl_meeting *meeting, gcl_node node, const void *bytes, size_t size) {
    assert(node < meeting->count);
    if (meeting->shares[node])
        return false;
    meeting->shares[node] = g_bytes_new(bytes, size);
    meeting->here++;
    assert(meeting->here <= meeting->count);
    return true;
}

GByteArray *gcl_meeting_take(struct gcl_meeting *meeting) {
    if (meeting->here < meeting->count)
        return NULL;
    GByteArray *all = g_byte_array_new();
    for (gcl_node n = 0; n < meeting->count; n++) {
        uint8_t size_bytes[4];
        gsize size;
        const guint8 *bytes = g_bytes_get_data(meeting->shares[n], &size);
        gcl_rendezvous_put32(size_bytes, (uint32_t)size);
        g_byte_array_append(all, size_bytes, sizeof size_bytes);
        if (size > 0)
            g_byte_array_append(all, bytes, (guint)size);
    }
    begin_round(meeting);
    return all;
}
