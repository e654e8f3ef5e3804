// Stars under their own gravity, every pair of them. A block brings the stars into shared memory a
// tile at a time, and all of its threads read each tile from there. The kick-drift-kick scheme
// keeps the energy over many steps, which is the check, together with a comparison of the first
// accelerations with the host's.
#include "common/check.h"

#include <vector>

constexpr int tile = 128;
constexpr float softening = 0.05f; // keeps close encounters from needing tiny time steps

// xyz is the position, w the mass.
__device__ float3 pull(float4 from, float4 star, float3 sum) {
    float dx = from.x - star.x, dy = from.y - star.y, dz = from.z - star.z;
    float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + softening * softening);
    float strength = from.w * inverse * inverse * inverse;
    return make_float3(sum.x + strength * dx, sum.y + strength * dy, sum.z + strength * dz);
}

__global__ void accelerate(const float4 *stars, float3 *accelerations, int count) {
    __shared__ float4 near[tile];
    int i = blockIdx.x * tile + threadIdx.x;
    float4 star = i < count ? stars[i] : make_float4(0, 0, 0, 0);
    float3 sum = make_float3(0, 0, 0);

    for (int begin = 0; begin < count; begin += tile) {
        int other = begin + threadIdx.x;
        near[threadIdx.x] = other < count ? stars[other] : make_float4(0, 0, 0, 0);
        __syncthreads();
        for (int k = 0; k < tile; k++)
            sum = pull(near[k], star, sum); // a star without mass pulls nobody
        __syncthreads();
    }
    if (i < count)
        accelerations[i] = sum;
}

__global__ void kick(float3 *velocities, const float3 *accelerations, int count, float time) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    velocities[i].x += time * accelerations[i].x;
    velocities[i].y += time * accelerations[i].y;
    velocities[i].z += time * accelerations[i].z;
}

__global__ void drift(float4 *stars, const float3 *velocities, int count, float time) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    stars[i].x += time * velocities[i].x;
    stars[i].y += time * velocities[i].y;
    stars[i].z += time * velocities[i].z;
}

static double distance(float4 a, float4 b) {
    double dx = b.x - a.x, dy = b.y - a.y, dz = b.z - a.z;
    return std::sqrt(dx * dx + dy * dy + dz * dz + (double)softening * softening);
}

static double energy(const float4 *stars, const float3 *velocities, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++) {
        float3 v = velocities[i];
        sum += 0.5 * stars[i].w * ((double)v.x * v.x + (double)v.y * v.y + (double)v.z * v.z);
        for (int j = 0; j < i; j++)
            sum -= (double)stars[i].w * stars[j].w / distance(stars[i], stars[j]);
    }
    return sum;
}

static std::vector<double> accelerate_on_host(const float4 *stars, int count) {
    std::vector<double> sums(3 * count);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++) {
            double r = distance(stars[i], stars[j]), strength = stars[j].w / (r * r * r);
            sums[3 * i + 0] += strength * ((double)stars[j].x - stars[i].x);
            sums[3 * i + 1] += strength * ((double)stars[j].y - stars[i].y);
            sums[3 * i + 2] += strength * ((double)stars[j].z - stars[i].z);
        }
    return sums;
}

// A disc of equal masses that turns about its axis.
static void place(float4 *stars, float3 *velocities, int count) {
    const float golden_angle = 2.39996323f; // spreads any number of points evenly over a disc
    for (int i = 0; i < count; i++) {
        float radius = std::sqrt((i + 0.5f) / count), angle = i * golden_angle;
        float x = radius * std::cos(angle), y = radius * std::sin(angle);
        stars[i] = make_float4(x, y, 0.1f * std::sin(7.0f * i), 1.0f / count);
        velocities[i] = make_float3(-0.8f * y, 0.8f * x, 0);
    }
}

int main() {
    const int count = 1000, steps = 40;
    const float time = 0.01f;
    const int blocks = (count + tile - 1) / tile;

    // Managed memory: host and device use the same pointers, the host after synchronising.
    float4 *stars;
    float3 *velocities, *accelerations;
    CHECK(cudaMallocManaged(&stars, count * sizeof(float4)));
    CHECK(cudaMallocManaged(&velocities, count * sizeof(float3)));
    CHECK(cudaMallocManaged(&accelerations, count * sizeof(float3)));
    place(stars, velocities, count);
    double energy_before = energy(stars, velocities, count);

    accelerate<<<blocks, tile>>>(stars, accelerations, count);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    std::vector<double> reference = accelerate_on_host(stars, count);
    double error = largest_error(&accelerations[0].x, reference.data(), reference.size());

    for (int i = 0; i < steps; i++) {
        kick<<<blocks, tile>>>(velocities, accelerations, count, time / 2);
        drift<<<blocks, tile>>>(stars, velocities, count, time);
        accelerate<<<blocks, tile>>>(stars, accelerations, count);
        kick<<<blocks, tile>>>(velocities, accelerations, count, time / 2);
        CHECK(cudaGetLastError());
    }
    CHECK(cudaDeviceSynchronize());
    double energy_after = energy(stars, velocities, count);

    CHECK(cudaFree(stars));
    CHECK(cudaFree(velocities));
    CHECK(cudaFree(accelerations));
    int wrong = verdict("nbody accelerations", error, 1e-4);
    return verdict("nbody energy", largest_error(&energy_after, &energy_before, 1), 1e-3) || wrong;
}
