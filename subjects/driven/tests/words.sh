#!/bin/sh
# Text in variables, and a run of which nobody says what it must print.
[ "$(echo '- 5 2' | ./calc)" = "input:1: 3" ] || exit 1
