// clang-tidy's checks of one text, in a process of its own: clang-tidy as a program that this
// process starts, waits for and ends with. What clang-tidy reads are the editor's texts, by the
// words with which the reader of sources has clang read them.
//
// The process gets one question:
//
//     check  {path, directory, words, before, texts, encoding, folder, project}
//                 -> {path: [diagnostic]}
//
// the first four as readers take them (read/worker.h); `texts` {path: text} are read in place of
// files, that of `path` among them; `folder` is an empty folder for what this process writes. What
// is found in headers below the folder `project` is told beside what is in the file itself.
//
// This header is the front of the room `tidy`: yaml reads what clang-tidy writes, config chooses
// what a folder may ask of it, remarks makes diagnostics.
#ifndef GCL_LSP_TIDY_H
#define GCL_LSP_TIDY_H

/// Answers the question on standard input. Returns the exit status.
int gcl_tidy_run(void);

#endif
