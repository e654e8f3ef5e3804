// The directions in which conversions round.
#ifndef GCLUSTER_DEVICE_TYPES_H
#define GCLUSTER_DEVICE_TYPES_H

enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };

#endif
