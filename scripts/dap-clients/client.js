// Drives `whydunit dap` by the library that VS Code's own adapters are tested with: back from where a test failed to a line, with a
// value there; one step forward, and back again; both requests of going back; and all that `initialize` says can be done.
// WHYDUNIT_CASE has a source, a text in the line, the function, an expression, its value, and the test; an empty test: the latest recording.
const { spawn } = require('child_process');
const assert = require('assert');
const fs = require('fs');
const path = require('path');
const { DebugClient } = require('@vscode/debugadapter-testsupport');

const [source, text, name, expression, value, test] = process.env.WHYDUNIT_CASE.split('|');
const file = fs.realpathSync(path.resolve(source));
const line = fs.readFileSync(file, 'utf8').split('\n').findIndex((one) => one.includes(text)) + 1;

async function main() {
  const adapter = spawn(process.env.WHYDUNIT, ['dap'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const client = new DebugClient('node', '', 'whydunit');
  client.connect(adapter.stdout, adapter.stdin);
  const can = (await client.initializeRequest()).body;
  for (const one of ['supportsStepBack', 'supportsDataBreakpoints', 'supportsConditionalBreakpoints', 'supportsGotoTargetsRequest']) {
    assert.strictEqual(can[one], true, one);
  }
  const filters = can.exceptionBreakpointFilters.map((one) => one.filter);
  assert(filters.includes('failure') && filters.includes('memory-error'), filters);
  const at = async (wanted, where, go) => {
    const stopped = client.assertStoppedLocation(wanted, where);
    const [answer] = await Promise.all([stopped, go()]);
    return answer.body.stackFrames;
  };
  // The client asks for `initialize` by itself where it launches: this one was initialized already.
  const configured = async () => {
    await client.waitForEvent('initialized');
    await client.setBreakpointsRequest({ source: { path: file }, breakpoints: [{ line }] });
    await client.setExceptionBreakpointsRequest({ filters: ['failure', 'memory-error'] });
    await client.configurationDoneRequest();
  };
  const [failed] = await Promise.all([
    client.waitForEvent('stopped', 60000),
    configured(),
    client.launchRequest(test ? { test } : {}),
  ]);
  assert.strictEqual(failed.body.reason, 'exception');
  const info = await client.send('exceptionInfo', { threadId: failed.body.threadId });
  assert(info.success && info.body.description, info);
  const thread = { threadId: failed.body.threadId };
  const frames = await at('breakpoint', { path: file, line }, () => client.reverseContinueRequest(thread));
  assert(frames[0].name.endsWith(name), frames[0].name);
  const found = await client.evaluateRequest({ expression, frameId: frames[0].id });
  assert.strictEqual(found.body.result, value);
  const scopes = await client.scopesRequest({ frameId: frames[0].id });
  const locals = await client.variablesRequest({ variablesReference: scopes.body.scopes[0].variablesReference });
  assert(locals.body.variables.length > 0);
  await at('step', {}, () => client.nextRequest(thread));
  await at('breakpoint', { path: file, line }, () => client.stepBackRequest(thread));
  // As far back as it goes.
  await client.setBreakpointsRequest({ source: { path: file }, breakpoints: [] });
  await at('entry', {}, () => client.reverseContinueRequest(thread));
  await client.disconnectRequest({});
  process.exit(0);
}
main().catch((error) => { console.error(error); process.exit(1); });
