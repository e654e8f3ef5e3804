// Operations from any bytes: what is taken for one is written again as the same bytes.
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/communicator/operation.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
    if (!holds)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct gcl_operation operation;
    if (gcl_operation_read(data, size, &operation))
        return -1;
    require(gcl_operation_size(&operation) == size);
    uint8_t *bytes = malloc(size);
    require(bytes != NULL);
    gcl_operation_write(&operation, bytes);
    require(memcmp(bytes, data, size) == 0);
    free(bytes);
    return 0;
}
