// Warp operations: partial warps, rows that cross warps, masks that shrink, votes in loops.
#include "../device/check.h"

__device__ static int linear() {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

__device__ static unsigned lanes() {
    int left = blockDim.x * blockDim.y * blockDim.z - linear() / 32 * 32;
    return left >= 32 ? ~0u : (1u << left) - 1;
}

struct Results {
    int up, down, across, one, eights, sum, ballot, any, all, match, back;
};

// Every operation, in warps that may be partial and whose lanes may stand in several rows.
__global__ void all_operations(Results *out) {
    int t = linear(), size = blockDim.x * blockDim.y * blockDim.z;
    unsigned mask = lanes();
    Results r;
    r.up = __shfl_up_sync(mask, t, 3);
    r.down = __shfl_down_sync(mask, t, 2);
    r.across = __shfl_xor_sync(mask, t, 1);
    r.one = __shfl_sync(mask, t * 7, (t / 32 * 3) % 5);
    r.eights = __shfl_sync(mask, t, 2, 8);
    r.sum = (int)__reduce_add_sync(mask, (unsigned)t);
    r.ballot = (int)__ballot_sync(mask, threadIdx.x % 2 == 0);
    r.any = __any_sync(mask, t == size - 1);
    r.all = __all_sync(mask, t < 33);
    r.match = (int)__match_any_sync(mask, threadIdx.x % 3);
    r.back = (int)__activemask();
    out[t] = r;
}

static void check_all_operations(dim3 block) {
    int size = (int)(block.x * block.y * block.z);
    Results *out = managed<Results>(size);
    all_operations<<<1, block>>>(out);
    SYNC();
    for (int t = 0; t < size; t++) {
        int lane = t % 32, first = t - lane, count = size - first < 32 ? size - first : 32, sum = 0;
        unsigned ballot = 0, match = 0, mask = count == 32 ? ~0u : (1u << count) - 1;
        bool all = true;
        for (int l = 0; l < count; l++) {
            int x = (first + l) % (int)block.x;
            sum += first + l;
            ballot |= (unsigned)(x % 2 == 0) << l;
            match |= (unsigned)(x % 3 == t % (int)block.x % 3) << l;
            all &= first + l < 33;
        }
        const Results &r = out[t];
        CHECK(r.up == (lane < 3 ? t : t - 3));
        CHECK(lane + 2 >= count || r.down == t + 2);
        CHECK((lane ^ 1) >= count || r.across == first + (lane ^ 1));
        int from = first / 32 * 3 % 5;
        CHECK(from >= count || r.one == (first + from) * 7);
        CHECK(lane / 8 * 8 + 2 >= count || r.eights == first + lane / 8 * 8 + 2);
        CHECK(r.sum == sum && (unsigned)r.ballot == ballot && (unsigned)r.match == match);
        CHECK(r.any == (first + count == size) && r.all == all && (unsigned)r.back == mask);
    }
    cudaFree(out);
}

// Lanes leave one after the other; those that are left go on together.
__global__ void shrinking(int *rounds, unsigned *last_votes, int *sums) {
    int t = threadIdx.x, k = 0, sum = 0;
    unsigned mask = lanes(), votes = 0;
    while (true) {
        votes = __ballot_sync(mask, k < t % 7);
        if (k >= t % 7)
            break;
        mask = votes;
        sum += (int)__reduce_add_sync(mask, (unsigned)t) + __shfl_sync(mask, t, __ffs(mask) - 1);
        k++;
    }
    rounds[t] = k;
    last_votes[t] = votes;
    sums[t] = sum;
}

static void check_shrinking(int size) {
    int *rounds = managed<int>(size), *sums = managed<int>(size);
    unsigned *votes = managed<unsigned>(size);
    shrinking<<<1, size>>>(rounds, votes, sums);
    SYNC();
    for (int t = 0; t < size; t++) {
        int first = t / 32 * 32, sum = 0;
        unsigned left = 0;
        for (int k = 0; k <= t % 7; k++) {
            int round = 0, leader = -1;
            left = 0;
            for (int l = 0; l < 32 && first + l < size; l++) {
                if (k >= (first + l) % 7)
                    continue;
                left |= 1u << l;
                round += first + l;
                leader = leader < 0 ? first + l : leader;
            }
            if (k < t % 7)
                sum += round + leader;
        }
        CHECK(rounds[t] == t % 7 && votes[t] == left && sums[t] == sum);
    }
}

// A warp's loop whose end the warp votes on: other warps need another number of rounds.
__global__ void voted(int *out) {
    int t = threadIdx.x, value = t * 37 % 100, rounds = 0;
    unsigned mask = lanes();
    while (__any_sync(mask, value > 5)) {
        int other = __shfl_xor_sync(mask, value, 1);
        value = (value + ((t ^ 1) < blockDim.x ? other : 0)) / 3;
        rounds++;
    }
    out[t] = rounds * 1000 + value;
}

static void check_voted(int size) {
    int *out = managed<int>(size);
    voted<<<1, size>>>(out);
    SYNC();
    for (int first = 0; first < size; first += 32) {
        int count = size - first < 32 ? size - first : 32, value[32], old[32], rounds = 0;
        bool more = false;
        for (int l = 0; l < count; l++) {
            value[l] = (first + l) * 37 % 100;
            more |= value[l] > 5;
        }
        for (; more; rounds++) {
            more = false;
            for (int l = 0; l < count; l++)
                old[l] = value[l];
            for (int l = 0; l < count; l++) {
                value[l] = (old[l] + ((l ^ 1) < count ? old[l ^ 1] : 0)) / 3;
                more |= value[l] > 5;
            }
        }
        for (int l = 0; l < count; l++)
            CHECK(out[first + l] == rounds * 1000 + value[l]);
    }
}

// Both sides of a branch use warp operations, one inside the other, and a function does too.
__device__ __noinline__ int sum_of(unsigned mask, int value) {
    return (int)__reduce_add_sync(mask, (unsigned)value);
}

__global__ void sides(int *out) {
    int t = threadIdx.x, r;
    if (t % 3 == 0) {
        unsigned mask = __activemask();
        r = sum_of(mask, t);
        if (t % 2 == 0)
            r += 1000 * __popc(__activemask());
        else
            r -= 1000 * __popc(__activemask());
    } else {
        r = -sum_of(__activemask(), 1);
        for (int k = 0; k < t % 4; k++)
            r += __popc(__activemask()) << (8 + 5 * k);
    }
    out[t] = r + __popc(__ballot_sync(0xffffffffu, r > 0));
}

static void check_sides() {
    int *out = managed<int>(32), expected[32], positive = 0;
    sides<<<1, 32>>>(out);
    SYNC();
    for (int t = 0; t < 32; t++) {
        int thirds = 0, same = 0, others = 0;
        for (int l = 0; l < 32; l++) {
            thirds += l % 3 == 0 ? l : 0;
            same += l % 3 == 0 && l % 2 == t % 2;
            others += l % 3 != 0;
        }
        int r = t % 3 == 0 ? thirds + (t % 2 ? -1000 : 1000) * same : -others;
        for (int k = 0; t % 3 && k < t % 4; k++) {
            int left = 0;
            for (int l = 0; l < 32; l++)
                left += l % 3 != 0 && k < l % 4;
            r += left << (8 + 5 * k);
        }
        expected[t] = r;
        positive += r > 0;
    }
    for (int t = 0; t < 32; t++)
        CHECK(out[t] == expected[t] + positive);
}

// A warp's number decides who works: the mask is full there and nobody is here.
__global__ void one_warp(float *out, const float *in) {
    __shared__ float sums[8];
    int t = threadIdx.x, warp = t / 32;
    float value = in[t];
    for (int d = 16; d > 0; d /= 2)
        value += __shfl_down_sync(0xffffffffu, value, d);
    if (t % 32 == 0)
        sums[warp] = value;
    __syncthreads();
    if (warp == 2) {
        value = t % 32 < 8 ? sums[t % 32] : 0;
        for (int d = 4; d > 0; d /= 2)
            value += __shfl_xor_sync(0xffffffffu, value, d);
        if (t % 32 == 5)
            *out = value;
    }
}

static void check_one_warp() {
    float *in = managed<float>(256), *out = managed<float>(1), sums[8];
    for (int i = 0; i < 256; i++)
        in[i] = 1.0f / (float)(i + 1);
    one_warp<<<1, 256>>>(out, in);
    SYNC();
    for (int w = 0; w < 8; w++) {
        float v[48] = {};
        for (int l = 0; l < 32; l++)
            v[l] = in[w * 32 + l];
        for (int d = 16; d > 0; d /= 2)
            for (int l = 0; l < d; l++)
                v[l] += v[l + d];
        sums[w] = v[0];
    }
    for (int d = 4; d > 0; d /= 2)
        for (int l = 0; l < d; l++)
            sums[l] += sums[l + d];
    CHECK(*out == sums[0]);
}

// What lanes left behind in a variable before they parted is still there when they meet again.
__global__ void meet_again(int *out) {
    int t = threadIdx.x, a = t, b = 0;
    for (int k = 0; k < 4; k++) {
        if ((t >> k) & 1)
            a += __popc(__ballot_sync(__activemask(), 1));
        else
            b -= a;
        __syncwarp();
        a += __shfl_xor_sync(0xffffffffu, b, 1 << k);
    }
    out[t] = a * 100 + b % 100;
}

static void check_meet_again() {
    int *out = managed<int>(64), a[64], b[64], old[64];
    meet_again<<<1, 64>>>(out);
    SYNC();
    for (int t = 0; t < 64; t++) {
        a[t] = t;
        b[t] = 0;
    }
    for (int k = 0; k < 4; k++) {
        for (int t = 0; t < 64; t++)
            *(t >> k & 1 ? &a[t] : &b[t]) += t >> k & 1 ? 16 : -a[t];
        for (int t = 0; t < 64; t++)
            old[t] = b[t];
        for (int t = 0; t < 64; t++)
            a[t] += old[t ^ (1 << k)];
    }
    for (int t = 0; t < 64; t++)
        CHECK(out[t] == a[t] * 100 + b[t] % 100);
}

int main() {
    for (dim3 block : {dim3(1), dim3(7), dim3(31), dim3(32), dim3(33), dim3(5, 3, 2), dim3(16, 16),
                       dim3(20, 3), dim3(100), dim3(1, 40), dim3(3, 3, 11)})
        check_all_operations(block);
    for (int size : {1, 7, 32, 50, 128, 250}) {
        check_shrinking(size);
        check_voted(size);
    }
    check_sides();
    check_one_warp();
    check_meet_again();
}
