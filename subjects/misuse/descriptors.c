#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

int descriptor_closed_twice(const char *name) {
    int fd = open(name, O_RDONLY);
    if (fd < 0) return -1;
    close(fd);
    return close(fd); /* wrong: must descriptor closed */
}

int descriptor_closed_then_read(const char *name, char *buffer) {
    int fd = open(name, O_RDONLY);
    if (fd == -1) return -1;
    close(fd);
    return read(fd, buffer, 1); /* wrong: must descriptor closed */
}

int descriptor_read_then_closed(const char *name, char *buffer) {
    int fd = open(name, O_RDONLY);
    if (fd == -1) return -1;
    int n = read(fd, buffer, 1);
    close(fd);
    return n;
}

void descriptor_set_to_none(int fd) {
    if (fd >= 0) close(fd);
    fd = -1;
    if (fd >= 0) close(fd);
}

int socket_closed_on_an_error(const struct sockaddr *address) {
    int s = socket(AF_INET, SOCK_STREAM, 0);
    if (s < 0) return -1;
    if (connect(s, address, 16) < 0) close(s);
    send(s, "x", 1, 0); /* wrong: may descriptor closed */
    close(s);
    return 0;
}

int socket_left_on_an_error(const struct sockaddr *address) {
    int s = socket(AF_INET, SOCK_STREAM, 0);
    if (s < 0) return -1;
    if (connect(s, address, 16) < 0) {
        close(s);
        return -1;
    }
    send(s, "x", 1, 0);
    close(s);
    return 0;
}
