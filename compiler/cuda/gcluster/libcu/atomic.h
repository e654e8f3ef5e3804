// cuda::atomic and atomic_ref, of numbers, pointers and other types of up to 8 bytes: clang's
// atomic builtins, in the strictest order.
#ifndef GCLUSTER_LIBCU_ATOMIC_H
#define GCLUSTER_LIBCU_ATOMIC_H

#pragma GCC system_header

#include <stddef.h>

#include <type_traits>

#include "scope.h"
#include "standard.h"

namespace cuda {
namespace gcl {

/// What atomic objects, volatile ones too, and references to others can do to *where(); Self has
/// that.
template <class Self, class T> struct atomic_operations {
    static_assert(sizeof(T) <= 8, "atomic operations on more than 8 bytes are not supported");

    GCL_LIBCU T load(memory_order = memory_order_seq_cst) const volatile {
        T value;
        __atomic_load(where(), &value, __ATOMIC_SEQ_CST);
        return value;
    }
    GCL_LIBCU void store(T value, memory_order = memory_order_seq_cst) const volatile {
        __atomic_store(where(), &value, __ATOMIC_SEQ_CST);
    }
    /// Waits until the value isn't `old`.
    GCL_LIBCU void wait(T old, memory_order = memory_order_seq_cst) const volatile {
        while (is_same(load(), old))
            ;
    }
    /// Threads that wait look by themselves: nobody has to wake them up.
    GCL_LIBCU void notify_one() const volatile {
    }
    GCL_LIBCU void notify_all() const volatile {
    }
    GCL_LIBCU T exchange(T value, memory_order = memory_order_seq_cst) const volatile {
        T old;
        __atomic_exchange(where(), &value, &old, __ATOMIC_SEQ_CST);
        return old;
    }
    GCL_LIBCU bool compare_exchange_strong(T &expected, T value,
                                           memory_order = memory_order_seq_cst,
                                           memory_order = memory_order_seq_cst) const volatile {
        return __atomic_compare_exchange(where(), &expected, &value, false, __ATOMIC_SEQ_CST,
                                         __ATOMIC_SEQ_CST);
    }
    GCL_LIBCU bool compare_exchange_weak(T &expected, T value, memory_order = memory_order_seq_cst,
                                         memory_order = memory_order_seq_cst) const volatile {
        return compare_exchange_strong(expected, value);
    }

    /// `operand`: a T, or of pointers a number of elements.
    template <class U>
    GCL_LIBCU T fetch_add(U operand, memory_order = memory_order_seq_cst) const volatile {
        if constexpr (::std::is_integral<T>::value)
            return __atomic_fetch_add(where(), operand, __ATOMIC_SEQ_CST);
        else
            return change([=](T old) { return static_cast<T>(old + operand); });
    }
    template <class U>
    GCL_LIBCU T fetch_sub(U operand, memory_order = memory_order_seq_cst) const volatile {
        if constexpr (::std::is_integral<T>::value)
            return __atomic_fetch_sub(where(), operand, __ATOMIC_SEQ_CST);
        else
            return change([=](T old) { return static_cast<T>(old - operand); });
    }
    GCL_LIBCU T fetch_and(T operand, memory_order = memory_order_seq_cst) const volatile {
        return __atomic_fetch_and(where(), operand, __ATOMIC_SEQ_CST);
    }
    GCL_LIBCU T fetch_or(T operand, memory_order = memory_order_seq_cst) const volatile {
        return __atomic_fetch_or(where(), operand, __ATOMIC_SEQ_CST);
    }
    GCL_LIBCU T fetch_xor(T operand, memory_order = memory_order_seq_cst) const volatile {
        return __atomic_fetch_xor(where(), operand, __ATOMIC_SEQ_CST);
    }
    GCL_LIBCU T fetch_min(T operand, memory_order = memory_order_seq_cst) const volatile {
        return change([=](T old) { return operand < old ? operand : old; });
    }
    GCL_LIBCU T fetch_max(T operand, memory_order = memory_order_seq_cst) const volatile {
        return change([=](T old) { return old < operand ? operand : old; });
    }

    GCL_LIBCU operator T() const volatile {
        return load();
    }
    GCL_LIBCU T operator=(T value) const volatile {
        store(value);
        return value;
    }
    GCL_LIBCU T operator++() const volatile {
        return fetch_add(1) + 1;
    }
    GCL_LIBCU T operator++(int) const volatile {
        return fetch_add(1);
    }
    GCL_LIBCU T operator--() const volatile {
        return fetch_sub(1) - 1;
    }
    GCL_LIBCU T operator--(int) const volatile {
        return fetch_sub(1);
    }
    template <class U> GCL_LIBCU T operator+=(U operand) const volatile {
        return fetch_add(operand) + operand;
    }
    template <class U> GCL_LIBCU T operator-=(U operand) const volatile {
        return fetch_sub(operand) - operand;
    }
    GCL_LIBCU T operator&=(T operand) const volatile {
        return fetch_and(operand) & operand;
    }
    GCL_LIBCU T operator|=(T operand) const volatile {
        return fetch_or(operand) | operand;
    }
    GCL_LIBCU T operator^=(T operand) const volatile {
        return fetch_xor(operand) ^ operand;
    }

  private:
    /// Whether both have the same bits: a NaN is the same as itself, and 0 isn't -0.
    static GCL_LIBCU bool is_same(T a, T b) {
        if constexpr (::std::is_floating_point<T>::value) {
            typedef typename ::std::conditional<sizeof(T) == 4, unsigned, unsigned long long>::type
                bits;
            return __builtin_bit_cast(bits, a) == __builtin_bit_cast(bits, b);
        } else {
            return a == b;
        }
    }
    GCL_LIBCU T *where() const volatile {
        return static_cast<const volatile Self *>(this)->address();
    }
    template <class Function> GCL_LIBCU T change(Function function) const volatile {
        T old = load();
        while (!compare_exchange_strong(old, function(old)))
            ;
        return old;
    }
};

} // namespace gcl

template <class T, thread_scope scope = thread_scope_system>
struct atomic : gcl::atomic_operations<atomic<T, scope>, T> {
    typedef T value_type;

    atomic() noexcept = default;
    GCL_LIBCU constexpr atomic(T value) noexcept : value(value) {
    }
    atomic(const atomic &) = delete;
    atomic &operator=(const atomic &) = delete;
    GCL_LIBCU T operator=(T other) {
        this->store(other);
        return other;
    }
    GCL_LIBCU T operator=(T other) volatile {
        this->store(other);
        return other;
    }

    GCL_LIBCU T *address() const volatile {
        return const_cast<T *>(&value);
    }

  private:
    alignas(sizeof(T)) T value;
};

template <class T, thread_scope scope = thread_scope_system>
struct atomic_ref : gcl::atomic_operations<atomic_ref<T, scope>, T> {
    typedef T value_type;

    GCL_LIBCU explicit atomic_ref(T &object) : object(&object) {
    }
    atomic_ref(const atomic_ref &) = default;
    using gcl::atomic_operations<atomic_ref, T>::operator=;

    GCL_LIBCU T *address() const volatile {
        return object;
    }

  private:
    T *object;
};

namespace std {
template <class T> using atomic = cuda::atomic<T>;
template <class T> using atomic_ref = cuda::atomic_ref<T>;
} // namespace std

} // namespace cuda

#endif
