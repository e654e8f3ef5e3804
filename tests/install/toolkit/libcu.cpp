// libcu++ for a host compiler.
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include <cuda/std/atomic>
#include <cuda/std/cstdint>
#include <cuda/std/type_traits>
#include <nv/target>

cuda::std::uint32_t count(cuda::atomic<int> &calls, cuda::std::binary_semaphore &passes) {
    passes.acquire();
    NV_DISPATCH_TARGET(NV_IS_DEVICE, (return 0;), NV_IS_HOST, (passes.release();))
    return static_cast<cuda::std::uint32_t>(calls.fetch_add(1) + 1);
}

void meet(cuda::barrier<cuda::thread_scope_system> &barrier, cuda::std::latch &latch) {
    barrier.arrive_and_wait();
    NV_IF_TARGET(NV_PROVIDES_SM_70, (), (latch.arrive_and_wait();))
}
