#include "../problem/nbody.h"
#include "host.h"

static const char *source = R"CL(
kernel void accelerate(global const float4 *bodies, global float4 *accelerations, int n,
                       float softening) {
    local float4 tile[256];
    int i = get_global_id(0), t = get_local_id(0);
    float4 me = bodies[i];
    float ax = 0, ay = 0, az = 0;
    for (int begin = 0; begin < n; begin += 256) {
        tile[t] = bodies[begin + t];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < 256; j++) {
            float4 other = tile[j];
            float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
            float inverse = 1.0f / sqrt(dx * dx + dy * dy + dz * dz + softening);
            float force = other.w * inverse * inverse * inverse;
            ax += dx * force;
            ay += dy * force;
            az += dz * force;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    accelerations[i] = (float4)(ax, ay, az, 0);
}
)CL";

int main(int argc, char **argv) {
    bench::start(argc, argv);
    problem p;
    opencl cl(source);
    cl_kernel accelerate = cl.kernel("accelerate");
    buffer<float> bodies(cl, p.bodies), accelerations(cl, 4 * p.n);
    measure(cl, [&] {
        launch(cl, accelerate, {(size_t)p.n}, {256}, bodies, accelerations, p.n, p.softening);
    });
    accelerations.get(p.accelerations);
    return bench::report(p);
}
