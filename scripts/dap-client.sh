#!/bin/sh
# Debugs a failing test of subjects/demo by the client library that VS Code's own adapters are tested with
# (@vscode/debugadapter-testsupport, fetched from npm, pinned): whether a client that is not ours understands `whydunit dap`.
# Needs node, npm and a build of whydunit (the first argument, else target/debug/whydunit).
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
whydunit=$(realpath "${1:-$here/target/debug/whydunit}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -r "$here/subjects/demo" "$folder/demo"
cd "$folder/demo"
"$whydunit" build >/dev/null
cd "$folder"
npm install --silent --no-audit --no-fund --prefix "$folder" @vscode/debugadapter-testsupport@1.68.0 >/dev/null
cat >"$folder/client.js" <<'JS'
const { spawn } = require('child_process');
const assert = require('assert');
const { DebugClient } = require('@vscode/debugadapter-testsupport');
const [whydunit, project] = process.argv.slice(2);
const source = project + '/offer.c';

async function main() {
  const adapter = spawn(whydunit, ['dap'], { cwd: project });
  const client = new DebugClient('node', '', 'whydunit');
  client.connect(adapter.stdout, adapter.stdin);
  const configure = async () => {
    await client.waitForEvent('initialized');
    await client.setBreakpointsRequest({ source: { path: source }, breakpoints: [{ line: 32 }] });
    await client.configurationDoneRequest();
  };
  // Recorded at once, and opened where it failed.
  await Promise.all([
    client.launch({ test: 'five-for-three-high-rest' }),
    configure(),
    client.assertStoppedLocation('exception', { line: 54 }),
  ]);
  const go = async (request, reason, place) => {
    const stopped = client.assertStoppedLocation(reason, place);
    await client[request]({ threadId: 1 });
    return (await stopped).body.stackFrames;
  };
  const frames = await go('reverseContinueRequest', 'breakpoint', { path: source, line: 32 });
  assert.strictEqual(frames[0].name, 'free_pieces');
  const value = await client.evaluateRequest({ expression: 'started', frameId: frames[0].id });
  assert.strictEqual(value.body.result, '4');
  const scopes = await client.scopesRequest({ frameId: frames[0].id });
  const locals = await client.variablesRequest({ variablesReference: scopes.body.scopes[0].variablesReference });
  assert(locals.body.variables.some((variable) => variable.name === 'pieces'));
  await go('nextRequest', 'step', { path: source, line: 33 });
  await go('stepBackRequest', 'breakpoint', { path: source, line: 32 });
  await client.disconnectRequest({});
  console.log('a client of npm debugged the failing test back to its fault');
  process.exit(0);
}
main().catch((error) => { console.error(error); process.exit(1); });
JS
NODE_PATH="$folder/node_modules" node "$folder/client.js" "$whydunit" "$folder/demo"
