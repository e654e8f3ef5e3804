// support_page > compiler/support.md
#include "support/query.h"

int main(void) {
    gcl_page_write(stdout);
    return 0;
}
