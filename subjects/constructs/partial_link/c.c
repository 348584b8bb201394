int a(int);
int c(int n) { return a(n) * 2; }
