// Drives `whydunit lsp` by the client library of VS Code's language clients: what other clients lack, lenses, inlay hints, commands
// with progress. Arguments: the program, a project, and a case as other clients have it, with a source of tests and a test.
const { spawn } = require('child_process');
const assert = require('assert');
const fs = require('fs');
const path = require('path');
const { pathToFileURL } = require('url');
const lsp = require('vscode-languageserver-protocol/node');

const [whydunit, project, testCase, tests, test] = process.argv.slice(2);
const [source, wanted, variable, told] = testCase.split('|');
const uriOf = (file) => pathToFileURL(path.join(project, file)).toString();
const placeOf = (file, text) => {
  const lines = fs.readFileSync(path.join(project, file), 'utf8').split('\n');
  const line = lines.findIndex((one) => one.includes(text));
  assert(line >= 0, text);
  return { line, character: lines[line].indexOf(text) };
};

async function main() {
  const server = spawn(whydunit, ['lsp'], { cwd: project, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => server.on('exit', resolve));
  const client = lsp.createProtocolConnection(
    new lsp.StreamMessageReader(server.stdout), new lsp.StreamMessageWriter(server.stdin));
  const shown = new Map();
  let notice = () => {};
  client.onNotification(lsp.PublishDiagnosticsNotification.type, (all) => { shown.set(all.uri, all.diagnostics); notice(); });
  client.onRequest(lsp.WorkDoneProgressCreateRequest.type, () => null);
  client.onNotification('window/showMessage', () => {});
  client.onNotification('window/logMessage', () => {});
  client.listen();
  const capabilities = { window: { workDoneProgress: true }, general: { positionEncodings: ['utf-16'] } };
  const workspaceFolders = [{ uri: pathToFileURL(project).toString(), name: 'project' }];
  const done = await client.sendRequest(lsp.InitializeRequest.type, { processId: null, rootUri: null, capabilities, workspaceFolders });
  assert(done.capabilities.codeLensProvider && done.capabilities.inlayHintProvider);
  await client.sendNotification(lsp.InitializedNotification.type, {});
  const open = (file) => client.sendNotification(lsp.DidOpenTextDocumentNotification.type, {
    textDocument: { uri: uriOf(file), languageId: 'c', version: 1, text: fs.readFileSync(path.join(project, file), 'utf8') },
  });
  await open(source);
  const textDocument = { uri: uriOf(source) };
  await client.sendNotification(lsp.DidSaveTextDocumentNotification.type, { textDocument });
  const has = () => (shown.get(textDocument.uri) || []).some((one) => one.message.includes(wanted));
  await new Promise((resolve, reject) => {
    notice = () => has() && resolve();
    setTimeout(() => reject(new Error(`no diagnostic with ${wanted}: ${JSON.stringify([...shown])}`)), 60000);
    notice();
  });
  const position = placeOf(source, variable);
  const hover = await client.sendRequest(lsp.HoverRequest.type, { textDocument, position });
  assert(hover && hover.contents.value.includes(told), JSON.stringify(hover));
  const cause = await client.sendRequest(lsp.DefinitionRequest.type, { textDocument, position });
  assert.strictEqual(cause[0].uri, textDocument.uri);
  const range = { start: { line: 0, character: 0 }, end: { line: 10000, character: 0 } };
  const hints = await client.sendRequest(lsp.InlayHintRequest.type, { textDocument, range });
  assert(hints.length > 0 && hints.every((hint) => hint.label.includes(' = ')), JSON.stringify(hints));
  await open(tests);
  const lenses = await client.sendRequest(lsp.CodeLensRequest.type, { textDocument: { uri: uriOf(tests) } });
  const lens = (title) => lenses.find((one) => one.command.title === title && one.command.arguments[0].test === test);
  assert(lens('run') && lens('record') && lens('why does it fail?'), JSON.stringify(lenses));
  const steps = [];
  client.onProgress(lsp.WorkDoneProgress.type, 'mine', (value) => steps.push(value.kind));
  const command = lens('why does it fail?').command;
  const located = await client.sendRequest(lsp.ExecuteCommandRequest.type, { command: command.command, arguments: command.arguments, workDoneToken: 'mine' });
  assert(located.message.startsWith('most suspicious is '), located.message);
  assert(steps[0] === 'begin' && steps.includes('report') && steps.at(-1) === 'end', steps.join());
  await client.sendRequest(lsp.ShutdownRequest.type);
  await client.sendNotification(lsp.ExitNotification.type);
  assert.strictEqual(await ended, 0);
  console.log(`${path.basename(project)}: ${hints.length} hints, ${lenses.length} lenses, ${located.message.split('\n')[0]}`);
  process.exit(0);
}
main().catch((error) => { console.error(error); process.exit(1); });
