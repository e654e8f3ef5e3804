// Modules: device code that a program loads while it runs, as gcluster-cc -ptx, -cubin and -fatbin
// make it and cuModuleLoad takes it.
//
// A module is an ELF shared object without host code, whose tables (gcluster/kernel.h) report to
// the runtime as those of a program do. Programs that were written for PTX expect text that ends in
// a 0, so it has a second form: the PTX of its kernels, and behind that, as comments, the shared
// object in base64:
//
//     //gcluster-module 12345        bytes of the shared object
//     //f0VMRgIBAQAAAAAA…            GCL_MODULE_LINE characters a line, fewer in the last
//     //gcluster-end
//
// A source may ask for the names that kernels and variables have in its module, by the addresses
// that GCL_MODULE_NAMES is an array of: they follow, in order, each behind GCL_MODULE_NAME.
#ifndef GCLUSTER_MODULE_H
#define GCLUSTER_MODULE_H

#define GCL_MODULE_BEGIN "//gcluster-module "
#define GCL_MODULE_COMMENT "//"
#define GCL_MODULE_END "//gcluster-end"
#define GCL_MODULE_LINE 96
#define GCL_MODULE_NAME "//gcluster-name "
#define GCL_MODULE_NAMES "__gcl_name_expressions"

#endif
