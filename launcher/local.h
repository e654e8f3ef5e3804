// A job on this machine.
#ifndef GCL_LAUNCHER_LOCAL_H
#define GCL_LAUNCHER_LOCAL_H

/// Runs `words` (a program and its arguments, then NULL) as a job of `count` nodes and waits until
/// all of it has ended. Returns the exit status for the caller: node 0's, 128 and the signal if it
/// was killed; 1 if node 0 ended well but another node was lost.
int gcl_local_run(unsigned count, char **words);

#endif
