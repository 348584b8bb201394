#!/bin/sh
# Several runs print into one file, which is compared as a whole.
{
  ./calc tests/data/plus.in
  ./calc tests/data/minus.in
  ./calc tests/data/times.in
} > all.tmp
sed 's/^data/tests\/data/' tests/data/plus.out tests/data/minus.out tests/data/times.out > want.tmp
diff want.tmp all.tmp
status=$?
rm -f all.tmp want.tmp
exit $status
