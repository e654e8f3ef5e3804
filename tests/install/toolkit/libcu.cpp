// libcu++ for a host compiler.
#include <cuda/atomic>
#include <cuda/std/atomic>
#include <cuda/std/cstdint>
#include <cuda/std/type_traits>

cuda::std::uint32_t count(cuda::atomic<int> &calls) {
    return static_cast<cuda::std::uint32_t>(calls.fetch_add(1) + 1);
}
