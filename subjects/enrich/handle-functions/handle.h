#ifndef HANDLE_H
#define HANDLE_H

struct handle;

struct handle *handle_open(int room);
int handle_put(struct handle *handle, int value);
int handle_start(struct handle *handle);
int handle_sum(struct handle *handle);
void handle_close(struct handle *handle);

#endif
