static int shared_name(int n) { return n + 10; }
int b(int);
int a(int n) { return shared_name(n) + b(n); }
