#include <pthread.h>
#include <stdlib.h>

struct entry {
    struct entry *next;
    struct entry **before;
    int value;
};

struct list {
    int length;
    struct entry *first;
};

static void take_out(struct entry *it) {
    if (it->next) it->next->before = it->before;
    *it->before = it->next;
}

void emptied(struct list *list) {
    struct entry *it;
    while ((it = list->first) != NULL) {
        take_out(it);
        free(it);
    }
}

void emptied_and_not_taken_out(struct list *list) {
    struct entry *it;
    while ((it = list->first) != NULL) {
        list->length--;
        free(it); /* wrong: may memory freed */
    }
}

struct names {
    int count;
    char *name[];
};

static struct names *add(struct names *names, char *name) {
    int count = names == NULL ? 0 : names->count;
    if (count % 8 == 0) {
        names = realloc(names, sizeof(struct names) + (count + 8) * sizeof(char *));
        if (names == NULL) exit(1);
    }
    names->name[count] = name;
    names->count = count + 1;
    return names;
}

void all_added(char **list, int n, struct names **all) {
    for (int i = 0; i < n; i++) *all = add(*all, list[i]);
}

int matched(char **list, int n, struct names **all) {
    for (int i = 0; i < n; i++) {
        *all = add(*all, list[i]);
        if (list[i][0] == '/') {
            free(*all);
            *all = NULL;
            return 1;
        }
    }
    return 0;
}

void grown_and_not_kept(struct names *names, struct names **all) {
    *all = realloc(names, 800);
    if (*all) free(names); /* wrong: must memory freed */
}

struct place {
    struct entry *held;
};

int read_by_two_names(struct place *a, struct place *b) {
    free(a->held);
    b->held = malloc(sizeof(struct entry));
    if (!b->held) return 0;
    b->held->value = 1;
    return a == b ? a->held->value : 0;
}

void locked_after_it_was_made_again(pthread_mutex_t *lock) {
    pthread_mutex_destroy(lock);
    pthread_mutex_init(lock, NULL);
    pthread_mutex_lock(lock);
    pthread_mutex_unlock(lock);
}
