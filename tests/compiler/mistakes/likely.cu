// Programs that compile and are likely wrong: each kind is told, what could be right isn't.
// RUN: %gcluster-cc --dump=shapes %s 2> %t.log
// RUN: FileCheck --implicit-check-not=warning: %s < %t.log
// RUN: %gcluster-cc --dump=shapes -Wno-gcluster %s 2>&1 | FileCheck --check-prefix=NONE %s
// RUN: not %gcluster-cc --dump=shapes -Werror %s 2>&1 | FileCheck --check-prefix=ERROR %s
// RUN: %gcluster-cc --dump=shapes -Wgcluster-double-literal -Wgcluster-unchecked %s 2>&1 | FileCheck --check-prefix=HINT %s
// NONE-NOT: GCL3
// HINT: likely.cu:{{.*}} remark: 0.5 is a double, in which floats are computed here [GCL312]
// HINT-NEXT: out[x] = sum * 0.5;
// HINT-NEXT: ^~~
// HINT-NEXT: {{ f$}}
// HINT-NOT: GCL313
// ERROR: likely.cu:{{.*}} error: __syncthreads() {{.*}} [GCL305]
#include <cmath>
#include <cstdlib>
#include <vector>
__device__ int total[4];
__constant__ int limit;
__managed__ int shared_by_both;
struct row {
    int cells[4], *more;
};
__constant__ row rows[2];
__constant__ int *elsewhere;
__global__ void set(int *p) {
    rows[1].cells[2] = p[0];
    // CHECK: likely.cu:[[# @LINE - 1]]:5: warning: 'rows' is __constant__, which kernels can't set [GCL318]
    // CHECK: help: declare it __device__, or let the host set it with cudaMemcpyToSymbol()
    limit++;
    // CHECK: likely.cu:[[# @LINE - 1]]:5: warning: 'limit' is __constant__
    rows[1].more[2] = elsewhere[0] = rows[0].cells[1];
}
template <int N> __global__ void fill(int *p) {
    __shared__ int own[N][1024];
    own[threadIdx.x][0] = p[threadIdx.x];
}
__global__ void gather(int *p) {
    __shared__ char half[24 << 10], other[24 << 10];
    extern __shared__ int rest[];
    half[threadIdx.x] = other[threadIdx.x] = rest[threadIdx.x] = p[threadIdx.x];
    __shared__ int more;
    // CHECK: likely.cu:[[# @LINE - 1]]:5: warning: the function's shared variables take 49156 bytes so far, and GPUs have 49152 for those of known size [GCL317]
    // CHECK: help: make them smaller; or declare one extern, with its bytes in the launch, and raise
    more = half[0];
    p[0] = more;
}
__global__ void kernel(int *p) {
    int thread = threadIdx.x;
    if (thread == 0) {
        p[0] = 1;
        __syncthreads();
        // CHECK: likely.cu:[[# @LINE - 1]]:9: warning: __syncthreads() where only threads with thread == 0 come to [GCL305]
        // CHECK: help: call it where all threads of the block come to
    }
    if (threadIdx.x < 5)
        __syncthreads();
    // CHECK: likely.cu:[[# @LINE - 1]]:9: warning: __syncthreads() where only threads with threadIdx.x < 5 come to [GCL305]
    if (threadIdx.x < 16)
        __syncthreads();
    if (blockIdx.x == 0)
        __syncthreads();
    if (threadIdx.x == 0)
        p[0] = 1;
    else
        __syncthreads();
}
__global__ void lanes(int *p) {
    int lane = threadIdx.x & 31;
    if (lane < 16)
        p[0] = __shfl_down_sync(0xffffffff, p[lane], 8);
    // CHECK: likely.cu:[[# @LINE - 1]]:16: warning: __shfl_down_sync() waits for all lanes, and only those with lane < 16 come to [GCL309]
    // CHECK: help: name the lanes that come, or call it where all come to
    if (threadIdx.x == 3)
        __syncwarp();
    // CHECK: likely.cu:[[# @LINE - 1]]:9: warning: __syncwarp() waits for all lanes, and only those with threadIdx.x == 3 come to [GCL309]
    if (lane < 16)
        p[0] = __shfl_down_sync(0xffff, p[lane], 8);
    if (threadIdx.x < 32)
        p[0] = __shfl_down_sync(0xffffffff, p[lane], 8);
    if (threadIdx.x / 32 == 0)
        __syncwarp();
}
__global__ void rounds(const float *in, float *out, int n) {
    __shared__ float row[32], tile[8][32], pair[2][32];
    int x = threadIdx.x, y = threadIdx.y, which = 0;
    float sum = 0;
    for (int t = 0; t < n; t++) {
        tile[y][x] = in[t];
        __syncthreads();
        for (int k = 0; k < 8; k++)
            sum += tile[k][x];
        // CHECK: likely.cu:[[# @LINE - 1]]:20: warning: the loop's next round writes to 'tile' while other threads may still read it here [GCL310]
        // CHECK: help: call __syncthreads() once more at the end of the loop's body
    }
    for (int t = 0; t < n; t++) {
        tile[y][x] = in[t];
        __syncthreads();
        for (int k = 0; k < 8; k++)
            sum += tile[k][x];
        __syncthreads();
    }
    for (int t = 0; t < n; t++) {
        pair[which][x] = in[t];
        __syncthreads();
        for (int k = 0; k < 32; k++)
            sum += pair[which][k];
        which = 1 - which;
    }
    for (int t = 0; t < n; t++) {
        int side = t & 1;
        pair[side][x] = in[t];
        __syncthreads();
        sum += pair[side][0];
    }
    for (int t = 0; t < n; t++) {
        row[x] = in[t];
        __syncthreads();
        sum += row[x];
        if (x == 0)
            sum += row[0];
    }
    for (int t = 0; t < n; t++) {
        if (t == 0)
            row[x] = in[t];
        __syncthreads();
        for (int k = 0; k < 32; k++)
            sum += row[k];
    }
    out[x] = sum * 0.5;
}
__global__ void by_reference(int &value, const int &other) {
    value = other;
}
void launches(int *d, int n, int blocks) {
    dim3 block(32, 33), fine(32, 32);
    kernel<<<1, block>>>(d);
    // CHECK: likely.cu:[[# @LINE - 1]]:17: warning: launch with blocks of 32 x 33 x 1 threads [GCL300]
    // CHECK: help: a block has 1 to 1024 threads, and at most 64 of them in z
    const int size = 100;
    kernel<<<size / 256, 256>>>(d);
    // CHECK: likely.cu:[[# @LINE - 1]]:14: warning: launch of no blocks: 0 x 1 x 1 [GCL300]
    // CHECK: help: a grid has one block at least
    kernel<<<ceil(n / 256), 256>>>(d);
    // CHECK: likely.cu:[[# @LINE - 1]]:19: warning: quotient of integers is rounded down before ceil() sees it [GCL306]
    // CHECK: help: write (n + threads - 1) / threads
    kernel<<<ceil(n / 256.0), fine>>>(d);
    kernel<<<ceil(512 / 256), 256>>>(d);
    kernel<<<blocks, 256>>>(d);
    int later = 0;
    later += n;
    kernel<<<later, 256>>>(d);
}
void pointers(int n, int *given, bool which) {
    int *d, *h = (int *)malloc(n * sizeof(int)), *managed, *pinned;
    int *either = (int *)malloc(n), local[4];
    std::vector<int> v(n);
    std::vector<int *> tables(2, given);
    int *rows[2] = {given, given};
    cudaMalloc((void **)&d, n * sizeof(int));
    cudaMallocManaged(&managed, n * sizeof(int));
    cudaMallocHost(&pinned, n * sizeof(int));
    if (which)
        cudaMalloc(&either, n);
    kernel<<<1, 32>>>(h + 1);
    // CHECK: likely.cu:[[# @LINE - 1]]:23: warning: kernel is given 'h + 1', which leads to memory of the host [GCL301]
    // CHECK: help: give it memory of cudaMalloc(), and copy there
    kernel<<<1, 32>>>(v.data());
    // CHECK: likely.cu:[[# @LINE - 1]]:23: warning: kernel is given 'v.data()', which leads to memory of the host [GCL301]
    kernel<<<1, 32>>>(local);
    // CHECK: likely.cu:[[# @LINE - 1]]:23: warning: kernel is given 'local', which leads to memory of the host [GCL301]
    kernel<<<1, 32>>>(d + 1);
    kernel<<<1, 32>>>(managed);
    kernel<<<1, 32>>>(pinned);
    kernel<<<1, 32>>>(tables[0]);
    kernel<<<1, 32>>>(rows[0]);
    kernel<<<1, 32>>>(either);
    kernel<<<1, 32>>>(given);
    int value = 0;
    by_reference<<<1, 32>>>(value, *managed);
    // CHECK: likely.cu:[[# @LINE - 1]]:29: warning: kernel is given 'value' by reference, which is memory of the host [GCL301]
    // CHECK: help: pass it by value, or a pointer to memory of cudaMalloc()
    by_reference<<<1, 32>>>(*managed, managed[1]);
    d[1] = 2;
    // CHECK: likely.cu:[[# @LINE - 1]]:5: warning: the host uses what 'd' leads to, which is memory of the device [GCL302]
    // CHECK: help: copy it with cudaMemcpy(), or allocate it with cudaMallocManaged()
    managed[0] = pinned[0] = h[0] = either[0] = local[0];
    int *part = &d[sizeof(*d)];
    auto on_device = [=] __device__() { d[0] = 1; };
    cudaMemcpy(h, d, n * sizeof(int), cudaMemcpyHostToDevice);
    // CHECK: likely.cu:[[# @LINE - 1]]:16: warning: cudaMemcpyHostToDevice, but 'h' leads to memory of the host [GCL303]
    // CHECK: help: the target comes first, then the source; cudaMemcpyDefault finds out
    // CHECK: likely.cu:[[# @LINE - 3]]:19: warning: cudaMemcpyHostToDevice, but 'd' leads to memory of the device [GCL303]
    cudaMemcpy(local, managed, 16, cudaMemcpyDeviceToHost);
    cudaMemcpy(d, h, n, cudaMemcpyHostToDevice);
    // CHECK: likely.cu:[[# @LINE - 1]]:22: warning: this memory has n bytes in one call, and n * sizeof(int) in another [GCL304]
    // CHECK: help: sizes are bytes: multiply by sizeof
    cudaMemcpy(d, h, 4 * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice);
    // CHECK: likely.cu:[[# @LINE - 1]]:22: warning: sizeof(h) is the size of the pointer, not of what it leads to [GCL304]
    // CHECK: help: multiply the number of elements by the size of one
    cudaMemcpy(d, local, sizeof(local), cudaMemcpyHostToDevice);
    double *one, *from = new double;
    cudaMalloc(&one, sizeof(*one));
    cudaMemcpy(one, from, sizeof(from), cudaMemcpyHostToDevice);
}
void symbols() {
    int value = 0;
    cudaMemcpyToSymbol("limit", &value, sizeof value);
    // CHECK: likely.cu:[[# @LINE - 1]]:24: warning: cudaMemcpyToSymbol() takes a variable, not its name [GCL307]
    // CHECK: help: write the variable, without quotes
    cudaMemcpyToSymbol(limit, &value, sizeof value);
    cudaMemcpyFromSymbol(&value, &limit, sizeof value);
    // CHECK: likely.cu:[[# @LINE - 1]]:34: warning: cudaMemcpyFromSymbol() takes a variable, not its address [GCL307]
    // CHECK: help: write the variable, without &
    cudaMemcpyFromSymbol(&value, (const void *)&limit, sizeof value);
    total[1] = 3;
    // CHECK: likely.cu:[[# @LINE - 1]]:5: warning: the host uses 'total', which is a variable of the device [GCL308]
    // CHECK: help: use cudaMemcpyToSymbol() and cudaMemcpyFromSymbol()
    cudaMemcpyToSymbol(total, &value, sizeof(total[0]));
    shared_by_both = limit;
    // CHECK: likely.cu:[[# @LINE - 1]]:22: warning: the host uses 'limit', which is a variable of the device [GCL308]
}
