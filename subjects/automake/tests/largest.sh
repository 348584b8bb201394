#!/bin/sh
test "$(../src/sums -m 3 9 4)" = "9"
