// Ways to misbehave. Each gives the exit status where it ends by itself, and has a bound of its own.
#ifndef ROGUE_H
#define ROGUE_H

// The bound on time, should nobody else set one.
enum { PATIENCE_SECONDS = 60 };

int tally(int rolls);

int hang(void);
int stubborn(void);
int flood(void);

int forks(void);
int lingering(void);

int closed(void);
int unhoused(void);
int untracked(void);

#endif
