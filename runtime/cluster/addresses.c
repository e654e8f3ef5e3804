// An address means the same on every node. Each node has reserved the first range that it can have,
// of those that all try in one order. Where that isn't the same one, nodes tell each other the
// numbers of theirs; those with a smaller one than the largest go on from there, until all are the
// same: the first one that all can have. No node goes back, so it ends.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "cluster/cluster_state.h"

/// What a node says of its range: number, begin, end, and why it isn't an earlier one.
enum { NUMBER = 0, BEGIN = 4, END = 12, REFUSAL = 20, OFFER_SIZE = REFUSAL + 192 };

struct offer {
    uint32_t number;
    uint64_t begin, end;
    char refusal[OFFER_SIZE - REFUSAL + 1];
};

static void write_offer(const struct gcl_cluster_device *device, uint8_t bytes[OFFER_SIZE]) {
    memset(bytes, 0, OFFER_SIZE);
    gcl_rendezvous_put32(bytes + NUMBER, device->range);
    gcl_bytes_put64(bytes + BEGIN, device->begin);
    gcl_bytes_put64(bytes + END, device->end);
    size_t length = strnlen(device->refusal, OFFER_SIZE - REFUSAL);
    memcpy(bytes + REFUSAL, device->refusal, length);
}

/// False: the bytes are no offer.
static bool read_offer(const struct gcl_rendezvous_share *share, struct offer *offer) {
    *offer = (struct offer){.number = 0};
    if (share->size != OFFER_SIZE)
        return false;
    offer->number = gcl_rendezvous_get32(share->bytes + NUMBER);
    gcl_bytes_get64(share->bytes + BEGIN, &offer->begin);
    gcl_bytes_get64(share->bytes + END, &offer->end);
    memcpy(offer->refusal, share->bytes + REFUSAL, OFFER_SIZE - REFUSAL);
    for (char *c = offer->refusal; *c; c++) {
        if (*c < ' ' || *c > '~') // what is shown on terminals can't steer them
            *c = '?';
    }
    return true;
}

/// What came out of a round.
struct round {
    uint32_t most;    ///< the largest number of a node's range
    bool is_same;     ///< all have that one,
    bool is_one;      ///< and it is at the same addresses on all of them
    gcl_node refuser; ///< one that has the largest
    char refusal[sizeof((struct offer *)0)->refusal]; ///< why that one has no earlier one
};

/// Tells the others of this node's range, and hears of theirs.
static enum gcl_status share_offers(struct gcl_cluster *c, const struct gcl_job_patience *patience,
                                    const struct gcl_cluster_device *device, struct round *round) {
    uint8_t bytes[OFFER_SIZE];
    struct gcl_job_shares shares;
    struct offer first = {.number = 0}, offer;
    write_offer(device, bytes);
    enum gcl_status status = gcl_job_share(&c->job, bytes, sizeof bytes, patience, &shares);
    *round = (struct round){.is_same = true, .is_one = true};
    for (gcl_node n = 0; status == GCL_OK && n < c->job.count; n++) {
        if (!read_offer(&shares.of[n], &offer)) {
            gcl_log(GCL_LOG_ERROR, "what node %u says of its addresses can't be read", n);
            status = GCL_SYSTEM;
            break;
        }
        c->cards[n].begin = offer.begin;
        c->cards[n].end = offer.end;
        first = n == 0 ? offer : first;
        round->is_same &= offer.number == first.number;
        round->is_one &= offer.begin == first.begin && offer.end == first.end;
        if (n > 0 && offer.number <= round->most)
            continue;
        round->most = offer.number;
        round->refuser = n;
        memcpy(round->refusal, offer.refusal, sizeof round->refusal);
    }
    gcl_job_shares_free(&shares);
    return status;
}

/// Says that a node has no addresses that others can have as well, and what to do.
static void report_none(const struct gcl_cluster *c, const struct round *round) {
    const struct gcl_wire_card *card = &c->cards[round->refuser];
    gcl_log(c->job.node == 0 ? GCL_LOG_ERROR : GCL_LOG_INFO,
            "there are no addresses for device memory that all nodes can have: node %u on %s "
            "(process %u, %s) can't have %s: see to it that all nodes are started with the same "
            "preloaded libraries (LD_PRELOAD) and without a limit of address space (ulimit -v); "
            "where it is a GPU's driver that refuses, GCL_DEVICE=cpu does without",
            round->refuser, card->host, card->process, card->device, round->refusal);
}

static void report_choice(const struct gcl_cluster *c, const struct gcl_cluster_device *device,
                          gcl_node refuser, const char *refusal) {
    const struct gcl_wire_card *card = &c->cards[refuser];
    if (refusal[0] && c->job.node == 0)
        gcl_log(GCL_LOG_INFO,
                "all nodes have device memory at addresses %#" PRIx64 " to %#" PRIx64
                ": node %u on %s (process %u, %s) can't have %s",
                device->begin, device->end, refuser, card->host, card->process, card->device,
                refusal);
}

static bool are_same(const struct gcl_cluster *c) {
    bool are = true;
    for (gcl_node n = 1; n < c->job.count; n++)
        are &= c->cards[n].begin == c->cards[0].begin && c->cards[n].end == c->cards[0].end;
    return are;
}

enum gcl_status gcl_addresses_agree(struct gcl_cluster *c, const struct gcl_job_patience *patience,
                                    struct gcl_cluster_device *device,
                                    const struct gcl_cluster_mover *mover) {
    struct round round, last = {.most = 0};
    if (are_same(c)) {
        report_choice(c, device, c->job.node, device->refusal);
        return GCL_OK;
    }
    for (;;) {
        enum gcl_status status = share_offers(c, patience, device, &round);
        if (status != GCL_OK)
            return status;
        if (round.is_one)
            break;
        if (round.most == GCL_CLUSTER_NO_RANGE) {
            report_none(c, &round);
            return GCL_SYSTEM;
        }
        if (round.is_same) {
            gcl_log(GCL_LOG_ERROR, "nodes try other addresses for device memory: the same version "
                                   "of gcluster has to run on all of them");
            return GCL_SYSTEM;
        }
        last = round;
        if (device->range < round.most)
            mover->move(mover->context, round.most, device);
    }
    report_choice(c, device, last.refuser, last.refusal);
    return GCL_OK;
}
