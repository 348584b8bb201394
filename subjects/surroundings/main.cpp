// Changes what it stands on: its time zone, its folder, its limits, and its code.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <dlfcn.h>
#include <fstream>
#include <iostream>
#include <string>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static void at(const char *zone)
{
    setenv("TZ", zone, 1);
    tzset();
    time_t moment = 1700000000;
    char text[64];
    strftime(text, sizeof text, "%Y-%m-%d %H:%M %Z", localtime(&moment));
    std::cout << text << std::endl;
}

static int zone()
{
    at("UTC0");
    at("XYZ-3");
    return 0;
}

static int folder()
{
    mkdir("inner", 0777);
    if (chdir("inner") != 0)
        return 1;
    std::ofstream("note.txt") << "written\n";
    char here[4096];
    std::string path = getcwd(here, sizeof here), line;
    std::ifstream in("note.txt");
    std::getline(in, line);
    std::cout << path.substr(path.rfind('/')) << ' ' << line << std::endl;
    if (chdir("/") != 0)
        return 1;
    std::cout << getcwd(here, sizeof here) << std::endl;
    return 0;
}

static void limit(__rlimit_resource what, rlim_t value)
{
    rlimit both{value, value};
    if (setrlimit(what, &both) != 0)
        exit(1);
}

static int deep(int n)
{
    volatile char space[1024];
    space[0] = static_cast<char>(n);
    return n == 0 ? 0 : deep(n - 1) + (space[0] == static_cast<char>(n));
}

static int limits()
{
    limit(RLIMIT_NOFILE, 4);
    bool one = fopen("/dev/null", "r") != nullptr, two = fopen("/dev/null", "r") != nullptr;
    std::cout << one << two;
    limit(RLIMIT_STACK, 1 << 20);
    std::cout << ' ' << deep(200) << std::endl;
    return 0;
}

// The largest file must hold less than a recording of this does.
static int size()
{
    limit(RLIMIT_FSIZE, 4096);
    int sum = 0;
    for (int i = 0; i < 20000; i++)
        sum += deep(3);
    std::cout << sum << std::endl;
    return 0;
}

static int load(const char *argument)
{
    void *library = dlopen("./libscale.so", RTLD_NOW);
    if (library == nullptr) {
        std::cout << dlerror() << std::endl;
        return 1;
    }
    auto scale = reinterpret_cast<int (*)(int)>(dlsym(library, "scale"));
    std::cout << scale(atoi(argument)) << std::endl;
    return dlclose(library);
}

int main(int count, char **words)
{
    std::string what = count > 1 ? words[1] : "";
    if (what == "zone")
        return zone();
    if (what == "folder")
        return folder();
    if (what == "limits")
        return limits();
    if (what == "size")
        return size();
    return what == "load" && count > 2 ? load(words[2]) : 2;
}
