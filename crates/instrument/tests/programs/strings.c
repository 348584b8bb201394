#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <sys/wait.h>
int main(int argc, char **argv) {
  char a[64] = "The quick brown fox", b[64]; strcpy(b, a); strcat(b, " jumps"); strncat(b, " over the dog", 5);
  printf("%s|%zu|%d|%d\n", b, strlen(b), strcmp(a, b) < 0, strncmp(a, b, 10));
  printf("%s %s %s\n", strchr(b, 'q'), strrchr(b, 'o'), strstr(b, "fox"));
  char *save, *t = strtok_r(b, " ", &save); while (t) { printf("%s,", t); t = strtok_r(NULL, " ", &save); } puts("");
  int x; char w[16]; double d; printf("%d", sscanf("42 word 2.5", "%d %15s %lf", &x, w, &d)); printf(" %d %s %g\n", x, w, d);
  printf("%ld %lu %g\n", strtol("-77x", NULL, 10), strtoul("ff", NULL, 16), strtod("1e3", NULL));
  for (char *p = a; *p; p++) *p = (char)toupper((unsigned char)*p); puts(a); printf("%d\n", memcmp("abc", "abd", 3) < 0);
  FILE *f = tmpfile(); fprintf(f, "line %d\nsecond line\n", 1); rewind(f); char line[40]; while (fgets(line, sizeof line, f)) fputs(line, stdout); fclose(f);
  errno = 0; if (!fopen("/nonexistent/file", "r")) printf("%d %s\n", errno == ENOENT, strerror(errno));
  char *env = getenv("HOME"); printf("%d\n", env != NULL && *env); char *dup = strdup("dup"); puts(dup); free(dup);
  fflush(stdout); pid_t pid = fork(); if (pid == 0) { printf("child\n"); exit(5); } int status; waitpid(pid, &status, 0); printf("%d\n", WEXITSTATUS(status));
  time_t now = 86400; struct tm *tm = gmtime(&now); printf("%d-%d\n", tm->tm_year, tm->tm_mday);
  int c; while ((c = getchar()) != EOF) putchar(c == 'a' ? 'A' : c);
  return argc > 1 ? atoi(argv[1]) : 0;
}
