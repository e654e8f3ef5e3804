// The host side of the OpenCL forms.
#pragma once
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "../bench.h"

inline void check(cl_int error, const char *call) {
    if (error == CL_SUCCESS)
        return;
    fprintf(stderr, "%s: OpenCL error %d\n", call, error);
    exit(2);
}

/// The first CPU, with one queue and one program.
struct opencl {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;

    explicit opencl(const char *source, const char *options = "") {
        cl_int error;
        cl_platform_id platform;
        check(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
        check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &device, nullptr), "clGetDeviceIDs");
        context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
        check(error, "clCreateContext");
        queue = clCreateCommandQueue(context, device, 0, &error);
        check(error, "clCreateCommandQueue");
        program = clCreateProgramWithSource(context, 1, &source, nullptr, &error);
        check(error, "clCreateProgramWithSource");
        if (clBuildProgram(program, 1, &device, options, nullptr, nullptr) != CL_SUCCESS)
            fail_build();
    }
    cl_kernel kernel(const char *name) const {
        cl_int error;
        cl_kernel kernel = clCreateKernel(program, name, &error);
        check(error, name);
        return kernel;
    }

  private:
    [[noreturn]] void fail_build() const {
        std::string log(1 << 16, 0);
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, log.size(), &log[0], nullptr);
        fprintf(stderr, "%s\n", log.c_str());
        exit(2);
    }
};

/// An array's copy on the device.
template <class T> class buffer {
  public:
    buffer(const opencl &cl, size_t count) : queue_(cl.queue), size_(count * sizeof(T)) {
        cl_int error;
        memory = clCreateBuffer(cl.context, CL_MEM_READ_WRITE, size_, nullptr, &error);
        check(error, "clCreateBuffer");
    }
    buffer(const opencl &cl, const bench::array<T> &from) : buffer(cl, from.size()) {
        set(from.data());
    }
    void set(const T *from) {
        check(clEnqueueWriteBuffer(queue_, memory, CL_TRUE, 0, size_, from, 0, nullptr, nullptr),
              "clEnqueueWriteBuffer");
    }
    void get(bench::array<T> &to) const {
        check(
            clEnqueueReadBuffer(queue_, memory, CL_TRUE, 0, size_, to.data(), 0, nullptr, nullptr),
            "clEnqueueReadBuffer");
    }
    void clear() {
        const T zero = T();
        check(
            clEnqueueFillBuffer(queue_, memory, &zero, sizeof zero, 0, size_, 0, nullptr, nullptr),
            "clEnqueueFillBuffer");
    }
    cl_mem memory;

  private:
    cl_command_queue queue_;
    size_t size_;
};

template <class T> void set_argument(cl_kernel kernel, cl_uint index, const T &value) {
    check(clSetKernelArg(kernel, index, sizeof value, &value), "clSetKernelArg");
}

template <class T> void set_argument(cl_kernel kernel, cl_uint index, const buffer<T> &value) {
    set_argument(kernel, index, value.memory);
}

/// Numbers of work-items, or of those in a group.
struct range {
    size_t x, y = 1;
};

template <class... Arguments>
void launch(const opencl &cl, cl_kernel kernel, range global, range local,
            const Arguments &...arguments) {
    cl_uint index = 0;
    (set_argument(kernel, index++, arguments), ...);
    const size_t items[] = {global.x, global.y}, in_group[] = {local.x, local.y};
    check(
        clEnqueueNDRangeKernel(cl.queue, kernel, 2, nullptr, items, in_group, 0, nullptr, nullptr),
        "clEnqueueNDRangeKernel");
}

/// Measures launches and the wait for their end.
template <class Launch, class Prepare>
void measure(const opencl &cl, Launch launches, Prepare prepare) {
    bench::measure(
        [&] {
            launches();
            check(clFinish(cl.queue), "clFinish");
        },
        [&] {
            prepare();
            check(clFinish(cl.queue), "clFinish");
        });
}

template <class Launch> void measure(const opencl &cl, Launch launches) {
    measure(cl, launches, [] {});
}
