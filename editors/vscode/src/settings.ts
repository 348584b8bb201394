// What the server and the debug adapter are started with, apart from the editor, so that it can be tested without one.

/** The settings of a user. */
export interface Settings {
  path: string;
  checkOnSave: boolean;
  suspicious: number;
}

/** How a program is started. */
export interface Started {
  command: string;
  args: string[];
}

/** The language server. */
export function server(settings: Settings): Started {
  return { command: settings.path, args: ['lsp'] };
}

/** The debug adapter, for a project's folder where one is known. */
export function adapter(settings: Settings, project?: string): Started {
  return { command: settings.path, args: project ? ['--project', project, 'dap'] : ['dap'] };
}

/** The options that the server takes when it begins. */
export function options(settings: Settings): { checkOnSave: boolean; suspicious: number } {
  return { checkOnSave: settings.checkOnSave, suspicious: settings.suspicious };
}

/** The files that the server is told of. */
export const selector = [
  ...['c', 'cpp', 'rust', 'cmake'].map((language) => ({ scheme: 'file', language })),
  { scheme: 'file', pattern: '**/cases.jsonl' },
  { scheme: 'file', pattern: '**/CMakeLists.txt' },
];
