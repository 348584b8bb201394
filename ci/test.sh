#!/usr/bin/env bash
# test.sh: what a CI job does with whydunit on a project: builds it under capture, runs its suite, and, where tests fail, locates
# why. Runs in the project's folder. Ends with 0 where all tests pass, with 1 where some fail, else with whydunit's own status.
#
# Settings, by variables of the environment; all can be left out:
#   WHYDUNIT_BUILD    the build command, for a shell [as whydunit.toml says, or as it is found out]
#   WHYDUNIT_SHARD    run this part of the suite only, as 2/4; its answer is then put into WHYDUNIT_REPORT/shards, for `whydunit merge`
#   WHYDUNIT_LOCATE   options for `whydunit locate`, as `--time-limit 120`; `no` locates nothing
#   WHYDUNIT_REPORT   the folder for reports [whydunit-report]
#   WHYDUNIT          the program [whydunit]
#
# In the folder of reports: tests.xml (JUnit), tests.json; where tests fail locate.json, locate.sarif, locate.html (a page), summary.md.
# On GitHub the failures become annotations of the change, and the summary one of the job.
set -euo pipefail

whydunit=${WHYDUNIT:-whydunit}
report=${WHYDUNIT_REPORT:-whydunit-report}
mkdir -p "$report"

# run COMMAND...: shows the command, runs it, keeps its status.
run() {
    printf '+ %s\n' "$*" >&2
    status=0
    "$@" || status=$?
}

# Where something is missing the message of the step that needs it says so, too.
run "$whydunit" doctor --also "json=$report/doctor.json"

if [ -n "${WHYDUNIT_BUILD-}" ]; then
    run "$whydunit" build -- sh -c "$WHYDUNIT_BUILD"
else
    run "$whydunit" build
fi
[ "$status" -eq 0 ] || exit "$status"

options=()
if [ -n "${WHYDUNIT_SHARD-}" ]; then
    mkdir -p "$report/shards"
    options=(--shard "$WHYDUNIT_SHARD" --also "json=$report/shards/${WHYDUNIT_SHARD%%/*}.json")
fi
run "$whydunit" test --junit "$report/tests.xml" --also "json=$report/tests.json" --also "markdown=$report/summary.md" "${options[@]}"
tested=$status
[ "$tested" -le 1 ] || exit "$tested"

if [ "$tested" -eq 1 ] && [ "${WHYDUNIT_LOCATE-}" != no ]; then
    format=text
    [ -z "${GITHUB_ACTIONS-}" ] || format=github
    # Words of a setting, not one.
    read -r -a options <<<"${WHYDUNIT_LOCATE-}"
    run "$whydunit" locate --format "$format" --also "json=$report/locate.json" --also "sarif=$report/locate.sarif" \
        --also "html=$report/locate.html" --also "markdown=$report/locate.md" "${options[@]}"
    if [ -f "$report/locate.md" ]; then
        { echo; cat "$report/locate.md"; } >>"$report/summary.md" && rm "$report/locate.md"
    fi
    # That nothing could be located does not make the tests pass; a status of our own fault is told.
    [ "$status" -le 5 ] || exit "$status"
fi
[ -z "${GITHUB_STEP_SUMMARY-}" ] || cat "$report/summary.md" >>"$GITHUB_STEP_SUMMARY"
exit "$tested"
