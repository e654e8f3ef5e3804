// support_query NAME...: as JSON, what gcluster makes of names.
#include "support/query.h"

int main(int count, char **arguments) {
    (void)count;
    return gcl_query_write(stdout, (const char *const *)arguments + 1, true) ? 0 : 1;
}
