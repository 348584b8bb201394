#include "ring.h"

int push(struct ring *ring, int item) {
  if (ring->count == SIZE)
    return 0;
  ring->items[(ring->first + ring->count) % SIZE] = item;
  ring->count++;
  return 1;
}

int pop(struct ring *ring, int *item) {
  if (ring->count == 0)
    return 0;
  *item = ring->items[ring->first];
  ring->first = (ring->first + 1) % (SIZE - 1);
  ring->count--;
  return 1;
}
