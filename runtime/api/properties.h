// What the device says about itself, where others need it.
#ifndef GCL_API_PROPERTIES_H
#define GCL_API_PROPERTIES_H

/// The processor's name, "AMD EPYC ...".
const char *gcl_properties_cpu_name(void);

#endif
