// Statements that become functions, each between "take" and "taken", and such as don't, between
// "leave" and "left".
#include <cstdio>
#include <utility>
#include <vector>

#define SIZE 256
#define CHECK(call) if ((call) != cudaSuccess) return 1

namespace numbers {
// The larger one.
__host__ __device__ int larger(int a, int b) {
    int c = a;
    // take __host__ __device__ int NAME(int b, int a, int c)
    if (b > a)
        c = b;
    // taken
    return c;
}
} // namespace numbers

// Sums of rows.
#pragma gcluster disjoint(out)
__global__ void sum_rows(const float *in, float *out, int width) {
    __shared__ float tile[4][64];
    __shared__ float last;
    int x = threadIdx.x, row = blockIdx.x;
    // take __device__ void NAME(float (&tile)[4][64], int x, int width, const float *in, int row)
    for (int i = 0; i < 4; i++) {
        tile[i][x] = 0;
        if (x >= width)
            continue;
        tile[i][x] = in[(row * 4 + i) * width + x];
    }
    __syncthreads();
    // taken
    // take __device__ float NAME(float (&tile)[4][64], int x)
    float sum = 0;
    for (int i = 0; i < 4; i++)
        sum += tile[i][x];
    // taken
    // take __device__ void NAME(int x, float &last, float sum)
    if (x == 3)
        last = sum;
    __syncthreads();
    // taken
    // leave: leaves the kernel
    if (x >= width)
        return;
    // left
    // leave: two variables are used behind
    float twice = 2 * sum;
    int place = row * width + x;
    // left
    // take __device__ void NAME(float *out, int place, float twice, float &last)
    atomicAdd(&out[place], twice);
    out[place] += last;
    // taken
    // leave: declares a shared variable
    __shared__ int unused;
    unused = 1;
    // left
#pragma unroll
    // leave: the pragma is about it
    for (int i = 0; i < 2; i++)
        unused += i;
    // left
}

template <typename T> T twice(T value) {
    // take void NAME(T &value)
    value = value + value;
    // taken
    // leave: what T's destructor does would be done earlier
    T other = value;
    value = other;
    // left
    return value;
}

// Of a template's head all is copied, and the call names it.
template <int N, typename T = float>
__global__ void scale(const T *in, T *out, T factor, int count) {
    __shared__ T tile[N][2 * N];
    constexpr int half = N / 2;
    int x = blockIdx.x * N + threadIdx.x;
    // take __device__ void NAME(int x, int count, T &factor, const T *in, T (&tile)[N][2 * N], const int &half)
    if (x < count) {
        T value = factor * in[x];
        tile[0][threadIdx.x] = max(value, T(half));
    }
    // taken
    __syncthreads();
    // leave: the size of an array isn't known outside
    T line[half];
    line[0] = tile[0][threadIdx.x];
    // left
    // take __device__ int NAME(int x)
    int y = x;
    for (int i = 0; i < N; i++)
        y += i;
    // taken
    if (x < count)
        out[x] = line[0] + y % 2 - y % 2;
}

static int closed = 0;

// Methods become methods.
template <typename T> class Series {
  public:
    explicit Series(T first) : first_(first) {
        // take void NAME()
        first_ += 1;
        // taken
    }
    T sum(int count) const {
        T sum = first_;
        // take void NAME(int count, T &sum)
        for (int i = 1; i < count; i++)
            sum += next(sum, i);
        // taken
        return sum;
    }
    static int count(const int *from) {
        int count = 0;
        // take int NAME(const int *from, int count)
        while (from[count])
            count++;
        // taken
        return count;
    }
    template <int N> __host__ __device__ int times(int a) {
        // take __host__ __device__ int NAME(int a)
        a *= N;
        // taken
        return a;
    }
    // What is said of it.
    int outside(int a) const;
    ~Series();
    template <int N> int member(int a);

  private:
    T next(T last, int i) const { return last / 2 + i; }
    T first_;
};
template <typename T> int Series<T>::outside(int a) const {
    // take int Series<T>::NAME(int a)
    a += (int)first_;
    // taken
    return a;
}
template <typename T> Series<T>::~Series() {
    // take void Series<T>::NAME()
    closed++;
    // taken
}
template <typename T> template <int N> int Series<T>::member(int a) {
    // leave: both have a head
    a += N;
    // left
    return a;
}

// What a method's body names of its class is named in a declaration, too.
namespace shapes {
struct Box { struct Corner { int x, y; }; using value = int; static value area(Corner a, Corner b); int *at(int i); operator bool(); int sides[2]; };

Box::value Box::area(Corner a, Corner b) {
    value result = b.x - a.x;
    // take int Box::NAME(value result, Corner &b, Corner &a)
    result *= b.y - a.y;
    // taken
    return result;
}

int *Box::at(int i) {
    // take int Box::NAME(int i)
    i = i < 0 ? 0 : i;
    i = i > 1 ? 1 : i;
    // taken
    return &sides[i];
}

Box::operator bool() {
    int sum = 0;
    // take int Box::NAME(int sum)
    for (int side : sides)
        sum += side;
    // taken
    return sum > 0;
}
} // namespace shapes

// Packs are passed as such.
template <typename F, typename... T> int add_all(F first, T &&...rest) {
    int sum = first;
    // take int NAME(int sum)
    sum += (int)sizeof...(T);
    sum *= 2;
    // taken
    // take int NAME(int sum, T &...rest)
    sum += (0 + ... + rest);
    sum--;
    // taken
    return sum;
}
template <typename... T, int N> int add_first(int (&numbers)[N], T... rest) {
    int sum = 0;
    // leave: the pack isn't the last
    sum += numbers[0];
    // left
    return sum + (0 + ... + rest);
}
template <int... N> int add_numbers(int sum) {
    // take int NAME(int sum)
    sum += (0 + ... + N);
    sum++;
    // taken
    return sum;
}

// Macros that name nothing of the function's, but what they are given.
#define AT(array, row, column, width) ((array)[(row) * (width) + (column)])
#define TAKE(x, y) do { int taken = (x); (x) = (y) + taken; } while (0)
#define PLUS_COUNT(x) ((x) + count)
#define STORE_COUNT count = 7
#define STOP return 0
int by_macros(const int *from, int count) {
    int sum = 0;
    // take void NAME(int &count, int &sum, const int *&from)
    for (int i = 0; i < count; i++)
        sum += AT(from, 0, i, SIZE);
    // taken
    // take void NAME(int &sum)
    TAKE(sum, SIZE / 2);
    // taken
    // leave: the macro names a variable
    sum += PLUS_COUNT(1);
    // left
    // leave: the macro sets a variable
    STORE_COUNT;
    // left
    // leave: the macro returns
    if (sum < 0)
        STOP;
    // left
    return sum + count;
}

int main() {
    const int width = 60, rows = SIZE;
    std::vector<float> host(4 * rows * width), result(rows * width);
    // take void NAME(std::vector<float> &host)
    for (size_t i = 0; i < host.size(); i++)
        host[i] = (float)(i % 17) / 4;
    // taken
    float *in, *out;
    // leave: returns
    CHECK(cudaMalloc(&in, host.size() * sizeof(float)));
    // left
    CHECK(cudaMalloc(&out, result.size() * sizeof(float)));
    // take void NAME(float *in, std::vector<float> &host, float *out, std::vector<float> &result, const int rows, const int width)
    cudaMemcpy(in, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemset(out, 0, result.size() * sizeof(float));
    sum_rows<<<rows, 64>>>(in, out, width);
    cudaMemcpy(result.data(), out, result.size() * sizeof(float), cudaMemcpyDeviceToHost);
    // taken
    double sum = 0;
    int count = 0;
    for (float value : result) {
        // leave: ends the loop
        if (value < 0)
            break;
        // left
        // take void NAME(double &sum, float value, int &count)
        sum += value;
        count++;
        // taken
    }
    // leave: what p points to would be gone
    int local = count;
    int *p = &local;
    // left
    *p = *p + 1;
    // leave: local is changed by p, and an array needs a constant
    char text[width];
    // left
    // take void NAME(int *p, int &local)
    *p = 2 * local;
    local = local + 1;
    // taken
    text[0] = 'x';
    auto count_on = [&] { count++; };
    // take void NAME(int &count, int *p)
    count = 2 * count;
    *p += count;
    // taken
    count_on();
    const auto [first, second] = std::pair<int, int>(count, 2);
    // leave: bindings can't be passed
    *p += first + second;
    // left
    constexpr bool is_wide = width > 32;
    // leave: a condition for the compiler
    if constexpr (is_wide)
        *p += 1;
    // left
    {
        // leave: one count comes in, and there is another one
        *p += count;
        int count = 3;
        *p += count;
        // left
    }
    // leave: names that clang doesn't show
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 2; i++)
        text[0]++;
    // left
    // take void NAME(char (&text)[60])
#pragma unroll 2
    for (int i = 0; i < 2; i++)
        text[0]--;
    // taken
    text[0] -= 2;
    scale<16><<<rows, 16>>>(in, out, 3.f, rows);
    cudaMemcpy(host.data(), out, rows * sizeof(float), cudaMemcpyDeviceToHost);
    const int counted[] = {5, 6, 7, 0};
    Series<double> series(host[33]);
    printf("%g %d %d %d %g %c\n", sum, count, local, numbers::larger(3, 4), twice(2.5), text[0]);
    printf("%g %d %d %d %d\n", series.sum(4), Series<int>::count(counted), series.times<3>(5), series.outside(2), by_macros(counted, 3));
    {
        Series<int> last(1);
        printf("%d\n", last.member<2>(3));
    }
    shapes::Box box = {{1, 2}};
    printf("%d %d %d %d\n", closed, shapes::Box::area({1, 2}, {3, 7}), *box.at(5), (bool)box);
    printf("%d %d\n", add_all(1, 2, local), add_numbers<1, 2, 3>(4) + add_first(box.sides, 1));
    return 0;
}
