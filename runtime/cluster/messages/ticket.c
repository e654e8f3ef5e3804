#include "cluster/messages/ticket.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/log.h"

static const struct gcl_lending *lending_of(const struct gcl_request *request,
                                            const struct gcl_ticket_peer *peer) {
    return peer->number < GCL_LENDING_MOST ? request->packer->lending : NULL;
}

// The owner's.

unsigned char *gcl_ticket_write(const struct gcl_request *request,
                                const struct gcl_ticket_peer *peer, unsigned char *out,
                                bool *is_lent) {
    const struct gcl_lending *lending = lending_of(request, peer);
    struct gcl_loan loans[GCL_LOANS_MOST];
    size_t count = 0;
    *is_lent = lending && lending->offer(peer->number, request->region, request->place,
                                         peer->refuses ? NULL : loans, &count);
    const struct gcl_ticket_head head = {*is_lent, count};
    memcpy(out, &head, sizeof head);
    memcpy(out + sizeof head, loans, count * sizeof *loans);
    return out + sizeof head + count * sizeof *loans;
}

const unsigned char *gcl_ticket_end(const struct gcl_request *request,
                                    const struct gcl_ticket_peer *peer,
                                    const unsigned char *ticket) {
    const struct gcl_lending *lending = lending_of(request, peer);
    struct gcl_ticket_head head;
    struct gcl_loan loans[GCL_LOANS_MOST];
    memcpy(&head, ticket, sizeof head);
    memcpy(loans, ticket + sizeof head, head.loan_count * sizeof *loans);
    if (head.loan_count > 0)
        lending->end_offer(peer->number, loans, head.loan_count, !peer->refuses);
    return ticket + sizeof head + head.loan_count * sizeof *loans +
           (head.is_lent ? 0 : request->size);
}

// Who reads.

static enum gcl_status read_bytes(pid_t process, void *here, const unsigned char *there,
                                  size_t size) {
    struct gcl_reading r;
    r.process = process;
    r.pieces = r.size = 0;
    enum gcl_status status = gcl_reading_add(&r, here, there, size);
    return status == GCL_OK ? gcl_reading_finish(&r) : status;
}

/// Takes what the owner of a region lends. GCL_NOT_READY: it can't be mapped.
static enum gcl_status take_loan(const struct gcl_lending *lending,
                                 const struct gcl_ticket_peer *peer, const struct gcl_loan *loan) {
    int copy = (int)syscall(SYS_pidfd_getfd, peer->descriptor, (int)loan->descriptor, 0);
    if (copy < 0 && errno == ESRCH)
        return GCL_NODE_LOST;
    if (copy < 0) {
        gcl_log(GCL_LOG_INFO,
                "process %d lends memory of its GPU that can't be had from it, so that it comes by "
                "the host's memory instead: %s",
                peer->process, strerror(errno));
        return GCL_NOT_READY;
    }
    bool is_taken = lending->borrow(peer->number, loan, copy);
    close(copy);
    return is_taken ? GCL_OK : GCL_NOT_READY;
}

static enum gcl_status take_loans(const struct gcl_lending *lending, struct gcl_ticket_peer *peer,
                                  const struct gcl_loan *loans, size_t count) {
    enum gcl_status status = lending && peer->descriptor >= 0 ? GCL_OK : GCL_NOT_READY;
    for (size_t i = 0; i < count && status == GCL_OK; i++)
        status = take_loan(lending, peer, &loans[i]);
    peer->refuses |= status == GCL_NOT_READY;
    return status == GCL_NOT_READY ? GCL_OK : status;
}

enum gcl_status gcl_ticket_take(const struct gcl_request *request, struct gcl_ticket_peer *peer,
                                const unsigned char **there, bool *is_lent) {
    const struct gcl_lending *lending = lending_of(request, peer);
    struct gcl_ticket_head head;
    struct gcl_loan loans[GCL_LOANS_MOST];
    enum gcl_status status = read_bytes(peer->process, &head, *there, sizeof head);
    if (status != GCL_OK)
        return status;
    if (head.loan_count > GCL_LOANS_MOST || (head.is_lent && !lending)) {
        gcl_log(GCL_LOG_ERROR, "process %d lends %llu pieces of memory, which can't be",
                peer->process, (unsigned long long)head.loan_count);
        return GCL_SYSTEM;
    }
    *there += sizeof head;
    if (head.loan_count > 0) {
        status = read_bytes(peer->process, loans, *there, head.loan_count * sizeof *loans);
        *there += head.loan_count * sizeof *loans;
        if (status == GCL_OK)
            status = take_loans(lending, peer, loans, head.loan_count);
    }
    *is_lent = head.is_lent;
    if (status != GCL_OK || !*is_lent)
        return status;
    lending->copy(peer->number, request->region, request->place, request->bytes);
    gcl_log(GCL_LOG_TRACE, "%zu bytes from node %u, for %s, are copied where they are mapped",
            request->size, request->peer, request->what ? request->what : "it");
    return GCL_OK;
}
