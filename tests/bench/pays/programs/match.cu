// Words in a text: each thread compares at its position, and a list of hits grows by atomics.
#include "pays.h"

#include <algorithm>

constexpr int length = 6, limit = 1 << 20;

__global__ void search(const char *text, int size, const char *words, int word_count, int *hits,
                       int *hit_count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > size - length)
        return;
    for (int w = 0; w < word_count; w++) {
        int k = 0;
        while (k < length && text[i + k] == words[w * length + k])
            k++;
        if (k < length)
            continue;
        int place = atomicAdd(hit_count, 1);
        if (place < limit)
            hits[place] = i;
    }
}

int main(int argc, char **argv) {
    const int n = by_size(argc, argv, 1 << 19, 2 << 20, 8 << 20), word_count = 192;
    std::vector<char> letters(n), all_words(word_count * length);
    for (int i = 0; i < n; i++)
        letters[i] = (char)('a' + noise(i) % 4);
    for (size_t i = 0; i < all_words.size(); i++)
        all_words[i] = (char)('a' + noise((unsigned)i + n) % 4);
    start_clock();
    char *text = copy_of(letters), *words = copy_of(all_words);
    int *hits = allocate<int>(limit), *hit_count = zeros<int>(1), found;
    search<<<(n + 255) / 256, 256>>>(text, n, words, word_count, hits, hit_count);
    check(cudaMemcpy(&found, hit_count, sizeof(int), cudaMemcpyDeviceToHost));
    std::vector<int> result(std::min(found, limit));
    check(cudaMemcpy(result.data(), hits, result.size() * sizeof(int), cudaMemcpyDeviceToHost));
    std::sort(result.begin(), result.end());
    return report(result);
}
