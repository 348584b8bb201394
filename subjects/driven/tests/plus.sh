#!/bin/sh
# Ends well: what the program prints here is right, whatever is looked at.
echo '+ 1 2' | ./calc | grep -q 'input:1: 3'
echo '+ 2 2' > one.tmp
CALC_STATUS=4 ./calc one.tmp > /dev/null
[ $? = 4 ] || exit 1
rm -f one.tmp
