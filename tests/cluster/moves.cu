// What moves, by every cause: each kernel moves bytes for one of them, and how many is known.
// Argument: steps of the stencil. Checks its results.
#include <cstdio>
#include <cstdlib>
#include <vector>

const int WIDTH = 256, HEIGHT = 256;

__global__ void blur(const int *now, int *next) {
    int x = threadIdx.x, y = blockIdx.x;
    int above = y > 0 ? now[(y - 1) * WIDTH + x] : 0;
    int below = y < HEIGHT - 1 ? now[(y + 1) * WIDTH + x] : 0;
    next[y * WIDTH + x] = (above + now[y * WIDTH + x] + below) / 2;
}

// Every row needs all of them.
__global__ void mix(const int *in, int *out) {
    int x = threadIdx.x, y = blockIdx.x, sum = 0;
    for (int row = 0; row < HEIGHT; row++)
        sum += in[row * WIDTH + x] * (row ^ y);
    out[y * WIDTH + x] = sum;
}

__global__ void count(const int *in, int *odd) {
    if (in[blockIdx.x * WIDTH + threadIdx.x] & 1)
        atomicAdd(odd, 1);
}

// The last rows first: nodes look up what others have.
__global__ void scatter(const int *in, int *flags) {
    flags[in[(gridDim.x - 1 - blockIdx.x) * WIDTH + threadIdx.x] & 1023] = 1;
}

__global__ void collect(const int *in, int *list, int *length) {
    if (in[blockIdx.x * WIDTH + threadIdx.x] & 1)
        list[atomicAdd(length, 1)] = 1;
}

// Where it writes depends on what it may have changed: in fact it writes what it reads, but each
// node would have to merge all of it.
__global__ void spill(int *few) {
    int i = blockIdx.x * WIDTH + threadIdx.x;
    few[(few[i] + i) & (WIDTH * HEIGHT - 1)] = 1;
}

// One block.
__global__ void clear(int *few) {
    few[threadIdx.x] = 0;
}

struct pixel {
    int red, green, blue, depth, layer, mask;
};

// Fields that lie apart. What it reads of them, it has had since the first launch.
__global__ void tint(pixel *pixels) {
    pixel *own = &pixels[blockIdx.x * WIDTH + threadIdx.x];
    own->red += 1;
    own->blue += 2;
    own->depth += 3;
}

static bool tint_pixels(int steps) {
    const size_t count = WIDTH * HEIGHT;
    std::vector<pixel> result(count);
    pixel *pixels;
    bool is_right = true;
    cudaMalloc(&pixels, count * sizeof *pixels);
    cudaMemset(pixels, 0, count * sizeof *pixels);
    for (int step = 0; step < steps; step++)
        tint<<<HEIGHT, WIDTH>>>(pixels);
    cudaMemcpy(result.data(), pixels, count * sizeof *pixels, cudaMemcpyDeviceToHost);
    for (const pixel &p : result)
        is_right = is_right && p.red == steps && p.green == 0 && p.blue == 2 * steps &&
                   p.depth == 3 * steps && p.layer == 0 && p.mask == 0;
    return is_right;
}

static int at(const std::vector<int> &v, int x, int y) {
    return y < 0 || y >= HEIGHT ? 0 : v[y * WIDTH + x];
}

static bool check(const std::vector<int> &start, int steps, const std::vector<int> &result) {
    std::vector<int> now = start, next(now.size());
    for (int step = 0; step < steps; step++) {
        for (int i = 0; i < WIDTH * HEIGHT; i++) {
            int x = i % WIDTH, y = i / WIDTH;
            next[i] = (at(now, x, y - 1) + now[i] + at(now, x, y + 1)) / 2;
        }
        now.swap(next);
    }
    return now == result;
}

int main(int argc, char **argv) {
    int steps = argc > 1 ? atoi(argv[1]) : 10;
    size_t size = WIDTH * HEIGHT * sizeof(int);
    std::vector<int> start(WIDTH * HEIGHT), result(WIDTH * HEIGHT);
    for (size_t i = 0; i < start.size(); i++)
        start[i] = rand() % 1000;
    int *a, *b, *few, length = -1, odd = -1;
    cudaMalloc(&a, size);
    cudaMalloc(&b, size);
    cudaMalloc(&few, size);
    cudaMemcpy(a, start.data(), size, cudaMemcpyHostToDevice);
    for (int step = 0; step < steps; step++)
        blur<<<HEIGHT, WIDTH>>>(step % 2 ? b : a, step % 2 ? a : b);
    int *last = steps % 2 ? b : a, *other = steps % 2 ? a : b;
    cudaMemcpy(result.data(), last, size, cudaMemcpyDeviceToHost);
    mix<<<HEIGHT, WIDTH>>>(last, other);
    cudaMemset(few, 0, size);
    count<<<HEIGHT, WIDTH>>>(other, few);
    cudaMemcpy(&odd, few, sizeof odd, cudaMemcpyDeviceToHost);
    scatter<<<HEIGHT, WIDTH>>>(other, few);
    cudaMemset(few, 0, size);
    spill<<<2, WIDTH>>>(few);
    cudaMemset(few, 0, size);
    clear<<<1, WIDTH>>>(few);
    collect<<<HEIGHT, WIDTH>>>(other, few + 1, few);
    cudaMemcpy(&length, few, sizeof length, cudaMemcpyDeviceToHost);
    bool is_right = check(start, steps, result) && length == odd && odd > 0 && tint_pixels(steps);
    printf("%s\n", is_right ? "right" : "wrong");
    return is_right ? 0 : 1;
}
