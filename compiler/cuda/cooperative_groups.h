// Cooperative groups: named sets of threads that synchronise and exchange values.
//
// A group is a small value. Groups of at most a warp are a mask of lanes, everything they do is
// one of the code generator's warp operations on that mask; a block is the block barrier, a grid
// the grid barrier. thread_group, the type that can hold any of them, keeps a kind and a mask and
// decides at run time (or, once inlined, at compile time).
//
// A tile of several warps synchronises its whole block: all tiles of the block must synchronise
// equally often. Multi-device groups are not provided. A cluster is one block.
#pragma once
#define _COOPERATIVE_GROUPS_H_ // programs ask for it

#include <cuda_runtime.h>

#if defined(__cplusplus) && defined(__CUDA__)

#include <type_traits>

#define __gcl_cg __attribute__((device, always_inline))

namespace cooperative_groups {

// ---- Lanes and masks ----

static inline __gcl_cg unsigned __block_rank() {
    return __gcl_thread();
}

static inline __gcl_cg unsigned __block_size() {
    return __gcl_ntid_x() * __gcl_ntid_y() * __gcl_ntid_z();
}

static inline __gcl_cg unsigned __lane() {
    return __block_rank() & 31u;
}

/// The lanes of `__mask` below `__lane`.
static inline __gcl_cg unsigned __lanes_below(unsigned __mask, unsigned __lane) {
    return __mask & ((1u << __lane) - 1u);
}

static inline __gcl_cg unsigned __rank_in(unsigned __mask) {
    return __builtin_popcount(__lanes_below(__mask, __lane()));
}

/// The lane of rank `__rank` in `__mask`: its bit number `__rank`, counted from the lowest.
static inline __gcl_cg unsigned __lane_of_rank(unsigned __mask, unsigned __rank) {
    unsigned __at = 0;
    for (unsigned __width = 16; __width; __width >>= 1) {
        unsigned __low = __builtin_popcount((__mask >> __at) & ((1u << __width) - 1u));
        bool __above = __rank >= __low;
        __rank -= __above ? __low : 0;
        __at += __above ? __width : 0;
    }
    return __at;
}

/// Moves the bits of `__lanes` that stand under `__mask` together: bit of lane → bit of rank.
static inline __gcl_cg unsigned __lanes_to_ranks(unsigned __lanes, unsigned __mask) {
    unsigned __ranks = 0;
    for (unsigned __rank = 0; __mask; __rank++, __mask &= __mask - 1)
        __ranks |= ((__lanes >> __builtin_ctz(__mask)) & 1u) << __rank;
    return __ranks;
}

/// The value that lane `__source` of `__mask` passes, for any type that may be copied bytewise.
template <typename __T>
static inline __gcl_cg __T __shuffle(unsigned __mask, const __T &__value, unsigned __source) {
    static_assert(std::is_trivially_copyable<__T>::value, "shuffled values are copied bytewise");
    unsigned long long __words[(sizeof(__T) + 7) / 8] = {};
    __builtin_memcpy(__words, &__value, sizeof(__T));
    for (unsigned long long &__word : __words)
        __word = __gcl_warp_shuffle(__mask, __word, __source);
    __T __result = __value;
    __builtin_memcpy(&__result, __words, sizeof(__T));
    return __result;
}

template <typename __T>
static inline __gcl_cg unsigned __match(unsigned __mask, const __T &__value) {
    static_assert(sizeof(__T) <= 8, "match compares values of at most 64 bits");
    unsigned long long __word = 0;
    __builtin_memcpy(&__word, &__value, sizeof(__T));
    return __gcl_warp_match(__mask, __word);
}

// ---- Any group ----

enum class __group_kind : unsigned { __lanes, __warps, __block, __cluster, __grid };

class thread_group {
  public:
    __gcl_cg void sync() const {
        if (__kind == __group_kind::__lanes)
            __gcl_warp_sync(__mask);
        else if (__kind == __group_kind::__grid)
            __gcl_grid_barrier();
        else
            __gcl_barrier();
    }

    __gcl_cg unsigned long long num_threads() const {
        if (__kind == __group_kind::__lanes)
            return __builtin_popcount(__mask);
        if (__kind == __group_kind::__warps)
            return __mask;
        unsigned long long __threads = __block_size();
        if (__kind == __group_kind::__grid)
            __threads *= (unsigned long long)__gcl_nctaid_x() * __gcl_nctaid_y() * __gcl_nctaid_z();
        return __threads;
    }

    __gcl_cg unsigned long long size() const {
        return num_threads();
    }

    __gcl_cg unsigned long long thread_rank() const;

    __gcl_cg bool is_valid() const {
        return true;
    }

    // The lanes of a group inside a warp; 0 for larger groups.
    __gcl_cg unsigned __lane_mask() const {
        return __kind == __group_kind::__lanes ? __mask : 0;
    }

    __gcl_cg __group_kind __get_kind() const {
        return __kind;
    }

  protected:
    __gcl_cg thread_group(__group_kind __kind, unsigned __mask) : __kind(__kind), __mask(__mask) {
    }

    friend __gcl_cg thread_group tiled_partition(const thread_group &__parent, unsigned __size);

    __group_kind __kind;
    unsigned __mask; // of several warps, the number of their threads
};

// ---- Block, cluster, grid ----

class thread_block : public thread_group {
  public:
    struct arrival_token {};

    static __gcl_cg void sync() {
        __gcl_barrier();
    }

    static __gcl_cg arrival_token barrier_arrive() {
        return {};
    }

    static __gcl_cg void barrier_wait(arrival_token && = {}) {
        __gcl_barrier();
    }

    static __gcl_cg unsigned thread_rank() {
        return __block_rank();
    }

    static __gcl_cg dim3 thread_index() {
        return dim3(__gcl_tid_x(), __gcl_tid_y(), __gcl_tid_z());
    }

    static __gcl_cg dim3 group_index() {
        return dim3(__gcl_ctaid_x(), __gcl_ctaid_y(), __gcl_ctaid_z());
    }

    static __gcl_cg dim3 dim_threads() {
        return dim3(__gcl_ntid_x(), __gcl_ntid_y(), __gcl_ntid_z());
    }

    static __gcl_cg dim3 group_dim() {
        return dim_threads();
    }

    static __gcl_cg unsigned num_threads() {
        return __block_size();
    }

    static __gcl_cg unsigned size() {
        return __block_size();
    }

  private:
    __gcl_cg thread_block() : thread_group(__group_kind::__block, 0) {
    }

    friend __gcl_cg thread_block this_thread_block();
};

inline __gcl_cg thread_block this_thread_block() {
    return thread_block();
}

/// Storage for tiles of several warps, which have their own; accepted, because code passes it on.
template <unsigned __max_block_size = 1024> struct block_tile_memory {};

template <unsigned __max_block_size>
inline __gcl_cg thread_block this_thread_block(block_tile_memory<__max_block_size> &) {
    return this_thread_block();
}

class grid_group : public thread_group {
  public:
    struct arrival_token {};

    __gcl_cg void sync() const {
        __gcl_grid_barrier();
    }

    __gcl_cg arrival_token barrier_arrive() const {
        return {};
    }

    __gcl_cg void barrier_wait(arrival_token && = {}) const {
        __gcl_grid_barrier();
    }

    static __gcl_cg unsigned long long block_rank() {
        return ((unsigned long long)__gcl_ctaid_z() * __gcl_nctaid_y() + __gcl_ctaid_y()) *
                   __gcl_nctaid_x() +
               __gcl_ctaid_x();
    }

    static __gcl_cg unsigned long long thread_rank() {
        return block_rank() * __block_size() + __block_rank();
    }

    static __gcl_cg unsigned long long num_blocks() {
        return (unsigned long long)__gcl_nctaid_x() * __gcl_nctaid_y() * __gcl_nctaid_z();
    }

    static __gcl_cg unsigned long long num_threads() {
        return num_blocks() * __block_size();
    }

    static __gcl_cg unsigned long long size() {
        return num_threads();
    }

    static __gcl_cg dim3 dim_blocks() {
        return dim3(__gcl_nctaid_x(), __gcl_nctaid_y(), __gcl_nctaid_z());
    }

    static __gcl_cg dim3 group_dim() {
        return dim_blocks();
    }

    static __gcl_cg dim3 block_index() {
        return dim3(__gcl_ctaid_x(), __gcl_ctaid_y(), __gcl_ctaid_z());
    }

    static __gcl_cg dim3 dim_clusters() {
        return dim_blocks();
    }

    static __gcl_cg dim3 cluster_index() {
        return block_index();
    }

    static __gcl_cg unsigned long long cluster_rank() {
        return block_rank();
    }

    static __gcl_cg unsigned long long num_clusters() {
        return num_blocks();
    }

  private:
    __gcl_cg grid_group() : thread_group(__group_kind::__grid, 0) {
    }

    friend __gcl_cg grid_group this_grid();
};

inline __gcl_cg grid_group this_grid() {
    return grid_group();
}

class cluster_group : public thread_group {
  public:
    struct arrival_token {};

    static __gcl_cg void sync() {
        __gcl_barrier();
    }

    static __gcl_cg arrival_token barrier_arrive() {
        return {};
    }

    static __gcl_cg void barrier_wait(arrival_token && = {}) {
        __gcl_barrier();
    }

    static __gcl_cg unsigned thread_rank() {
        return __block_rank();
    }

    static __gcl_cg unsigned num_threads() {
        return __block_size();
    }

    static __gcl_cg unsigned size() {
        return __block_size();
    }

    static __gcl_cg unsigned block_rank() {
        return 0;
    }

    static __gcl_cg unsigned num_blocks() {
        return 1;
    }

    static __gcl_cg dim3 block_index() {
        return dim3(0, 0, 0);
    }

    static __gcl_cg dim3 dim_blocks() {
        return dim3(1, 1, 1);
    }

    static __gcl_cg dim3 thread_index() {
        return thread_block::thread_index();
    }

    static __gcl_cg dim3 dim_threads() {
        return thread_block::dim_threads();
    }

    static __gcl_cg unsigned query_shared_rank(const void *) {
        return 0;
    }

    template <typename __T> static __gcl_cg __T *map_shared_rank(__T *__address, int) {
        return __address;
    }

  private:
    __gcl_cg cluster_group() : thread_group(__group_kind::__cluster, 0) {
    }

    friend __gcl_cg cluster_group this_cluster();
};

inline __gcl_cg cluster_group this_cluster() {
    return cluster_group();
}

inline __gcl_cg unsigned long long thread_group::thread_rank() const {
    if (__kind == __group_kind::__lanes)
        return __rank_in(__mask);
    if (__kind == __group_kind::__warps)
        return __block_rank() % __mask;
    return __kind == __group_kind::__grid ? grid_group::thread_rank() : __block_rank();
}

// ---- Lanes of one warp ----

/// Threads that happened to run together, or a part of another group: any lanes of one warp.
class coalesced_group : public thread_group {
  public:
    __gcl_cg explicit coalesced_group(unsigned __mask, unsigned __meta_rank = 0,
                                      unsigned __meta_size = 1)
        : thread_group(__group_kind::__lanes, __mask), __meta_rank(__meta_rank),
          __meta_size(__meta_size) {
    }

    __gcl_cg void sync() const {
        __gcl_warp_sync(__mask);
    }

    __gcl_cg unsigned num_threads() const {
        return __builtin_popcount(__mask);
    }

    __gcl_cg unsigned size() const {
        return num_threads();
    }

    __gcl_cg unsigned thread_rank() const {
        return __rank_in(__mask);
    }

    __gcl_cg unsigned meta_group_rank() const {
        return __meta_rank;
    }

    __gcl_cg unsigned meta_group_size() const {
        return __meta_size;
    }

    template <typename __T> __gcl_cg __T shfl(__T __value, unsigned __rank) const {
        return __shuffle(__mask, __value, __lane_of_rank(__mask, __rank % num_threads()));
    }

    template <typename __T> __gcl_cg __T shfl_up(__T __value, unsigned __delta) const {
        unsigned __rank = thread_rank();
        return __shuffle(__mask, __value,
                         __lane_of_rank(__mask, __rank < __delta ? __rank : __rank - __delta));
    }

    template <typename __T> __gcl_cg __T shfl_down(__T __value, unsigned __delta) const {
        unsigned __rank = thread_rank();
        bool __inside = __rank + __delta < num_threads();
        return __shuffle(__mask, __value,
                         __lane_of_rank(__mask, __inside ? __rank + __delta : __rank));
    }

    __gcl_cg int any(int __predicate) const {
        return __gcl_warp_ballot(__mask, __predicate != 0) != 0;
    }

    __gcl_cg int all(int __predicate) const {
        return __gcl_warp_ballot(__mask, __predicate == 0) == 0;
    }

    __gcl_cg unsigned ballot(int __predicate) const {
        return __lanes_to_ranks(__gcl_warp_ballot(__mask, __predicate != 0), __mask);
    }

    template <typename __T> __gcl_cg unsigned match_any(__T __value) const {
        return __lanes_to_ranks(__match(__mask, __value), __mask);
    }

    template <typename __T> __gcl_cg unsigned match_all(__T __value, int &__predicate) const {
        __predicate = all(__match(__mask, __value) == __mask);
        return __predicate ? __lanes_to_ranks(__mask, __mask) : 0;
    }

    __gcl_cg unsigned __source_lane(unsigned __rank) const {
        return __lane_of_rank(__mask, __rank);
    }

  private:
    unsigned __meta_rank;
    unsigned __meta_size;
};

inline __gcl_cg coalesced_group coalesced_threads() {
    return coalesced_group(__gcl_warp_ballot(0, 1));
}

template <unsigned __count, typename __parent = void> class thread_block_tile;

template <unsigned __count, bool __is_wide> class __tile;

/// `__count` lanes in a row, a power of two up to 32, first of them at a multiple of `__count`.
template <unsigned __count> class __tile<__count, false> : public thread_group {
  public:
    __gcl_cg operator coalesced_group() const {
        return coalesced_group(__tile_mask(), __meta_rank, __meta_size);
    }

    __gcl_cg void sync() const {
        __gcl_warp_sync(__tile_mask());
    }

    static __gcl_cg constexpr unsigned num_threads() {
        return __count;
    }

    static __gcl_cg constexpr unsigned size() {
        return __count;
    }

    static __gcl_cg unsigned thread_rank() {
        return __lane() & (__count - 1);
    }

    __gcl_cg unsigned meta_group_rank() const {
        return __meta_rank;
    }

    __gcl_cg unsigned meta_group_size() const {
        return __meta_size;
    }

    template <typename __T> __gcl_cg __T shfl(__T __value, unsigned __rank) const {
        return __shuffle(__tile_mask(), __value, __source_lane(__rank & (__count - 1)));
    }

    template <typename __T> __gcl_cg __T shfl_up(__T __value, unsigned __delta) const {
        unsigned __rank = thread_rank();
        return __shuffle(__tile_mask(), __value,
                         __source_lane(__rank < __delta ? __rank : __rank - __delta));
    }

    template <typename __T> __gcl_cg __T shfl_down(__T __value, unsigned __delta) const {
        unsigned __rank = thread_rank();
        bool __inside = __rank + __delta < __count;
        return __shuffle(__tile_mask(), __value,
                         __source_lane(__inside ? __rank + __delta : __rank));
    }

    template <typename __T> __gcl_cg __T shfl_xor(__T __value, unsigned __bits) const {
        unsigned __rank = thread_rank();
        unsigned __other = __rank ^ __bits;
        return __shuffle(__tile_mask(), __value,
                         __source_lane(__other < __count ? __other : __rank));
    }

    __gcl_cg int any(int __predicate) const {
        return __gcl_warp_ballot(__tile_mask(), __predicate != 0) != 0;
    }

    __gcl_cg int all(int __predicate) const {
        return __gcl_warp_ballot(__tile_mask(), __predicate == 0) == 0;
    }

    __gcl_cg unsigned ballot(int __predicate) const {
        return __gcl_warp_ballot(__tile_mask(), __predicate != 0) >> __source_lane(0);
    }

    template <typename __T> __gcl_cg unsigned match_any(__T __value) const {
        return __match(__tile_mask(), __value) >> __source_lane(0);
    }

    template <typename __T> __gcl_cg unsigned match_all(__T __value, int &__predicate) const {
        // A block's last warp may lack lanes, so equal is what the first lane's matches say.
        unsigned __same = __match(__tile_mask(), __value);
        __predicate = all(__same == (unsigned)__gcl_warp_ballot(__tile_mask(), 1));
        return __predicate ? __same >> __source_lane(0) : 0;
    }

    static __gcl_cg unsigned __source_lane(unsigned __rank) {
        return (__lane() & ~(__count - 1)) + __rank;
    }

    static __gcl_cg unsigned __lane_mask() {
        return __tile_mask();
    }

  protected:
    __gcl_cg __tile(unsigned __meta_rank, unsigned __meta_size)
        : thread_group(__group_kind::__lanes, __tile_mask()), __meta_rank(__meta_rank),
          __meta_size(__meta_size) {
    }

    static __gcl_cg unsigned __tile_mask() {
        return (~0u >> (32 - __count)) << (__lane() & ~(__count - 1));
    }

    unsigned __meta_rank;
    unsigned __meta_size;
};

} // namespace cooperative_groups

#include <cooperative_groups/gcluster_wide_tile.h>

namespace cooperative_groups {

/// A tile of any parent.
template <unsigned __count>
class thread_block_tile<__count, void> : public __tile<__count, (__count > 32)> {
    static_assert(__count && __count <= 1024 && !(__count & (__count - 1)),
                  "a tile's size is a power of two");

  public:
    template <typename __parent>
    __gcl_cg thread_block_tile(const thread_block_tile<__count, __parent> &__other)
        : thread_block_tile(__other.meta_group_rank(), __other.meta_group_size()) {
    }

  protected:
    __gcl_cg thread_block_tile(unsigned __meta_rank, unsigned __meta_size)
        : __tile<__count, (__count > 32)>(__meta_rank, __meta_size) {
    }

    friend __gcl_cg thread_block_tile<1, void> this_thread();
};

/// A tile that knows what it is part of.
template <unsigned __count, typename __parent>
class thread_block_tile : public thread_block_tile<__count, void> {
    __gcl_cg thread_block_tile(unsigned __meta_rank, unsigned __meta_size)
        : thread_block_tile<__count, void>(__meta_rank, __meta_size) {
    }

    template <unsigned __n, typename __group>
    friend __gcl_cg thread_block_tile<__n, __group> tiled_partition(const __group &__parent_group);
};

template <typename __group> struct __is_wide_tile {
    static constexpr bool value = false;
};

template <unsigned __count, typename __parent>
struct __is_wide_tile<thread_block_tile<__count, __parent>> {
    static constexpr bool value = __count > 32;
};

inline __gcl_cg thread_block_tile<1, void> this_thread() {
    return thread_block_tile<1, void>(0, 1);
}

// ---- Partitions ----

template <unsigned __count, typename __parent>
inline __gcl_cg thread_block_tile<__count, __parent> tiled_partition(const __parent &__group) {
    return thread_block_tile<__count, __parent>(__group.thread_rank() / __count,
                                                (__group.num_threads() + __count - 1) / __count);
}

/// The part of `__mask` with this thread when it is cut after every `__size` lanes.
static inline __gcl_cg unsigned __part_of(unsigned __mask, unsigned __size) {
    unsigned __first = __rank_in(__mask) / __size * __size;
    unsigned __part = 0;
    for (unsigned __rank = 0; __mask; __rank++, __mask &= __mask - 1)
        __part |= __rank >= __first && __rank - __first < __size ? __mask & -__mask : 0;
    return __part;
}

/// Tiles of a size known only at run time, a power of two of at most 32.
inline __gcl_cg thread_group tiled_partition(const thread_group &__parent, unsigned __size) {
    unsigned __mask = __parent.__lane_mask();
    return thread_group(__group_kind::__lanes, __part_of(__mask ? __mask : ~0u, __size));
}

inline __gcl_cg coalesced_group tiled_partition(const coalesced_group &__parent, unsigned __size) {
    return coalesced_group(__part_of(__parent.__lane_mask(), __size),
                           __parent.thread_rank() / __size,
                           (__parent.num_threads() + __size - 1) / __size);
}

template <unsigned __count>
inline __gcl_cg coalesced_group tiled_partition(const coalesced_group &__parent) {
    return tiled_partition(__parent, __count);
}

/// The threads of the group that pass an equal label.
template <typename __group, typename __label>
inline __gcl_cg coalesced_group labeled_partition(const __group &__parent, __label __value) {
    unsigned __same = __match(__parent.__lane_mask(), __value);
    unsigned __leader = __builtin_ctz(__same);
    unsigned __leaders = __gcl_warp_ballot(__parent.__lane_mask(), __leader == __lane());
    return coalesced_group(__same, __builtin_popcount(__lanes_below(__leaders, __leader)),
                           __builtin_popcount(__leaders));
}

template <typename __group>
inline __gcl_cg coalesced_group binary_partition(const __group &__parent, bool __predicate) {
    return labeled_partition(__parent, (int)__predicate);
}

// ---- Free functions ----

template <typename __group> inline __gcl_cg void sync(const __group &__threads) {
    __threads.sync();
}

template <typename __group> inline __gcl_cg void synchronize(const __group &__threads) {
    __threads.sync();
}

template <typename __group>
inline __gcl_cg unsigned long long thread_rank(const __group &__threads) {
    return __threads.thread_rank();
}

template <typename __group>
inline __gcl_cg unsigned long long group_size(const __group &__threads) {
    return __threads.num_threads();
}

/// Lets one thread of the group call the function; the others pass by.
template <typename __group, typename __function, typename... __types>
inline __gcl_cg void invoke_one(const __group &__threads, __function &&__call,
                                __types &&...__arguments) {
    if (__threads.thread_rank() == 0)
        static_cast<__function &&>(__call)(static_cast<__types &&>(__arguments)...);
}

/// As invoke_one, and every thread of the group returns the function's result.
template <typename __group, typename __function, typename... __types>
inline __gcl_cg auto invoke_one_broadcast(const __group &__threads, __function &&__call,
                                          __types &&...__arguments)
    -> decltype(__call(static_cast<__types &&>(__arguments)...)) {
    decltype(__call(static_cast<__types &&>(__arguments)...)) __result{};
    if (__threads.thread_rank() == 0)
        __result = static_cast<__function &&>(__call)(static_cast<__types &&>(__arguments)...);
    return __threads.shfl(__result, 0);
}

namespace experimental {
using cooperative_groups::block_tile_memory;
using cooperative_groups::this_thread_block;
using cooperative_groups::tiled_partition;
} // namespace experimental

} // namespace cooperative_groups

#endif
