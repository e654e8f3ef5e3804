#ifndef FAR_H
#define FAR_H
enum { FAR = 1 };
#endif
