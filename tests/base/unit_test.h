// What cmocka wants included, in its order.
#ifndef GCL_TESTS_UNIT_TEST_H
#define GCL_TESTS_UNIT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
