#!/bin/sh
test "$(../src/sums -m -5 -2)" = "-2"
