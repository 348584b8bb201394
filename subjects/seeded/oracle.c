/* What oracle.h shares between the sources of a program. */
void *oracle_closed[4096];
int oracle_closed_count;
