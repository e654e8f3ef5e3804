#include "../problem/bitonic.h"
#include "host.h"

static const char *source = R"CL(
#define THREADS 512
#define CHUNK (2 * THREADS)

// A work-item has a pair in each step: elements i and i + j.
uint first_of_pair(uint item, uint j) {
    return 2 * item - (item & (j - 1));
}

void merge(local uint *chunk, uint begin, uint k, uint largest_j) {
    for (uint j = largest_j; j > 0; j >>= 1) {
        uint i = first_of_pair(get_local_id(0), j);
        uint low = chunk[i], high = chunk[i + j];
        if ((low > high) == (((begin + i) & k) == 0)) {
            chunk[i] = high;
            chunk[i + j] = low;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

// All stages within chunks, in local memory.
kernel void sort_chunks(global uint *data) {
    local uint chunk[CHUNK];
    uint begin = get_group_id(0) * CHUNK, t = get_local_id(0);
    chunk[t] = data[begin + t];
    chunk[t + THREADS] = data[begin + t + THREADS];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 2; k <= CHUNK; k *= 2)
        merge(chunk, begin, k, k / 2);
    data[begin + t] = chunk[t];
    data[begin + t + THREADS] = chunk[t + THREADS];
}

// One step of stage k between chunks.
kernel void merge_step(global uint *data, uint k, uint j) {
    uint i = first_of_pair(get_global_id(0), j);
    uint low = data[i], high = data[i + j];
    if ((low > high) == ((i & k) == 0)) {
        data[i] = high;
        data[i + j] = low;
    }
}

// The last steps of stage k, within chunks.
kernel void merge_chunks(global uint *data, uint k) {
    local uint chunk[CHUNK];
    uint begin = get_group_id(0) * CHUNK, t = get_local_id(0);
    chunk[t] = data[begin + t];
    chunk[t + THREADS] = data[begin + t + THREADS];
    barrier(CLK_LOCAL_MEM_FENCE);
    merge(chunk, begin, k, CHUNK / 2);
    data[begin + t] = chunk[t];
    data[begin + t + THREADS] = chunk[t + THREADS];
}
)CL";

int main(int argc, char **argv) {
    bench::start(argc, argv);
    problem p;
    opencl cl(source);
    cl_kernel sort_chunks = cl.kernel("sort_chunks"), merge_step = cl.kernel("merge_step");
    cl_kernel merge_chunks = cl.kernel("merge_chunks");
    buffer<unsigned> data(cl, p.n);
    const unsigned chunk = 1024;
    range global = {p.n / 2}, local = {512};
    measure(
        cl,
        [&] {
            launch(cl, sort_chunks, global, local, data);
            for (unsigned k = 2 * chunk; k <= p.n; k *= 2) {
                for (unsigned j = k / 2; j >= chunk; j /= 2)
                    launch(cl, merge_step, global, local, data, k, j);
                launch(cl, merge_chunks, global, local, data, k);
            }
        },
        [&] { data.set(p.start.data()); });
    data.get(p.data);
    return bench::report(p);
}
