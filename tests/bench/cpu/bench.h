// What all forms of all kernels share: their data, the clock, the check of results, and the line
// that they print. A program is one kernel in one form; its problem (problem/*.h) says what is
// computed and checks it, the same way for every form.
#pragma once
#include <cstddef>
#include <cstdint>

namespace bench {

/// Reads the command line: --quick asks for small sizes, --large for those of a GPU.
void start(int argc, char **argv);

/// A problem's size: `full`, `quick` with --quick, or `large` with --large; 0: then as well `full`.
size_t size(size_t full, size_t quick, size_t large = 0);

/// A number that looks random: the data of all problems.
inline uint32_t hash(size_t i) {
    uint32_t x = (uint32_t)i * 0x9e3779b1u;
    x ^= x >> 16;
    x *= 0x9e3779b1u;
    return x ^ x >> 15;
}

/// The same in [0, 1).
inline float uniform(size_t i) {
    return (float)(hash(i) & 0xffff) / 65536.0f;
}

/// Whether a value is within a distance of the right one; not-a-number never is. It isn't inline,
/// as some forms are compiled with -ffast-math, which takes comparisons with NaN lightly.
bool near(double value, double right, double distance);

void *allocate(size_t size);
void release(void *data);

/// Memory that kernels work on: in huge pages, as big data should be, and first touched by the
/// threads that will use it. Other than a vector's, its size counts as the kernel's footprint.
template <class T> class array {
  public:
    explicit array(size_t count) : array(count, [](size_t) { return T(); }) {
    }
    template <class Value>
    array(size_t count, Value value) : data_((T *)allocate(count * sizeof(T))), count_(count) {
#ifdef _OPENMP
#pragma omp parallel for schedule(static)
#endif
        for (size_t i = 0; i < count; i++)
            data_[i] = value(i);
    }
    array(const array &) = delete;
    array &operator=(const array &) = delete;
    ~array() {
        release(data_);
    }
    T *data() {
        return data_;
    }
    const T *data() const {
        return data_;
    }
    size_t size() const {
        return count_;
    }
    T &operator[](size_t i) {
        return data_[i];
    }
    const T &operator[](size_t i) const {
        return data_[i];
    }

  private:
    T *data_;
    size_t count_;
};

double now();

/// Keeps a time that was measured; whether one more is wanted.
bool add_time(double seconds);

/// Runs something a first time to warm up, then some more times with the clock; each time after
/// `prepare`, which isn't timed.
template <class Run, class Prepare> void measure(Run run, Prepare prepare) {
    prepare();
    run();
    double begin, end;
    do {
        prepare();
        begin = now();
        run();
        end = now();
    } while (add_time(end - begin));
}

template <class Run> void measure(Run run) {
    measure(run, [] {});
}

/// Prints the median of the times and what the run has at least to do; returns main's result.
int report(bool right, double bytes, double flops);

template <class Problem> int report(const Problem &problem) {
    return report(problem.check(), problem.bytes(), problem.flops());
}

} // namespace bench
