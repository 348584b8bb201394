#!/bin/sh
# Inputs for the compressor: text, zeros, a pseudo-random block, mixed. Arguments: folder, size in units of 64 KiB.
folder=$1 units=$2
mkdir -p "$folder"
awk -v n="$units" 'BEGIN { for (i = 0; i < n * 1100; i++) printf "line %d of a text that repeats itself, with the number %d in it\n", i, i * 7919 % 10007 }' >"$folder/text"
head -c $((units * 65536)) /dev/zero >"$folder/zeros"
awk -v n="$units" 'BEGIN { s = 1; for (i = 0; i < n * 6000; i++) { s = (s * 16807) % 2147483647; printf "%08x", s; if (i % 9 == 0) printf "\n" } }' >"$folder/random"
cat "$folder/text" "$folder/random" "$folder/text" >"$folder/mixed"
: >"$folder/empty"
printf x >"$folder/one"
