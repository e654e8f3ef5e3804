#include "buffer.h"
#include <vector>

int main() {
    buffer b(1000);
    scale(b, 3);
    std::vector<float> host(1000);
    CHECK(cudaMemcpy(host.data(), b.data, 1000 * sizeof(float), cudaMemcpyDeviceToHost));
    double sum = 0;
    for (float value : host)
        sum += value;
    std::printf("sum %g\n", sum);
    return sum == 6000 ? 0 : 1;
}
