#include "api.h"
int plugin_version = 7;
static int run(const struct host *h, const char *text)
{
    int spaces = 0;
    for (; *text; text++)
        spaces += *text == ' ';
    host_counted(spaces * 10);
    return h->ask(spaces);
}
static void stop(void) { host_counted(1000); }
const struct plugin plugin_entry = { "count", run, stop };
