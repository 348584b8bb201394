enum { SIZE = 4 };
struct ring {
  int items[SIZE];
  int first, count;
};
int push(struct ring *ring, int item);
int pop(struct ring *ring, int *item);
