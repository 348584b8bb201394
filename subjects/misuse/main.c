/* Nothing is run: the functions of the other files are checked. Lines with `wrong:` must be reported so, no other line may be. */
int main(void) { return 0; }
