// What small operations cost in a row: launches that depend on each other by a halo, launches in
// several streams, and copies of a few bytes. Prints the best round's microseconds an operation.
//
//     small halo1|halo2 <launches> <cells a row> [<streams>]
//                                                  a stencil, back and forth between two arrays
//     small streams <launches> <streams>           launches in turn in each of some streams
//     small in|out <copies>                        cudaMemcpy of 4 bytes
//     small in-async|out-async <copies>            cudaMemcpyAsync of 4 bytes of pinned memory
#include "host.h"

#include <algorithm>
#include <cstring>

enum { ROUNDS = 9, BLOCK = 64, ROWS = 64, STREAMS = 16 };

__global__ void step1(const unsigned *in, unsigned *out, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        out[i] = in[i] + (i > 0 ? in[i - 1] : 0) + (i < count - 1 ? in[i + 1] : 0);
}

__global__ void step2(const unsigned *in, unsigned *out, int width) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x < width)
        out[y * width + x] = in[y * width + x] + (y > 0 ? in[(y - 1) * width + x] : 0) +
                             (y < ROWS - 1 ? in[(y + 1) * width + x] : 0);
}

__global__ void add(unsigned *numbers) {
    numbers[blockIdx.x * blockDim.x + threadIdx.x]++;
}

static int rows, width;

/// The same stencil on the host: a dimension of the stencil is one of the grid.
static std::vector<unsigned> stepped(std::vector<unsigned> from, int count) {
    std::vector<unsigned> to(from.size());
    int stride = rows > 1 ? width : 1, end = (int)from.size();
    for (int step = 0; step < count; step++) {
        for (int i = 0; i < end; i++)
            to[i] = from[i] + (i >= stride ? from[i - stride] : 0) +
                    (i + stride < end ? from[i + stride] : 0);
        from.swap(to);
    }
    return from;
}

/// A pair of arrays that a stencil goes back and forth between, in a stream.
struct Field {
    std::vector<unsigned> start;
    unsigned *in, *out;
    cudaStream_t stream;
    int steps = 0;

    Field() : start(rows * width) {
        for (size_t i = 0; i < start.size(); i++)
            start[i] = i % 7;
        in = copy_of(start);
        out = allocate<unsigned>(start.size());
        check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    }

    void step() {
        dim3 grid((width + BLOCK - 1) / BLOCK, rows);
        if (rows > 1)
            step2<<<grid, BLOCK, 0, stream>>>(in, out, width);
        else
            step1<<<grid, BLOCK, 0, stream>>>(in, out, width);
        std::swap(in, out);
        steps++;
    }

    bool is_right() const { return host_copy(in, start.size()) == stepped(start, steps); }
};

static double halo(int launches, int count, bool *is_right) {
    std::vector<Field> fields(count);
    double best = 1e30;
    for (int round = 0; round < ROUNDS; round++) {
        double begin = finished();
        for (int i = 0; i < launches; i++)
            fields[i % count].step();
        best = std::min(best, (finished() - begin) / launches);
    }
    *is_right = true;
    for (const Field &field : fields)
        *is_right &= field.is_right();
    return best;
}

static double streams(int launches, int count, bool *is_right) {
    enum { SIZE = 4 * BLOCK };
    cudaStream_t all[STREAMS];
    unsigned *numbers[STREAMS];
    double best = 1e30;
    for (int i = 0; i < count; i++) {
        check(cudaStreamCreateWithFlags(&all[i], cudaStreamNonBlocking));
        numbers[i] = copy_of(std::vector<unsigned>(SIZE));
    }
    for (int round = 0; round < ROUNDS; round++) {
        double begin = finished();
        for (int i = 0; i < launches; i++)
            add<<<SIZE / BLOCK, BLOCK, 0, all[i % count]>>>(numbers[i % count]);
        best = std::min(best, (finished() - begin) / launches);
    }
    *is_right = true;
    for (int i = 0; i < count; i++) {
        unsigned wanted = ROUNDS * ((launches + count - 1 - i) / count);
        *is_right &= host_copy(numbers[i], SIZE) == std::vector<unsigned>(SIZE, wanted);
    }
    return best;
}

static double copies(bool is_in, bool is_async, int count, bool *is_right) {
    enum { SIZE = 1024 };
    unsigned *device = copy_of(std::vector<unsigned>(SIZE, 1)), *host;
    cudaMemcpyKind kind = is_in ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost;
    double best = 1e30;
    std::vector<unsigned> pageable(SIZE);
    if (is_async)
        check(cudaMallocHost(&host, SIZE * sizeof *host));
    else
        host = pageable.data();
    std::fill(host, host + SIZE, 1);
    for (int round = 0; round < ROUNDS; round++) {
        add<<<SIZE / BLOCK, BLOCK>>>(device); // all nodes have some of it
        double begin = finished();
        for (int i = 0; i < count; i++) {
            void *to = is_in ? device + i % SIZE : host + i % SIZE;
            const void *from = is_in ? host + i % SIZE : device + i % SIZE;
            check(is_async ? cudaMemcpyAsync(to, from, sizeof *host, kind)
                           : cudaMemcpy(to, from, sizeof *host, kind));
        }
        best = std::min(best, (finished() - begin) / count);
    }
    std::vector<unsigned> there(host, host + SIZE), wanted(SIZE, is_in ? ROUNDS + 1 : 1);
    std::fill_n(wanted.begin(), std::min<int>(count, SIZE), is_in ? 1 : ROUNDS + 1);
    *is_right = (is_in ? host_copy(device, SIZE) : there) == wanted;
    return best;
}

int main(int argc, char **argv) {
    const char *name = argc > 1 ? argv[1] : "halo1";
    const int count = argc > 2 ? atoi(argv[2]) : 1000, size = argc > 3 ? atoi(argv[3]) : 4;
    const int fields = argc > 4 ? atoi(argv[4]) : 1;
    bool is_right = false, is_async = strstr(name, "-async");
    double seconds;
    if (!strncmp(name, "halo", 4)) {
        rows = name[4] == '2' ? ROWS : 1;
        width = size;
        seconds = halo(count, fields, &is_right);
    } else if (!strcmp(name, "streams")) {
        seconds = streams(count, std::min<int>(size, STREAMS), &is_right);
    } else {
        seconds = copies(!strncmp(name, "in", 2), is_async, count, &is_right);
    }
    return report(seconds * 1e6, is_right);
}
