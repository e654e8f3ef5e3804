// Inside a job: what its loop (job.c) and the rules of its end (job_end.c) share.
#ifndef GCL_LAUNCHER_JOB_STATE_H
#define GCL_LAUNCHER_JOB_STATE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/signalfd.h>

#include "away.h"
#include "meeting.h"

#define GCL_MILLISECOND UINT64_C(1000000)
/// Where the system counts processes that it killed for want of memory.
#define GCL_JOB_STATISTICS "/proc/vmstat"

struct gcl_launched_node {
    struct gcl_host *host; ///< NULL: this machine, and then:
    pid_t pid;
    struct gcl_link *link;
    bool has_joined, has_left; ///< the job, in order
    bool has_ended;
    int status; ///< as waitpid has it
};

struct gcl_launched_job {
    unsigned count, running;
    struct gcl_launched_node *nodes;
    unsigned host_count;
    struct gcl_host *hosts;
    struct gcl_meeting *meeting;
    const char *program;
    bool is_debugged;
    pid_t debugger;          ///< 0: none, or it has ended
    int debugger_status;     ///< as waitpid has it
    uint64_t ended_ns;       ///< when the first node ended; 0: none yet
    uint64_t interrupted_ns; ///< when somebody last asked for the end; 0: nobody
    bool is_lost;            ///< a node other than 0 ended before node 0 did
    bool is_asked;
    bool is_signalled;               ///< by us, or by the user through us
    bool is_described;               ///< that a node was killed, or a host lost
    unsigned long long memory_kills; ///< of the machine, when the job began
    int start_status;                ///< exit status of a node that ended before it joined; 0: none
};

/// A node has ended; `status` is as waitpid has it.
void gcl_job_note_end(struct gcl_launched_job *job, gcl_node node, int status);
/// A host's starter has ended, or can't be understood: so have its nodes.
void gcl_job_lose_host(struct gcl_launched_job *job, struct gcl_host *host, const char *why);
void gcl_job_kill_all(struct gcl_launched_job *job, int signal);
/// A signal of ours, and from whom it came.
void gcl_job_forward(struct gcl_launched_job *job, const struct signalfd_siginfo *info);
/// What is due: nodes that don't end are asked to, then killed.
void gcl_job_enforce_end(struct gcl_launched_job *job);
/// The job's exit status, once all nodes have ended.
int gcl_job_status(const struct gcl_launched_job *job);

#endif
