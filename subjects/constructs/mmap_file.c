// mmap: a file read, a private copy, a shared anonymous mapping seen by a child, a file changed through write, mremap, munmap.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    char name[] = "mmap_file.tmp";
    int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
    for (int i = 0; i < 3000; i++)
        if (dprintf(fd, "line %d\n", i) < 0)
            return 1;
    off_t size = lseek(fd, 0, SEEK_END);
    char *map = mmap(NULL, (size_t)size, PROT_READ, MAP_SHARED, fd, 0);
    char *own = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
    if (map == MAP_FAILED || own == MAP_FAILED)
        return 1;
    long lines = 0, sum = 0;
    for (off_t i = 0; i < size; i++) {
        lines += map[i] == '\n';
        sum += map[i];
    }
    printf("%ld lines, sum %ld\n", lines, sum);
    own[0] = 'L';
    printf("%.6s %.6s\n", own, map);
    if (pwrite(fd, "WRIT", 4, 0) != 4)
        return 1;
    printf("after pwrite: %.6s\n", map);

    int *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    shared[0] = 1;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        shared[0] += 41;
        shared[1] = 7;
        _exit(0);
    }
    waitpid(child, NULL, 0);
    printf("child wrote %d %d\n", shared[0], shared[1]);

    int *grown = mremap(shared, 4096, 4096, 0);
    printf("mremap %d\n", grown[1]);
    munmap(grown, 4096);
    int *fresh = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    fresh[100] = 5;
    mprotect(fresh, 4096, PROT_READ);
    printf("fresh %d %d\n", fresh[0], fresh[100]);
    madvise(fresh + 1024, 4096, MADV_DONTNEED);
    printf("again zero %d\n", fresh[1024]);
    munmap(fresh, 8192);
    munmap(map, (size_t)size);
    munmap(own, (size_t)size);
    close(fd);
    unlink(name);
    return 0;
}
