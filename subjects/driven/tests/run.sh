#!/bin/sh
# Every tests/data/*.in by name, compared with the .out beside it.
cd tests || exit 2
failed=0
for in in data/*.in; do
  ../calc "$in" > got.txt
  if ! diff "${in%.in}.out" got.txt > /dev/null; then
    echo "$in fails"
    failed=1
  fi
done
rm -f got.txt
exit $failed
