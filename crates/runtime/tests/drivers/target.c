/* A captured program and library, and their flavours: compiled with -DNAME and perhaps -DNOTE. */
#include <stdio.h>
#include <stdlib.h>

#ifdef NOTE
__asm__(".pushsection .note.whydunit,\"a\",@note\n.balign 4\n.long 9, 2f - 1f, 0x5744\n.asciz \"whydunit\"\n.balign 4\n"
        "1: .asciz \"" NOTE "\"\n2: .balign 4\n.popsection\n");
#endif

const char *name(void) { return NAME; }

#ifndef LIBRARY
int main(int argc, char **argv) {
  printf("%s", NAME);
  for (int i = 0; i < argc; i++) printf(" %s", argv[i]);
  printf(" flavours=%s\n", getenv("WHYDUNIT_FLAVOUR_DIR") ? "kept" : "lost");
  return 0;
}
#endif
