// What nodes tell each other of their tiers, with each beat: node 0 hears of all, others of node 0.
#include <assert.h>

#include "cluster/cluster_state.h"

void gcl_tiers_describe(void *context, struct gcl_tiers *tiers) {
    struct gcl_cluster *c = context;
    pthread_mutex_lock(&c->lock);
    gcl_tell_tiers *tell = c->tell_tiers;
    pthread_mutex_unlock(&c->lock);
    if (tell)
        tell(tiers);
}

void gcl_tiers_heard(void *context, gcl_node node, const struct gcl_tiers *tiers) {
    struct gcl_cluster *c = context;
    assert(node < c->job.count);
    pthread_mutex_lock(&c->lock);
    c->tiers[node] = *tiers;
    pthread_mutex_unlock(&c->lock);
}

void gcl_tiers_tell(struct gcl_cluster *c, gcl_tell_tiers *tell) {
    pthread_mutex_lock(&c->lock);
    c->tell_tiers = tell;
    pthread_mutex_unlock(&c->lock);
}

struct gcl_tiers gcl_tiers_of(struct gcl_cluster *c, gcl_node node) {
    assert(node < c->job.count);
    if (node == c->job.node) {
        struct gcl_tiers own = {.on_device = 0};
        gcl_tiers_describe(c, &own);
        return own;
    }
    pthread_mutex_lock(&c->lock);
    struct gcl_tiers tiers = c->tiers[node];
    pthread_mutex_unlock(&c->lock);
    return tiers;
}
