#!/usr/bin/env bash
# Looks over all shell scripts of the repository with shellcheck, from its level `warning` upward.
set -euo pipefail
cd "$(dirname "$0")/.."
if ! command -v shellcheck >/dev/null; then
    echo 'shellcheck.sh: shellcheck is not there: scripts/setup.sh --tests installs it' >&2
    exit 1
fi
# Those with the ending, and those whose first line names a shell. Subjects are programs under test.
mapfile -t scripts < <(git ls-files --cached --others --exclude-standard | grep -v '^subjects/' | while IFS= read -r file; do
    case $file in
    *.sh) echo "$file" ;;
    *) [ ! -f "$file" ] || ! head -n 1 "$file" | tr -d '\0' | grep -qE '^#!.*\b(ba|da)?sh$' || echo "$file" ;;
    esac
done)
# Pieces that are sourced have no first line that names a shell: they are bash's.
bad=0
for script in "${scripts[@]}"; do
    if head -n 1 "$script" | grep -q '^#!'; then
        shellcheck --severity=warning "$script" || bad=1
    else
        shellcheck --severity=warning --shell=bash "$script" || bad=1
    fi
done
[ "$bad" -eq 0 ] || exit 1
echo "shellcheck.sh: ${#scripts[@]} scripts, nothing found"
