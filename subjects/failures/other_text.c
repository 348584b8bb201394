// Another number is printed than is expected.
// fails: output | this prints "area 12"
// case: {"name":"two","args":["2","2"],"stdout":"area 4\n","status":0}
// case: {"name":"none","args":["0","0"],"stdout":"area 0\n","status":0}
// case: {"name":"three","args":["3","4"],"stdout":"area 12\n","status":0}

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int base = atoi(argv[1]), height = atoi(argv[2]);
    int area = base + height; /* @fault */
    printf("area %d\n", area); /* @point */
    return argc != 3;
}
