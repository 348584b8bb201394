// The extension's host code under a stub of `vscode` and of the language client: what it registers and starts.
import assert from 'node:assert';
import Module from 'node:module';
import { test } from 'node:test';
import path from 'node:path';

interface Client { id: string; server: { command: string; args: string[] }; options: any; started: boolean }

const clients: Client[] = [];
const registered: Record<string, any> = {};
const configured: Record<string, unknown> = { path: '/opt/whydunit', suspicious: 7 };
const errors: string[] = [];
let fails = false;

const stub = {
  workspace: {
    getConfiguration: () => ({ get: (key: string, other: unknown) => configured[key] ?? other }),
    onDidChangeConfiguration: (listener: unknown) => (registered.changed = listener),
  },
  commands: { registerCommand: (name: string, run: unknown) => (registered[name] = run) },
  debug: {
    registerDebugAdapterDescriptorFactory: (type: string, factory: unknown) => (registered[`adapter ${type}`] = factory),
    registerDebugConfigurationProvider: (type: string, provider: unknown) => (registered[`configuration ${type}`] = provider),
  },
  window: { showErrorMessage: (text: string) => errors.push(text) },
  DebugAdapterExecutable: class { constructor(readonly command: string, readonly args: string[]) {} },
};

class LanguageClient {
  private readonly own: Client;
  constructor(id: string, _: string, server: Client['server'], options: unknown) {
    this.own = { id, server, options, started: false };
    clients.push(this.own);
  }
  async start() {
    if (fails) {
      throw new Error('ENOENT');
    }
    this.own.started = true;
  }
  async stop() { this.own.started = false; }
}

const load = (Module as any)._load;
(Module as any)._load = (name: string, ...rest: unknown[]) => {
  if (name === 'vscode') { return stub; }
  if (name === 'vscode-languageclient/node') { return { LanguageClient }; }
  return load(name, ...rest);
};

// eslint-disable-next-line @typescript-eslint/no-require-imports
const extension = require(path.join(__dirname, '..', 'out', 'extension.js'));
const manifest = require(path.join(__dirname, '..', 'package.json'));

test('the server is started with the settings, and started anew when these change', async () => {
  const context = { subscriptions: [] as unknown[] };
  await extension.activate(context);
  assert.strictEqual(clients.length, 1);
  assert.deepStrictEqual(clients[0].server, { command: '/opt/whydunit', args: ['lsp'] });
  assert.deepStrictEqual(clients[0].options.initializationOptions, { checkOnSave: true, suspicious: 7 });
  assert.ok(clients[0].started && context.subscriptions.length >= 4);
  configured.checkOnSave = false;
  await registered.changed({ affectsConfiguration: (name: string) => name === 'editor' });
  assert.strictEqual(clients.length, 1);
  await registered.changed({ affectsConfiguration: (name: string) => name === 'whydunit' });
  assert.ok(!clients[0].started && clients[1].started);
  assert.strictEqual(clients[1].options.initializationOptions.checkOnSave, false);
});

test('recordings are debugged by the adapter of the project', async () => {
  const session = { configuration: { project: '/p' } };
  const descriptor = registered['adapter whydunit'].createDebugAdapterDescriptor(session);
  assert.deepStrictEqual([descriptor.command, descriptor.args], ['/opt/whydunit', ['--project', '/p', 'dap']]);
  const folder = { uri: { fsPath: '/w' } };
  const resolved = await registered['configuration whydunit'].resolveDebugConfiguration(folder, {});
  assert.deepStrictEqual([resolved.type, resolved.request, resolved.project], ['whydunit', 'launch', '/w']);
});

test('a program that is not there is told', async () => {
  fails = true;
  await extension.activate({ subscriptions: [] });
  assert.match(errors[0], /does not start.*whydunit\.path/);
  fails = false;
  await extension.deactivate();
});

test('the manifest has what the code registers', () => {
  const commands = manifest.contributes.commands.map((command: { command: string }) => command.command);
  assert.ok(commands.every((command: string) => registered[command]));
  assert.strictEqual(manifest.contributes.debuggers[0].type, 'whydunit');
});
