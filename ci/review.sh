#!/usr/bin/env bash
# review.sh: judges a proposed change as a fix (`whydunit review`): where a test fails before the change, whether the change covers
# the bug, and whether it breaks something else. Runs in the project's folder, in a clone with the history that both revisions need.
# Ends with 0 where nothing speaks against the change, or no test fails before it (then it is no fix of a bug that a test shows, which
# is said); with 1 where an input or a test shows that it is bad; else with whydunit's own status.
#
# Settings, by variables of the environment:
#   WHYDUNIT_BASE     the revision that the change is for [origin/main]; what is compared is where both parted
#   WHYDUNIT_HEAD     the changed revision [HEAD]
#   WHYDUNIT_REVIEW   options for `whydunit review`, as `--time-limit 120 --test t17`
#   WHYDUNIT_CLASSES  classes whose objects are compared between both versions, too (`whydunit mine CLASS --against REV`); told only
#   WHYDUNIT_REPORT   the folder for reports [whydunit-report]
#   WHYDUNIT          the program [whydunit]
#
# In the folder of reports: review.json, review.sarif, review.html (a page), summary.md; mine-CLASS.md.
set -euo pipefail

whydunit=${WHYDUNIT:-whydunit}
report=${WHYDUNIT_REPORT:-whydunit-report}
mkdir -p "$report"
head=${WHYDUNIT_HEAD:-HEAD}
base=$(git merge-base "${WHYDUNIT_BASE:-origin/main}" "$head") || {
    echo "review.sh: ${WHYDUNIT_BASE:-origin/main} and $head have no common revision here: fetch the whole history" >&2
    exit 2
}
head=$(git rev-parse --verify "$head^{commit}")
summary=$report/summary.md

read -r -a options <<<"${WHYDUNIT_REVIEW-}"
printf '+ %s review %s..%s\n' "$whydunit" "$base" "$head" >&2
status=0
"$whydunit" review "$base..$head" --also "json=$report/review.json" --also "sarif=$report/review.sarif" \
    --also "html=$report/review.html" --also "markdown=$summary" "${options[@]}" 2>"$report/review.err" || status=$?
cat "$report/review.err" >&2
if [ "$status" -eq 4 ]; then
    # No baseline: it is not known to be the fix of anything.
    { echo '## whydunit review'; echo; echo 'Not judged:'; echo '```'; cat "$report/review.err"; echo '```'; } >"$summary"
    status=0
fi
rm -f "$report/review.err"

read -r -a classes <<<"${WHYDUNIT_CLASSES-}"
for class in "${classes[@]}"; do
    name=$(tr -c 'A-Za-z0-9\n' _ <<<"$class")
    printf '+ %s mine %s --against %s\n' "$whydunit" "$class" "$base" >&2
    if "$whydunit" mine "$class" --against "$base" --also "markdown=$report/mine-$name.md"; then
        { echo; cat "$report/mine-$name.md"; } >>"$summary"
    else
        echo "review.sh: $class could not be mined" >&2
    fi
done
[ -z "${GITHUB_STEP_SUMMARY-}" ] || [ ! -f "$summary" ] || cat "$summary" >>"$GITHUB_STEP_SUMMARY"
exit "$status"
