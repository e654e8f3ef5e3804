// Nobody waits for commands here: what is done is found out when others are added, or at the end.
#include "exec/spread/done.h"

#include <assert.h>
#include <stdlib.h>

#include "base/log.h"
#include "plan/schedule/plan.h"

enum { MANY = 64 }; // plans, after which it is looked what is done

struct gcl_done_plan {
    struct gcl_heard_plan heard;
    struct gcl_plan *plan; ///< is held
    struct gcl_fence fence;
    struct gcl_done_plan *next;
};

void gcl_done_tell(struct gcl_done *done) {
    while (done->first && gcl_engine_is_reached(done->engine, done->first->fence)) {
        struct gcl_done_plan *first = done->first;
        gcl_listeners_carried_out(done->listeners, &first->heard);
        done->first = first->next;
        gcl_plan_release(first->plan);
        free(first);
    }
    if (!done->first)
        done->last = NULL;
    assert(!done->last || !done->last->next);
}

void gcl_done_add(struct gcl_done *done, const struct gcl_heard_plan *heard, struct gcl_plan *plan,
                  struct gcl_fence fence) {
    struct gcl_done_plan *added = malloc(sizeof *added);
    if (!added) {
        gcl_log(GCL_LOG_WARN, "no memory to count a launch");
        return;
    }
    *added = (struct gcl_done_plan){*heard, gcl_plan_hold(plan), fence, NULL};
    added->heard.plan = plan;
    assert((done->first == NULL) == (done->last == NULL));
    *(done->last ? &done->last->next : &done->first) = added;
    done->last = added;
    if (++done->count % MANY == 0)
        gcl_done_tell(done);
}
