// Indices, bounds and pointers that kernels find in memory: in arrays from the host, in arrays that
// kernels fill on the nodes, once or anew before each launch.
#include <cstdio>
#include <vector>

__global__ void multiply(const int *rows, const int *columns, const float *values, const float *x,
                         float *y, int count) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= count)
        return;
    float sum = 0;
    for (int i = rows[row]; i < rows[row + 1]; i++)
        sum += values[i] * x[columns[i]];
    y[row] = sum;
}

__global__ void gather(const int *from, const int *index, int *to, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[i] = from[index[i]] + 1;
}

__global__ void scatter(const int *from, const int *index, int *to, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[index[i]] = from[i] * 3;
}

__global__ void permute(int *index, int n, int factor, int shift) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        index[i] = (int)(((long long)i * factor + shift) % n);
}

__global__ void add_rows(int *const *rows, int width, int value) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x < width)
        rows[blockIdx.y][x] += value + x;
}

struct list {
    list *next;
    int value;
};

__global__ void sum_lists(list *const *heads, int *sums, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int sum = 0;
    for (const list *item = heads[i]; item; item = item->next)
        sum += item->value;
    sums[i] = sum;
}

__global__ void mark(const int *index, const unsigned char *taken, int *out, int round, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && !taken[index[i]])
        out[index[i]] += round;
}

__global__ void take(const int *out, unsigned char *taken, int round, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && out[i] && (i + round) % 5 < 2)
        taken[i] = 1;
}

template <typename T> static T *upload(const std::vector<T> &host) {
    T *device;
    cudaMalloc(&device, host.size() * sizeof(T));
    cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
    return device;
}

template <typename T> static unsigned hash_of(const T *device, int n) {
    std::vector<T> host(n);
    cudaMemcpy(host.data(), device, n * sizeof(T), cudaMemcpyDeviceToHost);
    unsigned hash = 2166136261u;
    for (int i = 0; i < (int)(n * sizeof(T)); i++)
        hash = (hash ^ ((const unsigned char *)host.data())[i]) * 16777619u;
    return hash;
}

static void sparse() {
    const int n = 6000;
    std::vector<int> rows(n + 1), columns;
    std::vector<float> values, x(n);
    for (int r = 0; r < n; r++) {
        x[r] = r % 17;
        for (int i = 0; i < r % 7; i++) {
            columns.push_back((r + i * 37) % n);
            values.push_back(0.25f * (i + 1));
        }
        rows[r + 1] = (int)columns.size();
    }
    int *d_rows = upload(rows), *d_columns = upload(columns);
    float *d_values = upload(values), *a = upload(x), *b = upload(x);
    for (int i = 0; i < 6; i++) {
        multiply<<<(n + 127) / 128, 128>>>(d_rows, d_columns, d_values, i % 2 ? b : a,
                                           i % 2 ? a : b, n);
        if (i == 3) { // other columns from here on
            for (int &c : columns)
                c = n - 1 - c;
            cudaMemcpy(d_columns, columns.data(), columns.size() * sizeof(int),
                       cudaMemcpyHostToDevice);
        }
    }
    printf("sparse %08x %08x\n", hash_of(a, n), hash_of(b, n));
}

static void indices() {
    const int n = 10007, blocks = (n + 255) / 256; // a prime, so that factors permute
    std::vector<int> start(n);
    for (int i = 0; i < n; i++)
        start[i] = i ^ 5;
    int *a = upload(start), *b = upload(start), *index = upload(start);
    for (int i = 0; i < 15; i++) {
        permute<<<blocks, 256>>>(index, n, 3 + i % 20, i);
        gather<<<blocks, 256>>>(a, index, b, n);
        scatter<<<blocks, 256>>>(b, index, a, n);
    }
    printf("indices %08x %08x\n", hash_of(a, n), hash_of(b, n));
}

static void pointers() {
    const int width = 5000, height = 12;
    std::vector<int *> rows;
    for (int y = 0; y < height; y++)
        rows.push_back(upload(std::vector<int>(width, y)));
    int **d_rows = upload(rows);
    for (int i = 0; i < 5; i++) {
        add_rows<<<dim3((width + 255) / 256, height), 256>>>(d_rows, width, i);
        if (i == 2) {
            std::swap(rows[0], rows[7]);
            cudaMemcpy(d_rows, rows.data(), height * sizeof(int *), cudaMemcpyHostToDevice);
            cudaMemset(rows[3], 1, width);
        }
    }
    unsigned hash = 0;
    for (int *row : rows)
        hash = hash * 31 + hash_of(row, width);
    printf("pointers %08x\n", hash);
}

static void lists() {
    const int n = 3000, length = 4;
    list *items;
    cudaMalloc(&items, n * length * sizeof(list));
    std::vector<list> host(n * length);
    std::vector<list *> heads(n);
    for (int i = 0; i < n * length; i++) {
        host[i].value = i % 101;
        host[i].next = i + n < n * length ? items + (i + n - i % 3) : nullptr;
    }
    for (int i = 0; i < n; i++)
        heads[i] = items + (i * 7) % n;
    cudaMemcpy(items, host.data(), host.size() * sizeof(list), cudaMemcpyHostToDevice);
    list **d_heads = upload(heads);
    int *sums = upload(std::vector<int>(n));
    sum_lists<<<(n + 63) / 64, 64>>>(d_heads, sums, n);
    printf("lists %08x\n", hash_of(sums, n));
}

// Conditions that are another one at each launch, of places that stay the same and are so many, and
// so far apart, that they can't be told one by one.
static void conditions() {
    const int n = 1 << 21, places = 90000, step = 1234577; // has no factor in common with n
    std::vector<int> index(places);
    for (int i = 0; i < places; i++)
        index[i] = (int)((long long)i * step % n);
    int *d_index = upload(index), *out = upload(std::vector<int>(n));
    unsigned char *taken = upload(std::vector<unsigned char>(n));
    for (int round = 1; round <= 8; round++) {
        mark<<<(places + 255) / 256, 256>>>(d_index, taken, out, round, places);
        take<<<(n + 255) / 256, 256>>>(out, taken, round, n);
    }
    printf("conditions %08x %08x\n", hash_of(out, n), hash_of(taken, n));
}

int main() {
    conditions();
    sparse();
    indices();
    pointers();
    lists();
    return cudaDeviceSynchronize();
}
