// RUN: not %gcluster-cc -c %s -o %t.o > %t.log 2>&1
// RUN: FileCheck %s < %t.log
// CHECK: missing_header.cu:[[#@LINE+3]]:10: error: 'no_such_header.h' file not found
// CHECK-NOT: file not found
// One of the two is fatal, but they are the same.
#include "no_such_header.h"
