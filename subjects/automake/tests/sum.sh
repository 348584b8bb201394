#!/bin/sh
test "$(../src/sums 1 2 3)" = "6"
