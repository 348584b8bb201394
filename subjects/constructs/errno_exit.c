// errno from several calls, and an exit status above 127 cut to a byte.
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
//: flags -lm

int main(void)
{
    errno = 0;
    printf("%d", open("/nonexistent", O_RDONLY)); printf(" %s\n", strerror(errno));
    printf("%d", close(999)); printf(" %s\n", strerror(errno));
    char b;
    printf("%zd", read(-1, &b, 1)); printf(" %d\n", errno == EBADF);
    errno = 0;
    printf("%ld", strtol("99999999999999999999", NULL, 10)); printf(" %d\n", errno == ERANGE);
    char *end;
    printf("%ld", strtol("12abc", &end, 0)); printf(" %s\n", end);
    printf("%lx %lo %ld\n", strtoul("0xff", NULL, 0), strtoul("0777", NULL, 0), strtol("zz", NULL, 36));
    printf("%d %ld %g\n", atoi("  -42x"), atol("123456789012"), atof("2.5e2"));
    errno = 0;
    volatile double bad = log(-1.0);
    printf("%d %d\n", isnan(bad) != 0, errno == EDOM);
    errno = ENOMEM;
    perror("message");
    return 300;
}
