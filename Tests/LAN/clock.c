// A clock that is two hours ahead, for one program: LD_PRELOAD=clock.so. No namespace has a time of day of its own.
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *time) {
    int result = (int)syscall(SYS_clock_gettime, clock, time);
    if (result == 0 && clock == CLOCK_REALTIME) time->tv_sec += 2 * 60 * 60;
    return result;
}
