// Control flow that lanes take different ways through, and what is alive behind it.
#include "each.h"

static BODY int mix(int x) {
    return (int)((unsigned)x * 2654435761u >> 9);
}

// The counter is the same for all lanes that still run, and differs once they have left.
struct CounterAfterLoop {
    BODY int operator()(int t) const {
        int k = 0;
        for (; k < 40; k++) {
            if (mix(t + k) % 11 == 0)
                break;
        }
        return k * 100 + mix(k) % 100;
    }
};

struct TwoExits {
    BODY int operator()(int t) const {
        int k, sum = 0;
        for (k = 0; k < t % 13; k++) {
            if (mix(t * k) % 17 == 3)
                return -k;
            if (mix(t + k) % 19 == 5)
                break;
            sum += k;
        }
        return sum * 1000 + k;
    }
};

struct BreakOfBoth {
    BODY int operator()(int t) const {
        int i, j = 0, steps = 0;
        for (i = 0; i < 6; i++) {
            for (j = 0; j < 7; j++) {
                steps++;
                if (mix(t + 31 * i + j) % 23 == 0)
                    goto found;
            }
        }
    found:
        return i * 10000 + j * 100 + steps;
    }
};

struct ContinueOuter {
    BODY int operator()(int t) const {
        int sum = 0;
        for (int i = 0; i < 5; i++) {
            bool skip = false;
            for (int j = 0; j <= i + t % 3; j++) {
                if (mix(t ^ (i * 8 + j)) % 5 == 0) {
                    skip = true;
                    break;
                }
                sum += j;
            }
            if (skip)
                continue;
            sum += 1000;
        }
        return sum;
    }
};

struct Switch {
    BODY int operator()(int t) const {
        int r = 1;
        switch (mix(t) % 9) {
        case 0:
            r = 5;
        case 1: // falls through
            r += 7;
            break;
        case 2:
            return -t;
        case 3:
        case 4:
            r = t * 3;
            break;
        case 7:
            for (int k = 0; k < t % 4; k++)
                r += k;
            break;
        default:
            r = 99;
        }
        return r * 2;
    }
};

struct SwitchInLoop {
    BODY int operator()(int t) const {
        int state = t % 5, steps = 0;
        while (steps < 50) {
            steps++;
            switch (state) {
            case 0:
                state = mix(steps + t) % 5;
                break;
            case 1:
                state = 3;
                continue;
            case 2:
                return steps;
            case 3:
                state = steps % 2 ? 0 : 4;
                break;
            default:
                if (mix(t - steps) % 3 == 0)
                    return -steps;
                state = 2 * (t & 1);
            }
            steps += 2;
        }
        return 1000 + state;
    }
};

static BODY bool note(int *log, int bit) {
    *log |= 1 << bit;
    return *log % 3 == 0;
}

struct ShortCircuit {
    BODY int operator()(int t) const {
        int log = t & 8;
        if ((t % 3 == 0 && note(&log, 0)) || (t % 5 == 0 && !note(&log, 1)) || note(&log, 2))
            log |= 64;
        return log;
    }
};

struct DoWhile {
    BODY int operator()(int t) const {
        int x = t + 1, steps = 0;
        do {
            x = x % 2 ? 3 * x + 1 : x / 2;
            steps++;
        } while (x > 1 && steps < 60);
        return steps * 1000 + x % 1000;
    }
};

struct Triangle {
    BODY int operator()(int t) const {
        int sum = 0;
        for (int i = 0; i < t % 10; i++)
            for (int j = i; j < 10; j += 1 + t % 2)
                sum += i * j;
        return sum;
    }
};

// A value that is the same in all lanes at first, and no more after the branch.
struct UniformThenNot {
    int n;
    BODY int operator()(int t) const {
        int x = n;
        for (int k = 0; k < n; k++) {
            if (mix(t) % 7 == k)
                x += 5;
            x = x * 3 % 1000;
        }
        return x;
    }
};

// Nobody goes into the loop, or nobody takes the branch.
struct Never {
    BODY int operator()(int t) const {
        int x = 3;
        for (int k = 0; k < t - 5000; k++)
            x += k;
        if (t < 0)
            x /= t + 1;
        return x;
    }
};

// One lane goes round a million times, the others don't.
struct OneLong {
    BODY int operator()(int t) const {
        unsigned x = 1;
        int trips = t == 37 ? 1000000 : t % 2;
        for (int k = 0; k < trips; k++)
            x = x * 1664525u + 1013904223u;
        return (int)(x & 0xffffff);
    }
};

// Values that trade places in a loop, from which lanes leave at different times.
struct Exchange {
    BODY int operator()(int t) const {
        int a = t, b = 2 * t + 1, c = 7;
        for (int k = 0; k < t % 6; k++) {
            int old = a;
            a = b;
            b = c;
            c = old;
        }
        return a * 7 + b * 3 + c;
    }
};

struct NestedReturn {
    BODY int operator()(int t) const {
        if (t % 2) {
            if (t % 3) {
                if (t % 5)
                    return 1;
                t += 2;
            } else {
                return 2;
            }
            t *= 3;
        }
        if (t > 300)
            return t - 300;
        return t * 2;
    }
};

int main() {
    CHECK_EACH(CounterAfterLoop());
    CHECK_EACH(TwoExits());
    CHECK_EACH(BreakOfBoth());
    CHECK_EACH(ContinueOuter());
    CHECK_EACH(Switch());
    CHECK_EACH(SwitchInLoop());
    CHECK_EACH(ShortCircuit());
    CHECK_EACH(DoWhile());
    CHECK_EACH(Triangle());
    CHECK_EACH(UniformThenNot{7});
    CHECK_EACH(Never());
    CHECK_EACH(OneLong());
    CHECK_EACH(Exchange());
    CHECK_EACH(NestedReturn());
}
