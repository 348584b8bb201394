#!/bin/sh
# Says which tests fail in the Test Anything Protocol, and ends with 0.
n=0
for in in tests/data/*.in; do
  n=$((n + 1))
  sh -c './calc < "$0" > got.tmp' "$in"
  if cmp -s got.tmp "${in%.in}.want"; then echo "ok $n"; else echo "not ok $n - $in"; fi
done
out=$(echo '- 9 1' | ./calc)
[ "$out" = "input:1: 8" ] || echo "not ok 4"
rm -f got.tmp
