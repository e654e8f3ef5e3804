# The compiler is known: gclusterConfig.cmake has found it beside itself.
configure_file(${CMAKE_CURRENT_LIST_DIR}/CMakeGCLUSTERCompiler.cmake.in
               ${CMAKE_PLATFORM_INFO_DIR}/CMakeGCLUSTERCompiler.cmake @ONLY)
set(CMAKE_GCLUSTER_COMPILER_ENV_VAR GCLUSTER_CC)
