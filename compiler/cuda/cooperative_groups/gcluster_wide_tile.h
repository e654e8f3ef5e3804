// Tiles of several warps, included by cooperative_groups.h. Values pass through shared memory, a
// slot a thread, between two barriers of the block.
#pragma once

namespace cooperative_groups {

/// `__count` threads in a row, a power of two from 64 to 1024.
template <unsigned __count> class __tile<__count, true> : public thread_group {
  public:
    __gcl_cg void sync() const {
        __gcl_barrier();
    }

    static __gcl_cg constexpr unsigned num_threads() {
        return __count;
    }

    static __gcl_cg constexpr unsigned size() {
        return __count;
    }

    static __gcl_cg unsigned thread_rank() {
        return __block_rank() & (__count - 1);
    }

    __gcl_cg unsigned meta_group_rank() const {
        return __meta_rank;
    }

    __gcl_cg unsigned meta_group_size() const {
        return __meta_size;
    }

    template <typename __T> __gcl_cg __T shfl(const __T &__value, unsigned __rank) const {
        __T *__slots = __exchange(__value);
        __T __result = __slots[(__block_rank() & ~(__count - 1)) + (__rank & (__count - 1))];
        __gcl_barrier();
        return __result;
    }

    template <typename __T> __gcl_cg __T shfl_up(const __T &__value, unsigned __delta) const {
        unsigned __rank = thread_rank();
        return shfl(__value, __rank < __delta ? __rank : __rank - __delta);
    }

    template <typename __T> __gcl_cg __T shfl_down(const __T &__value, unsigned __delta) const {
        unsigned __rank = thread_rank();
        return shfl(__value, __rank + __delta < __count ? __rank + __delta : __rank);
    }

    template <typename __T> __gcl_cg __T shfl_xor(const __T &__value, unsigned __bits) const {
        unsigned __rank = thread_rank();
        return shfl(__value, (__rank ^ __bits) < __count ? __rank ^ __bits : __rank);
    }

    __gcl_cg int any(int __predicate) const {
        unsigned __votes = __gcl_warp_ballot(~0u, __predicate != 0);
        auto __either = [](unsigned __left, unsigned __right) { return __left | __right; };
        return __fold(__votes, __either, __count / 32) != 0;
    }

    __gcl_cg int all(int __predicate) const {
        return !any(!__predicate);
    }

    /// Combines, in order, one value of each of the tile's first `__warps` warps; all lanes of a
    /// warp pass the same value.
    template <typename __T, typename __function>
    __gcl_cg __T __fold(const __T &__warp_value, __function &&__combine, unsigned __warps) const {
        const __T *__slots = __exchange(__warp_value) + (__block_rank() & ~(__count - 1));
        __T __result = __slots[0];
        for (unsigned __warp = 1; __warp < __warps; __warp++)
            __result = __combine(__result, __slots[32 * __warp]);
        __gcl_barrier();
        return __result;
    }

  protected:
    __gcl_cg __tile(unsigned __meta_rank, unsigned __meta_size)
        : thread_group(__group_kind::__warps, __count), __meta_rank(__meta_rank),
          __meta_size(__meta_size) {
    }

    unsigned __meta_rank;
    unsigned __meta_size;

  private:
    // Every thread's value in its slot, until the next barrier.
    template <typename __T> static __gcl_cg __T *__exchange(const __T &__value) {
        __attribute__((shared)) static unsigned long long __memory[(sizeof(__T) * 1024 + 7) / 8];
        __T *__slots = reinterpret_cast<__T *>(__memory);
        __slots[__block_rank()] = __value;
        __gcl_barrier();
        return __slots;
    }
};

} // namespace cooperative_groups
