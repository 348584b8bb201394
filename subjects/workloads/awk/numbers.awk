# Number crunching: primes, a random walk with our own generator, matrix product, string building.
BEGIN {
  n = N ? N : 5000; for (i = 2; i <= n; i++) if (!c[i]) { p++; for (j = i * i; j <= n; j += i) c[j] = 1 } print p
  s = 42; for (i = 0; i < n; i++) { s = (s * 1103515245 + 12345) % 2147483648; h[int(s / 65536) % 10]++ } for (i = 0; i < 10; i++) t = t " " h[i]; print t
  m = 12; for (i = 0; i < m; i++) for (j = 0; j < m; j++) { a[i, j] = i + j; b[i, j] = i == j } for (i = 0; i < m; i++) for (j = 0; j < m; j++) for (k = 0; k < m; k++) d[i, j] += a[i, k] * b[k, j]; for (k in d) { split(k, q, SUBSEP); x += d[k] * q[1] } print x
  for (i = 0; i < n; i++) str = str (i % 10); print length(str), substr(str, n - 5); printf "%.6f %.6f %.6f %.6f\n", sin(1), exp(1), log(10), atan2(1, 2); print srand(5), srand(), rand() < 1 }
