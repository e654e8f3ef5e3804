// cuda::pipeline. Copies are done when memcpy_async returns, so a thread's own pipeline has nothing
// to wait for; one of a block makes consumers wait for producers, and these for consumers, by two
// barriers a stage.
#ifndef GCLUSTER_LIBCU_PIPELINE_H
#define GCLUSTER_LIBCU_PIPELINE_H

#pragma GCC system_header

#include "barrier.h"

namespace cuda {

enum class pipeline_role { producer, consumer };

template <thread_scope scope, unsigned char stages> class pipeline_shared_state {
  public:
    pipeline_shared_state() = default;
    pipeline_shared_state(const pipeline_shared_state &) = delete;

  private:
    template <thread_scope s> friend class pipeline;
    barrier<thread_scope_block> filled[stages], emptied[stages];
};

template <thread_scope scope> class pipeline {
  public:
    template <class Group, thread_scope s, unsigned char count>
    __device__ pipeline(const Group &group, pipeline_shared_state<s, count> *state,
                        size_t producers, size_t consumers)
        : filled(state->filled), emptied(state->emptied), stages(count) {
        if (group.thread_rank() == 0) {
            for (unsigned i = 0; i < stages; i++) {
                init(&filled[i], static_cast<ptrdiff_t>(producers));
                init(&emptied[i], static_cast<ptrdiff_t>(consumers));
            }
        }
        group.sync();
    }

    /// Waits until consumers have left what was in the stage one round before.
    __device__ void producer_acquire() {
        if (head >= stages)
            emptied[head % stages].wait_parity((head / stages - 1) & 1);
    }
    __device__ void producer_commit() {
        filled[head % stages].arrive();
        head++;
    }
    __device__ void consumer_wait() {
        filled[tail % stages].wait_parity(tail / stages & 1);
    }
    __device__ void consumer_release() {
        emptied[tail % stages].arrive();
        tail++;
    }
    __device__ bool quit() {
        return true;
    }

  private:
    barrier<thread_scope_block> *filled, *emptied;
    unsigned stages;
    unsigned head = 0, tail = 0; ///< stages that this thread has filled and emptied
};

template <> class pipeline<thread_scope_thread> {
  public:
    GCL_LIBCU void producer_acquire() {
    }
    GCL_LIBCU void producer_commit() {
    }
    GCL_LIBCU void consumer_wait() {
    }
    GCL_LIBCU void consumer_release() {
    }
    GCL_LIBCU bool quit() {
        return true;
    }
};

GCL_LIBCU pipeline<thread_scope_thread> make_pipeline() {
    return {};
}

namespace gcl {

/// How many of a group's threads a predicate is true of, in all of them. A template, as hosts'
/// compilers know of no threads.
template <class Predicate> __device__ size_t count_threads(Predicate predicate) {
    return static_cast<size_t>(__syncthreads_count(predicate));
}

} // namespace gcl

/// All threads produce and consume. Groups are blocks.
template <class Group, thread_scope scope, unsigned char stages>
__device__ pipeline<scope> make_pipeline(const Group &group,
                                         pipeline_shared_state<scope, stages> *state) {
    return pipeline<scope>(group, state, group.size(), group.size());
}
template <class Group, thread_scope scope, unsigned char stages>
__device__ pipeline<scope>
make_pipeline(const Group &group, pipeline_shared_state<scope, stages> *state, pipeline_role role) {
    size_t producers = gcl::count_threads(role == pipeline_role::producer);
    return pipeline<scope>(group, state, producers, group.size() - producers);
}
/// The first `producers` threads produce.
template <class Group, thread_scope scope, unsigned char stages>
__device__ pipeline<scope>
make_pipeline(const Group &group, pipeline_shared_state<scope, stages> *state, size_t producers) {
    return pipeline<scope>(group, state, producers, group.size() - producers);
}

/// Waits for all but the last `prior` stages of a thread.
template <unsigned char prior>
GCL_LIBCU void pipeline_consumer_wait_prior(pipeline<thread_scope_thread> &) {
}

template <thread_scope scope, class Completion>
__device__ void pipeline_producer_commit(pipeline<thread_scope_thread> &,
                                         barrier<scope, Completion> &bar) {
    bar.arrive();
}

/// By one thread; `size`: bytes, or an aligned_size_t.
template <class Size, thread_scope scope>
__device__ void memcpy_async(void *to, const void *from, Size size, pipeline<scope> &) {
    gcl::copy(to, from, static_cast<size_t>(size), 0, 1);
}
/// By the threads of a group.
template <class Group, class Size, thread_scope scope>
__device__ void memcpy_async(const Group &group, void *to, const void *from, Size size,
                             pipeline<scope> &) {
    gcl::copy(to, from, static_cast<size_t>(size), group.thread_rank(), group.size());
}

} // namespace cuda

#endif
