// Descriptors: read, write, readv, writev, pread, dup2, lseek, stat, select, poll, socketpair, ioctl, getcwd, readlink, directory streams.
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

int main(void)
{
    char name[] = "wide_io.tmp", a[8] = "", b[8] = "", c[32] = "";
    int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0640), pair[2];
    struct iovec out[] = { { (void *)"hello ", 6 }, { (void *)"vector", 6 } }, in[] = { { a, 5 }, { b, 7 } };
    printf("%zd\n", writev(fd, out, 2));
    lseek(fd, 0, SEEK_SET);
    printf("%zd", readv(fd, in, 2)); printf(" %s|%s\n", a, b);
    printf("%zd", pread(fd, c, 6, 6)); printf(" %s\n", c);
    struct stat s;
    printf("%d", fstat(fd, &s)); printf(" %ld %o %d\n", (long)s.st_size, s.st_mode & 0777, S_ISREG(s.st_mode));
    printf("%d ", ftruncate(fd, 4)); printf("%d\n", stat(name, &s) == 0 && s.st_size == 4);
    int copy = dup2(fd, 30);
    printf("%d %ld\n", copy, (long)lseek(copy, 0, SEEK_CUR));
    printf("%d\n", socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
    struct pollfd p = { pair[0], POLLIN, 0 };
    printf("%d", poll(&p, 1, 0)); printf(" %d\n", p.revents);
    printf("%zd", send(pair[1], "message", 7, 0));
    printf(" %d", poll(&p, 1, 1000)); printf(" %d\n", p.revents == POLLIN);
    fd_set set; FD_ZERO(&set); FD_SET(pair[0], &set);
    struct timeval limit = { 1, 0 };
    printf("%d", select(pair[0] + 1, &set, NULL, NULL, &limit)); printf(" %d\n", FD_ISSET(pair[0], &set) != 0);
    int waiting = 0;
    printf("%d", ioctl(pair[0], FIONREAD, &waiting)); printf(" %d\n", waiting);
    memset(c, 0, sizeof c);
    printf("%zd", recv(pair[0], c, sizeof c, MSG_DONTWAIT)); printf(" %s\n", c);
    char path[4096], link[64];
    printf("%d\n", getcwd(path, sizeof path) == path && path[0] == '/');
    symlink(name, "wide_io.link");
    ssize_t n = readlink("wide_io.link", link, sizeof link - 1);
    link[n > 0 ? n : 0] = 0;
    printf("%zd %s\n", n, link);
    unlink("wide_io.link");
    DIR *d = opendir(".");
    int found = 0;
    for (struct dirent *e; (e = readdir(d));)
        found += strcmp(e->d_name, name) == 0;
    closedir(d);
    printf("%d %d\n", found, access(name, R_OK));
    unlink(name);
    printf("%d\n", access(name, F_OK));
    return 0;
}
