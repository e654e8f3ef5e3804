// A variable may have the name of a CUDA type; what our headers make of the name doesn't matter.
// RUN: %gcluster-cc --check-rewrite %s
// RUN: %gcluster-cc --emit=source %s | sed 's,// CHECK.*,,' | FileCheck --match-full-lines %s
struct display {
    int cudaPos;
    // CHECK: {{ *}}int cudaPos;
};
cudaError_t f(display d) {
    cudaError_t cudaError = cudaGetLastError();
    // CHECK: {{ *}}gclError_t cudaError = gclGetLastError();
    if (cudaError != cudaSuccess)
        // CHECK: {{ *}}if (cudaError != gclSuccess)
        d.cudaPos = 1;
    // CHECK: {{ *}}d.cudaPos = 1;
    return cudaError;
    // CHECK: {{ *}}return cudaError;
}
enum cudaError g() {
    // CHECK: enum gclError g() {
    return cudaSuccess;
}
int main() {
    return f({0});
}
