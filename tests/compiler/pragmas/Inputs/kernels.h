#pragma once
#pragma gcluster split(x)
__global__ void in_header(int *p);
