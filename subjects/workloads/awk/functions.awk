# Recursion, arrays of arrays, indirect calls, sorting with own comparison, bit functions, time.
function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2) }
function hanoi(n, a, b, c) { if (n == 0) return 0; return hanoi(n - 1, a, c, b) + 1 + hanoi(n - 1, c, b, a) }
function by_length(i1, v1, i2, v2) { return length(v1) != length(v2) ? length(v1) - length(v2) : v1 < v2 ? -1 : v1 > v2 }
function twice(x) { return x * 2 } function fill(a, n, i) { for (i = 1; i <= n; i++) a[i % 17][i] = i; return length(a) }
BEGIN {
  print fib(N ? N : 17), hanoi(10, 1, 2, 3); f = "twice"; print @f(21); print fill(g, 500), length(g[3]), isarray(g[3])
  n = split("pear fig banana apple kiwi date", w, " "); asort(w, s, "by_length"); for (i = 1; i <= n; i++) printf "%s ", s[i]; print ""
  print and(12, 10), or(12, 10), xor(12, 10), lshift(1, 10), rshift(1024, 3), (compl(0) > 0), strtonum("0x1F"), int(-3.7), 7 % 3, -7 % 3, 2 ^ 10, 2 ** 0.5
  print strftime("%Y-%m-%d", 0, 1), (mktime("2000 01 01 00 00 00") > 0), toupper("abc"), length("hello"), substr("hello", 0, 3), substr("hello", -1), 1e6, 1e20, 0.1 + 0.2, 100000 * 100000
  str = "aaa"; print gsub(/a/, "b&", str), str; print sub(/b/, "", str), str; print ("a" < "b"), (10 < 9), ("10" < "9"), (1 == 1.0); delete g; print length(g); exit 3 }
END { print "end" }
