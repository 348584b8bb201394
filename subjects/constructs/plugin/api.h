struct host { void (*say)(const char *); int (*ask)(int); };
struct plugin { const char *name; int (*run)(const struct host *, const char *); void (*stop)(void); };
void host_counted(int n);
