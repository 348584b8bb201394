#!/bin/sh
# Compares what comes through pipes, as it is, without white space, and sorted.
failed=0
./calc < tests/data/plus.in | diff tests/data/plus.want - || failed=1
printf 'input:1:   12\n' > wide.tmp
./calc < tests/data/times.in | diff -w wide.tmp - || failed=1
./calc < tests/data/minus.in | diff tests/data/minus.want - || failed=1
printf -- '- 2 9\n- 1 9\n' | ./calc | sort -r | diff wide.tmp - > /dev/null || failed=1
rm -f wide.tmp
exit $failed
