/* What the program gives to the library. */
int noted(const char *what, int value);
void noted_all(int count, ...);
/* What the library gives to the program. */
int early_sum(void);
/* Of the program's other file. */
int counted(int by);
