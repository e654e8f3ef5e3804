// The part of the launcher on another host of the job: starts nodes there as its standard input
// says, and hands on what they say, print and read. When standard input ends, so do the nodes.
#ifndef GCL_LAUNCHER_PART_H
#define GCL_LAUNCHER_PART_H

/// Returns the exit status: 0 once all nodes have ended and that is told.
int gcl_part_run(void);

#endif
