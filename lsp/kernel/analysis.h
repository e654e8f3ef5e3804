// The process that finds out how the kernels of one text spread (server/hints.h starts it).
//
// Two messages come on its standard input:
//
//     read     {path, directory, words, folder, texts}
//     explain  {shapes, pragmas} -> {kernels}
//
// `read` is a notification; `folder` is for intermediate files, `texts` (path -> text) are read in
// place of files. `explain` is a request; kernels are as --explain=json has them.
#ifndef GCL_LSP_ANALYSIS_H
#define GCL_LSP_ANALYSIS_H

/// Does one analysis. Returns the exit status: 0 if the request has been answered.
int gcl_analysis_run(void);

#endif
