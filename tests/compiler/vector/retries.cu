// Loops that retry a compare-and-swap: every lane that is there gets through once, whether all want
// the same place or each its own, and goes on with what its last round has left.
#include "../device/check.h"

typedef unsigned long long Bits;

__device__ double add(double *p, double v, int *rounds) {
    Bits *bits = (Bits *)p, old = *bits, seen;
    *rounds = 0;
    do {
        seen = old;
        old = atomicCAS(bits, seen, __double_as_longlong(v + __longlong_as_double(seen)));
        ++*rounds;
    } while (seen != old);
    return __longlong_as_double(old);
}

__device__ void lower(float *p, float v) {
    int *bits = (int *)p, old = *bits;
    while (__int_as_float(old) > v) {
        int seen = old;
        old = atomicCAS(bits, seen, __float_as_int(v));
        if (old == seen)
            break;
    }
}

__device__ int index() {
    int in_block = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    return in_block + blockIdx.x * blockDim.x * blockDim.y * blockDim.z;
}

// What `n` threads leave behind.
struct Result {
    double all, some, spread[16];
    double seen[1024];
    int rounds[1024];
    float least;
    unsigned inc, dec, first[1024], last[1024];
    unsigned nested, inner;
    int head, next[1024];
    unsigned asked, turn, shuffled[1024];
    double shared;
    unsigned wrapped[4];
};

__global__ void contend(Result *r, int n) {
    int i = index(), rounds;
    if (i >= n)
        return;
    r->seen[i] = add(&r->all, 1, &r->rounds[i]);
    if (i % 3 == 1)
        add(&r->some, i, &rounds);
    add(&r->spread[i * 7 % 16], 0.5, &rounds);
    lower(&r->least, (float)(i * 37 % n));
    r->first[i] = atomicInc(&r->inc, 6);
    r->last[i] = atomicDec(&r->dec, 9);
}

// Loops around the one that retries, in it, and one in it that retries too.
__global__ void nest(Result *r, int n) {
    int i = index();
    for (int k = 0; k < i % 4 && i < n; k++) {
        unsigned old = r->nested, seen, next;
        do {
            next = seen = old;
            for (int j = 0; j <= i % 5; j++)
                next += j;
            unsigned inner = r->inner, before;
            do {
                before = inner;
                inner = atomicCAS(&r->inner, before, before | 1u << (i % 32));
            } while (inner != before);
            old = atomicCAS(&r->nested, seen, next);
        } while (old != seen);
    }
}

// Stores and local arrays in the loop.
__global__ void push(Result *r, int n) {
    int i = index(), history[4] = {-1, -1, -1, -1}, rounds = 0;
    if (i >= n)
        return;
    int old = r->head, seen;
    do {
        seen = history[rounds++ % 4] = old;
        r->next[i] = old;
        old = atomicCAS(&r->head, seen, i);
    } while (old != seen);
    if (history[(rounds - 1) % 4] != r->next[i])
        r->next[i] = -5;
}

__device__ __noinline__ unsigned own_x() {
    return threadIdx.x;
}

__global__ void ask(Result *r, int n) {
    int i = index();
    if (i >= n)
        return;
    unsigned old = r->asked, seen;
    do {
        seen = old;
        old = atomicCAS(&r->asked, seen, seen + own_x());
    } while (old != seen);
}

// Who waits for its turn doesn't expect what it has read, and lets the others go on.
__global__ void in_turn(Result *r, int n) {
    unsigned i = index();
    while (i < n && atomicCAS(&r->turn, i, i + 1) != i) {
    }
}

__global__ void in_shared(Result *r, int n) {
    __shared__ double sum;
    __shared__ unsigned wrapped[4];
    extern __shared__ int dynamic[];
    int i = index(), in_block = i % (blockDim.x * blockDim.y * blockDim.z), rounds;
    if (in_block == 0)
        sum = dynamic[0] = 0;
    if (in_block < 4)
        wrapped[in_block] = 0;
    __syncthreads();
    if (i < n) {
        add(&sum, i, &rounds);
        atomicInc(&wrapped[i % 4], 1000000);
        int old = dynamic[0], seen;
        do {
            seen = old;
            old = atomicCAS(&dynamic[0], seen, seen + 1);
        } while (seen != old);
    }
    __syncthreads();
    if (in_block == 0)
        add(&r->shared, sum + dynamic[0], &rounds);
    if (in_block < 4)
        atomicAdd(&r->wrapped[in_block], wrapped[in_block]);
}

// A vector is a warp here.
__global__ void in_warps(Result *r, int n) {
    int i = index();
    unsigned mine = atomicInc(&r->inc, ~0u);
    unsigned most = __reduce_max_sync(~0u, mine), least = __reduce_min_sync(~0u, mine);
    if (i < n)
        r->shuffled[i] = most - least;
}

static bool is_each_once(const double *values, int n) {
    bool seen[1024] = {};
    for (int i = 0; i < n; i++) {
        if (values[i] < 0 || values[i] >= n || seen[(int)values[i]])
            return false;
        seen[(int)values[i]] = true;
    }
    return true;
}

static void check_contended(const Result *r, int n) {
    double some = 0, spread[16] = {};
    unsigned first[7] = {}, last[10] = {};
    for (int i = 0; i < n; i++) {
        some += i % 3 == 1 ? i : 0;
        spread[i * 7 % 16] += 0.5;
        CHECK(r->rounds[i] >= 1 && r->first[i] < 7 && r->last[i] < 10);
        first[r->first[i]]++;
        last[r->last[i]]++;
    }
    CHECK(r->all == n && r->some == some && r->least == 0 && is_each_once(r->seen, n));
    for (int k = 0; k < 16; k++)
        CHECK(r->spread[k] == spread[k]);
    for (int k = 0; k < 7; k++) // 0, 1, … 6, 0, …
        CHECK(first[k] == (n + 6 - k) / 7u);
    for (int k = 0; k < 10; k++) // 0, 9, 8, … 0, 9, …
        CHECK(last[k] == (n + 9 - (10 - k) % 10) / 10u);
    CHECK(r->inc == n % 7u && r->dec == (10 - n % 10u) % 10);
}

static void check_lists(const Result *r, int n) {
    int length = 0;
    for (int i = r->head; i >= 0 && length <= n; i = r->next[i])
        length++;
    CHECK(length == n);
}

static void check(int n, dim3 block) {
    int size = (int)(block.x * block.y * block.z), grid = (n + size - 1) / size;
    Result *r = managed<Result>(1);
    r->least = 1e9f;
    contend<<<grid, block>>>(r, n);
    SYNC();
    check_contended(r, n);

    r->head = -1;
    nest<<<grid, block>>>(r, n);
    push<<<grid, block>>>(r, n);
    ask<<<grid, block>>>(r, n);
    in_turn<<<1, block>>>(r, n);
    in_shared<<<grid, block, 16>>>(r, n);
    SYNC();
    unsigned nested = 0, inner = 0, asked = 0, wrapped[4] = {};
    for (int i = 0; i < n; i++) {
        nested += i % 4 * (i % 5 * (i % 5 + 1) / 2);
        inner |= i % 4 ? 1u << (i % 32) : 0;
        asked += i % size % block.x;
        wrapped[i % 4]++;
    }
    CHECK(r->nested == nested && r->inner == inner && r->asked == asked);
    CHECK(r->turn == (unsigned)(size < n ? size : n));
    CHECK(r->shared == n * (n - 1) / 2 + n);
    for (int k = 0; k < 4 && size >= 4; k++)
        CHECK(r->wrapped[k] == wrapped[k]);
    check_lists(r, n);

    r->inc = 0;
    if (size % 32 == 0) {
        in_warps<<<1, block>>>(r, n);
        SYNC();
        for (int i = 0; i < n && i < size; i++)
            CHECK(r->shuffled[i] == 31);
        CHECK(r->inc == (unsigned)size);
    }
    cudaFree(r);
}

int main() {
    const dim3 blocks[] = {dim3(1),      dim3(33),    dim3(64),  dim3(5, 3, 2),
                           dim3(16, 16), dim3(8, 32), dim3(100), dim3(1024)};
    for (dim3 block : blocks) {
        check(1000, block);
        check(1024, block);
    }
    return 0;
}
