int largest(const int *values, int n);
