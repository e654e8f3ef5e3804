// The process that finds out how the kernels of one text spread (server/hints.h starts it).
//
// Two messages come on its standard input:
//
//     read     {path, directory, words, folder, texts}  a notification: `folder` is for
//     intermediate
//              files, `texts` (path -> text) are read in place of files
//     explain  {shapes, pragmas} -> {kernels}           a request; kernels as --explain=json has
//     them
#ifndef GCL_LSP_ANALYSIS_H
#define GCL_LSP_ANALYSIS_H

/// Does one analysis. Returns the exit status: 0 if the request has been answered.
int gcl_analysis_run(void);

#endif
