// whydunit in VS Code: its language server beside the others, and its debug adapter for recordings.
import * as vscode from 'vscode';
import { LanguageClient } from 'vscode-languageclient/node';
import { Settings, adapter, options, selector, server } from './settings';

let client: LanguageClient | undefined;

function settings(): Settings {
  const all = vscode.workspace.getConfiguration('whydunit');
  return {
    path: all.get('path', 'whydunit'),
    checkOnSave: all.get('checkOnSave', true),
    suspicious: all.get('suspicious', 5),
  };
}

async function start(): Promise<void> {
  const now = settings();
  client = new LanguageClient('whydunit', 'whydunit', server(now), {
    documentSelector: selector,
    initializationOptions: options(now),
  });
  await client.start();
}

async function restart(): Promise<void> {
  await client?.stop();
  await start();
}

class Adapters implements vscode.DebugAdapterDescriptorFactory {
  createDebugAdapterDescriptor(session: vscode.DebugSession): vscode.DebugAdapterDescriptor {
    const project = session.configuration.project ?? session.workspaceFolder?.uri.fsPath;
    const { command, args } = adapter(settings(), project);
    return new vscode.DebugAdapterExecutable(command, args);
  }
}

class Configurations implements vscode.DebugConfigurationProvider {
  async resolveDebugConfiguration(
    folder: vscode.WorkspaceFolder | undefined,
    configuration: vscode.DebugConfiguration,
  ): Promise<vscode.DebugConfiguration | undefined> {
    if (!configuration.type) {
      Object.assign(configuration, { type: 'whydunit', request: 'launch', name: 'why does a test fail' });
    }
    configuration.project ??= folder?.uri.fsPath;
    return configuration;
  }
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  context.subscriptions.push(
    vscode.commands.registerCommand('whydunit.restart', restart),
    vscode.debug.registerDebugAdapterDescriptorFactory('whydunit', new Adapters()),
    vscode.debug.registerDebugConfigurationProvider('whydunit', new Configurations()),
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      if (event.affectsConfiguration('whydunit')) {
        await restart();
      }
    }),
  );
  try {
    await start();
  } catch (error) {
    vscode.window.showErrorMessage(`whydunit does not start: ${error}. Is \`whydunit.path\` right?`);
  }
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}
