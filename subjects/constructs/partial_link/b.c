static int shared_name(int n) { return n + 1000; }
int b(int n) { return shared_name(n); }
