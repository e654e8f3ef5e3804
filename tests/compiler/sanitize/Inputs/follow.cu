// Part of late.cu.
struct link {
    const link *next;
    int value;
};

__global__ void add_links(const link *const *head, int *sum) {
    for (const link *l = *head; l; l = l->next)
        *sum += l->value;
}

extern "C" void add_all(const link *const *head, int *sum) { add_links<<<1, 1>>>(head, sum); }
