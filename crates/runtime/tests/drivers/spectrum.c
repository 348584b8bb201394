#include "whydunit_rt.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

static _Alignas(4096) unsigned char flags[2][8192];
static struct wd_spectrum_module modules[2] = {
    {"1111111111111111111111111111111111111111111111111111111111111111", 4096, flags[0]},
    {"2222222222222222222222222222222222222222222222222222222222222222", 8192, flags[1]},
};

int main(int argc, char **argv) {
  flags[0][1] = 5; /* set before the registration */
  __wd_spectrum_register(&modules[0]);
  __wd_spectrum_register(&modules[1]);
  flags[0][4095] = 1;
  flags[1][4096] = 1;
  if (!fork()) {
    flags[1][8191] = 1;
    _exit(0);
  }
  if (argc > 1 && !strcmp(argv[1], "kill")) {
    usleep(1);
    raise(SIGKILL);
  }
  return 0;
}
