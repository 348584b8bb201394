// Plugins by dlopen: callbacks both ways, a symbol of the program used by the plugin, dlclose and a second dlopen, a missing one.
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include "api.h"
static int counted;
void host_counted(int n) { counted += n; }
static void say(const char *text) { printf("plugin says %s\n", text); }
static int ask(int n) { return n * n; }
static const struct host host = { say, ask };

static int use(const char *self, const char *file, const char *text)
{
    char path[4096];
    const char *slash = strrchr(self, '/');
    snprintf(path, sizeof path, "%.*s/%s", slash ? (int)(slash - self) : 1, slash ? self : ".", file);
    void *handle = dlopen(path, RTLD_NOW);
    if (!handle) {
        puts("cannot be loaded");
        return -1;
    }
    const struct plugin *p = dlsym(handle, "plugin_entry");
    int *version = dlsym(handle, "plugin_version");
    int r = p->run(&host, text);
    printf("%s version %d: %d\n", p->name, (*version)++, r);
    p->stop();
    dlclose(handle);
    return r;
}

int main(int argc, char **argv)
{
    (void)argc;
    int sum = 0;
    for (int i = 0; i < 3; i++)
        sum += use(argv[0], "plugin_upper.so", "some text");
    sum += use(argv[0], "plugin_count.so", "a b c d");
    sum += use(argv[0], "plugin_none.so", "");
    printf("%d %d\n", sum, counted);
    return 0;
}
