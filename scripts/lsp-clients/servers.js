// Asks language servers what they can do, and tries what a client may do to them, by the protocol alone: one line of JSON for each.
// Arguments: a folder to work in, then a name and a command for each server, as `clangd=clangd-22`, with words divided by spaces.
const { spawn } = require('child_process');
const fs = require('fs');
const path = require('path');
const { pathToFileURL } = require('url');

const [folder, ...servers] = process.argv.slice(2);
const uri = (file) => pathToFileURL(path.join(folder, file)).toString();
const SILENCE = 15000;

// A session with a server: requests by number, what it asks and tells in lists.
class Session {
  constructor(command) {
    const [program, ...words] = command.split(' ');
    this.child = spawn(program, words, { cwd: folder, stdio: ['pipe', 'pipe', 'ignore'] });
    this.number = 0;
    this.waiting = new Map();
    this.told = [];
    this.ended = new Promise((resolve) => this.child.on('close', (code) => resolve(code)));
    this.child.stdin.on('error', () => {});
    let data = Buffer.alloc(0);
    this.child.stdout.on('data', (more) => {
      data = Buffer.concat([data, more]);
      for (;;) {
        const end = data.indexOf('\r\n\r\n');
        const length = end < 0 ? null : /Content-Length: *(\d+)/i.exec(data.subarray(0, end).toString());
        if (!length || data.length < end + 4 + Number(length[1])) return;
        const text = data.subarray(end + 4, end + 4 + Number(length[1])).toString();
        data = data.subarray(end + 4 + Number(length[1]));
        this.receive(JSON.parse(text));
      }
    });
  }
  receive(message) {
    if (message.method && message.id !== undefined) {
      this.told.push(message.method);
      this.send({ id: message.id, result: message.method === 'workspace/configuration' ? [] : null });
    } else if (message.method) {
      this.told.push(message.method);
    } else if (this.waiting.has(message.id)) {
      this.waiting.get(message.id)(message);
    } else {
      this.told.push(`error ${message.error && message.error.code}`);
    }
  }
  raw(text) { this.child.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`); }
  send(message) { this.raw(JSON.stringify({ jsonrpc: '2.0', ...message })); }
  begin(method, params) {
    const id = ++this.number;
    const response = new Promise((resolve) => {
      this.waiting.set(id, resolve);
      setTimeout(() => resolve({ silent: true }), SILENCE);
      this.ended.then((code) => resolve({ ended: code }));
    });
    this.send({ id, method, params });
    return [id, response];
  }
  ask(method, params) { return this.begin(method, params)[1]; }
}

const outcome = (response) => {
  if (response.silent) return 'nothing';
  if ('ended' in response) return `ended (${response.ended})`;
  return response.error ? `error ${response.error.code}` : 'a result';
};
const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));

async function probe(name, command) {
  const session = new Session(command);
  const found = { server: name };
  found['before initialize'] = outcome(await session.ask('textDocument/hover', {}));
  const capabilities = {
    window: { workDoneProgress: true, showDocument: { support: true } },
    general: { positionEncodings: ['utf-8', 'utf-16'] },
    workspace: { workspaceFolders: true, configuration: true },
    textDocument: { publishDiagnostics: { relatedInformation: true }, codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix', 'refactor', 'source'] } } } },
  };
  const workspaceFolders = [{ uri: pathToFileURL(folder).toString(), name: 'project' }];
  const params = { processId: process.pid, rootUri: workspaceFolders[0].uri, capabilities, workspaceFolders };
  const start = process.hrtime.bigint();
  let answer = await session.ask('initialize', params);
  // Some end where anything comes before it.
  let other = session;
  if (!answer.result) {
    other = new Session(command);
    answer = await other.ask('initialize', params);
  }
  found.milliseconds = Number((process.hrtime.bigint() - start) / 1000000n);
  const told = answer.result || {};
  const can = told.capabilities || {};
  found.version = told.serverInfo ? `${told.serverInfo.name} ${told.serverInfo.version}` : '';
  found.providers = Object.keys(can).filter((key) => key.endsWith('Provider') && can[key]).map((key) => key.replace('Provider', '')).sort();
  found.encoding = can.positionEncoding || can.offsetEncoding || told.offsetEncoding || 'utf-16 (not said)';
  found.folders = Boolean(can.workspace && can.workspace.workspaceFolders && can.workspace.workspaceFolders.supported);
  found['folders that change'] = Boolean(found.folders && can.workspace.workspaceFolders.changeNotifications);
  other.send({ method: 'initialized', params: {} });
  const file = ['rs', 'c', 'py'].map((end) => `source.${end}`).find((file) => file.endsWith({ clangd: 'c', 'rust-analyzer': 'rs', ruff: 'py' }[name] || 'c'));
  const text = fs.readFileSync(path.join(folder, file), 'utf8');
  other.send({ method: 'textDocument/didOpen', params: { textDocument: { uri: uri(file), languageId: { c: 'c', rs: 'rust', py: 'python' }[file.split('.').pop()], version: 1, text } } });
  const [id, cancelled] = other.begin('textDocument/hover', { textDocument: { uri: uri(file) }, position: { line: 0, character: 4 } });
  other.send({ method: '$/cancelRequest', params: { id } });
  found['a request cancelled at once'] = outcome(await cancelled);
  found['an unknown method'] = outcome(await other.ask('textDocument/nonsense', {}));
  found['parameters of another kind'] = outcome(await other.ask('textDocument/hover', { textDocument: 7 }));
  await pause(3000);
  found.progress = other.told.includes('window/workDoneProgress/create') || other.told.includes('$/progress');
  const before = other.told.length;
  other.raw('{');
  await pause(500);
  const more = other.told.slice(before).filter((method) => method.startsWith('error'));
  found['no JSON'] = [more[0] || 'nothing', outcome(await other.ask('textDocument/nonsense', {}))].join(', then ');
  found['after shutdown'] = outcome(await other.ask('shutdown', null)) === 'a result' ? outcome(await other.ask('textDocument/hover', {})) : 'no shutdown';
  other.send({ method: 'exit' });
  found['status of exit'] = await Promise.race([other.ended, pause(SILENCE).then(() => 'none')]);
  session.child.kill();
  other.child.kill();
  console.log(JSON.stringify(found));
}

(async () => {
  fs.writeFileSync(path.join(folder, 'source.c'), 'int main(void) { return 0; }\n');
  fs.writeFileSync(path.join(folder, 'source.rs'), 'fn main() {}\n');
  fs.writeFileSync(path.join(folder, 'source.py'), 'import os\n');
  fs.writeFileSync(path.join(folder, 'Cargo.toml'), '[package]\nname = "source"\nedition = "2021"\n[[bin]]\nname = "source"\npath = "source.rs"\n');
  for (const server of servers) {
    const [name, ...command] = server.split('=');
    await probe(name, command.join('='));
  }
  process.exit(0);
})().catch((error) => { console.error(error); process.exit(1); });
