__global__ void declared();
template <class T> __global__ void defined(T) {
}
static __global__ void local_to_file() {
}
namespace {
__global__ void unnamed() {
}
} // namespace
