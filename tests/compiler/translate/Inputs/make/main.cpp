#include <cstdio>
#include <ctime>
#include <unistd.h>
int square(int);
const char *odd();
int main() {
    std::printf("%s%s\n%d\n%d\n", GREETING, odd(), (int)getpid(), square(7));
    return 0;
}
