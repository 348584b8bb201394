// How long a check takes from the save of a source on, beside the compiler's own time for it. Arguments: the program, a project of C or
// C++ that was built by it, a source of it, and how often (9). Each time a line of the source is another one; it is as it was in the end.
const { spawn, spawnSync } = require('child_process');
const fs = require('fs');
const path = require('path');
const { pathToFileURL } = require('url');

const [whydunit, project, file, times] = process.argv.slice(2);
const source = path.join(project, file);
const server = spawn(whydunit, ['lsp'], { cwd: project, stdio: ['pipe', 'pipe', 'inherit'] });
let [data, notice] = [Buffer.alloc(0), () => {}];
server.stdout.on('data', (more) => {
  data = Buffer.concat([data, more]);
  for (;;) {
    const end = data.indexOf('\r\n\r\n');
    const length = end < 0 ? null : /Content-Length: (\d+)/.exec(data.subarray(0, end).toString());
    if (!length || data.length < end + 4 + Number(length[1])) return;
    notice(JSON.parse(data.subarray(end + 4, end + 4 + Number(length[1])).toString()));
    data = data.subarray(end + 4 + Number(length[1]));
  }
});
const send = (message) => {
  const text = JSON.stringify({ jsonrpc: '2.0', ...message });
  server.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
};
const until = (wanted) => new Promise((resolve) => { notice = (message) => wanted(message) && resolve(message); });
const now = () => Number(process.hrtime.bigint()) / 1e6;
const middle = (list) => list.slice().sort((a, b) => a - b)[Math.floor(list.length / 2)];

// What clang takes for the unit, by its last description in the store: with the flags of its build as they are, and without
// optimising or writing anything.
function compilers() {
  const folder = path.join(project, '.whydunit/units');
  const units = fs.readdirSync(folder).map((name) => fs.readFileSync(path.join(folder, name), 'utf8'));
  const parsed = units.map((text) => JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)));
  const unit = parsed.find((unit) => fs.realpathSync(unit.source) === fs.realpathSync(source));
  const time = (more) => {
    const start = now();
    const words = [...unit.arguments, ...more, unit.given];
    const ended = spawnSync('clang-22', ['-w', ...words], { cwd: unit.folder });
    if (ended.status !== 0) throw new Error(ended.stderr.toString());
    return now() - start;
  };
  const often = (more) => middle(Array.from({ length: 5 }, () => time(more)));
  return { object: often(['-g', '-O2', '-c', '-o', '/dev/null']), syntax: often(['-fsyntax-only']) };
}

(async () => {
  const uri = pathToFileURL(source).toString();
  const before = fs.readFileSync(source, 'utf8');
  send({ id: 1, method: 'initialize', params: { processId: null, capabilities: {}, workspaceFolders: [{ uri: pathToFileURL(project).toString(), name: 'project' }] } });
  await until((message) => message.id === 1);
  send({ method: 'initialized', params: {} });
  send({ method: 'textDocument/didOpen', params: { textDocument: { uri, languageId: 'c', version: 1, text: before } } });
  const saved = async (text) => {
    fs.writeFileSync(source, text);
    const start = now();
    send({ method: 'textDocument/didSave', params: { textDocument: { uri } } });
    const told = await until((message) => message.method === 'window/logMessage' && message.params.message.startsWith('checked: '));
    return [now() - start, told.params.message];
  };
  try {
    const first = await saved(before);
    console.log(`first: ${Math.round(first[0])} ms (${first[1]})`);
    const all = [];
    for (let round = 0; round < Number(times || 9); round++) {
      // A statement more in one function: the first that begins at a line's start and has a body there.
      const more = before.replace(/^\{\n|(\) *\{\n)/m, (text) => `${text}    { volatile int changed = ${round}; (void)changed; }\n`);
      if (more === before) throw new Error('no function begins there');
      const [took, told] = await saved(more);
      const [, compiling, checking] = /in (\d+) ms, \d+ analyses in (\d+) ms/.exec(told).map(Number);
      all.push([took, compiling, checking]);
      if (round === 0) console.log(told);
    }
    const [whole, compiling, checking] = [0, 1, 2].map((column) => all.map((row) => row[column]));
    const own = compilers();
    const memory = /VmHWM:\s+(\d+)/.exec(fs.readFileSync(`/proc/${server.pid}/status`, 'utf8'))[1];
    console.log(`after a change of one function: ${middle(whole).toFixed(0)} ms (at most ${Math.max(...whole).toFixed(0)}), to the bitcode ${middle(compiling)}, from there ${middle(checking)} (at most ${Math.max(...checking)})`);
    console.log(`clang's own time: ${own.object.toFixed(0)} ms (-g -O2), ${own.syntax.toFixed(0)} ms (-fsyntax-only); memory ${Math.round(memory / 1024)} MB`);
  } finally {
    fs.writeFileSync(source, before);
  }
  server.kill();
  process.exit(0);
})().catch((error) => { console.error(error); process.exit(1); });
