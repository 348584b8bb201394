/* A registry of entries, and clients that use what it finds. One does not ask whether there is one. */
#include <stdio.h>
#include <string.h>

struct entry {
    const char *name;
    int uses;
};

static struct entry entries[] = {{"red", 0}, {"green", 0}, {"blue", 0}};

static struct entry *find(const char *name) {
    for (int i = 0; i < 3; i++) {
        if (strcmp(entries[i].name, name) == 0) {
            return &entries[i];
        }
    }
    return NULL;
}

static void entry_use(struct entry *entry) {
    entry->uses++;
    printf("%s %d\n", entry->name, entry->uses);
}

int main(int count, char **words) {
    for (int i = 1; i < count; i++) {
        struct entry *entry = find(words[i]);
        entry_use(entry);
    }
    return 0;
}
