#!/usr/bin/env python3
"""Misuse that nobody chose: calls left out of and added to programs that use streams, folders, descriptors, zlib and mutexes, and how many `whydunit check` finds.

seeded-misuse.py CLIENTS OUT COUNT SEED [NAME...]
    CLIENTS is a file like subjects/seeded/clients.json. Of each client (or of those named) COUNT changes are drawn in random order, by class: a statement that is one call on an object of
    the class is left out, or another call on the same object is added behind one. A change is *failing* where the client's runs, compiled with subjects/seeded/oracle.h and
    AddressSanitizer, have a wrong call on an object that they do not have without it, and *passing* where they come to the changed place and have none; others are counted apart. Each
    is built in a copy and checked by the models that come with the tool: *flagged* where `whydunit check` has a report that it does not have of the unchanged program, *exact* where one
    is at the line of the wrong call. Prints a table; OUT/NAME.json has every change.
WHYDUNIT: the binary [target/release/whydunit]. SOURCES: the folder that holds the clients' sources, clones of
github.com/madler/zlib, michaelforney/sbase and Pithikos/C-Thread-Pool (as thpool) [OUT/sources].
"""
import json
import os
import random
import re
import shutil
import subprocess
import sys

from sources import masked

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WHYDUNIT = os.path.abspath(os.environ.get('WHYDUNIT', f'{HERE}/target/release/whydunit'))
# What the oracle calls a wrong call on an object of a class; a use of freed memory is wrong for all.
SAID = {'FILE': 'stream', 'DIR': 'folder', 'descriptor': 'descriptor', 'z_stream': 'zlib', 'gzFile': 'zlib', 'pthread_mutex_t': 'mutex'}
# The methods of a class with the number of the argument that is the object, and what is added: calls that take nothing but the object.
CLASSES = {
    'FILE': ({'fclose': 0, 'fgetc': 0, 'getc': 0, 'fputc': 1, 'putc': 1, 'fputs': 1, 'fgets': 2, 'fread': 3, 'fwrite': 3, 'fprintf': 0, 'fseek': 0, 'rewind': 0, 'ftell': 0, 'feof': 0,
              'ferror': 0, 'clearerr': 0, 'getline': 2, 'ungetc': 1},
             ['fclose({})', 'fclose({})', 'rewind({})', 'fgetc({})', 'clearerr({})']),
    'DIR': ({'closedir': 0, 'readdir': 0, 'rewinddir': 0, 'dirfd': 0}, ['closedir({})', 'closedir({})', 'readdir({})']),
    'descriptor': ({'close': 0, 'read': 0, 'write': 0, 'lseek': 0, 'fstat': 0, 'ftruncate': 0, 'fsync': 0}, ['close({})', 'close({})', 'lseek({}, 0, SEEK_CUR)']),
    'z_stream': ({'deflate': 0, 'deflateEnd': 0, 'deflateReset': 0, 'inflate': 0, 'inflateEnd': 0, 'inflateReset': 0, 'deflateInit': 0, 'inflateInit': 0, 'deflateInit2': 0,
                  'inflateInit2': 0},
                 ['deflateEnd({})', 'inflateEnd({})', 'inflateReset({})', 'deflateReset({})', 'inflate({}, Z_NO_FLUSH)']),
    'gzFile': ({'gzclose': 0, 'gzread': 0, 'gzwrite': 0, 'gzputs': 0, 'gzgets': 0, 'gzflush': 0, 'gzrewind': 0, 'gzseek': 0, 'gztell': 0, 'gzeof': 0, 'gzputc': 0, 'gzgetc': 0},
               ['gzclose({})', 'gzclose({})', 'gztell({})', 'gzrewind({})']),
    'pthread_mutex_t': ({'pthread_mutex_lock': 0, 'pthread_mutex_unlock': 0, 'pthread_cond_wait': 1, 'pthread_mutex_destroy': 0}, ['pthread_mutex_lock({})', 'pthread_mutex_unlock({})']),
}


def arguments(code, opening):
    """Where the arguments of a call begin and end, and where its parenthesis closes; None where it does not."""
    depth, begin, parts = 0, opening + 1, []
    for at in range(opening, len(code)):
        if code[at] in '([{':
            depth += 1
        elif code[at] in ')]}':
            depth -= 1
            if depth == 0:
                return parts + [(begin, at)], at
        elif code[at] == ',' and depth == 1:
            parts.append((begin, at))
            begin = at + 1
        elif code[at] == ';':
            return None
    return None


def changes(text, name, extra):
    """What can be changed for a class: where it begins and ends, what stands there instead, and the kind."""
    code = masked(text)
    methods, added = CLASSES[name]
    methods = {**methods, **extra}
    found = []
    for match in re.finditer(r'(?<![\w.>])(' + '|'.join(methods) + r')\s*\(', code):
        call = arguments(code, match.end() - 1)
        number = methods[match.group(1)]
        if call is None or number >= len(call[0]):
            continue
        begin, end = call[0][number]
        this = text[begin:end].strip()
        if not re.fullmatch(r'&?\(?[A-Za-z_]\w*((->|\.)\w+)*\)?', this) or this in ('stdin', 'stdout', 'stderr'):
            continue
        first = max(code.rfind(mark, 0, match.start()) for mark in ';{}') + 1
        before = code[first:match.start()]
        last = code.find(';', call[1])
        if last < 0 or re.search(r'\b(for|while|do|switch|case|default|return)\b|:', before):
            continue
        start = first + len(before) - len(before.lstrip())
        alone = re.fullmatch(r'(\(void\)\s*)?|\w+\s*=\s*', before.strip() + (' ' if before.strip().endswith('=') else '')) and code[call[1] + 1:last].strip() == ''
        head = re.match(r'\s*(?:else\s+)?if\s*\(', before) if not alone else None
        if alone and before.strip() in ('', '(void)'):
            found.append((start, last + 1, '{reached};', 'leave out'))
        elif alone and name == 'z_stream':
            found.append((start, last + 1, '{{ {reached}; ' + before.strip() + ' 0; }}', 'leave out'))
        if alone:
            for other in added:
                found.append((start, last + 1, '{{ ' + text[start:last + 1].replace('{', '{{').replace('}', '}}') + ' {reached}; ' + other.format(this) + '; }}', 'add'))
        elif head and not re.search(r'\belse\b', before):
            for other in added:
                found.append((start, start, '{reached}; ' + other.format(this) + '; ', 'add'))
    return sorted(set(found))


class Client:
    """A program, and copies of it in which changes are tried."""

    def __init__(self, about, sources, out):
        self.about, self.name = about, about['name']
        self.folder, self.native, self.runs = (f'{out}/{self.name}/{part}' for part in ('checked', 'native', 'runs'))
        shutil.rmtree(f'{out}/{self.name}', ignore_errors=True)
        for folder in (self.folder, self.native):
            shutil.copytree(f'{sources}/{about["source"]}', folder, ignore=shutil.ignore_patterns('.git'))
        open(f'{self.folder}/cases.jsonl', 'w').write('{"name":"none","args":[]}\n')
        program = f'cc -g -w {about.get("flags", "")} -o client {" ".join(about["sources"])} {about.get("libraries", "")}'
        open(f'{self.folder}/whydunit.toml', 'w').write(f'[build]\ncommand = "{program}"\nexecutable = "./client"\n[tests]\ncases = "cases.jsonl"\n')

    def at(self, file, text):
        """Puts a text into the copy that is checked."""
        open(f'{self.folder}/{file}', 'w').write(text)

    def runs_natively(self, file, text):
        """What the runs of a native build say: 'wrong' with the line of the first wrong call, 'reached', 'unreached', 'no end', or 'not built'."""
        about, library = self.about, self.about['plain']
        shutil.copy(f'{HERE}/subjects/seeded/oracle.c', self.native)
        original = open(f'{self.native}/{file}').read()
        open(f'{self.native}/{file}', 'w').write(text)
        objects, built = [], True
        for source in ['oracle.c', *about['sources']]:
            made = source.replace('/', '_')[:-2] + '.o'
            objects.append(made)
            if source == file or not os.path.exists(f'{self.native}/{made}'):
                with_oracle = '' if source in ['oracle.c', *library] else f'-include {HERE}/subjects/seeded/oracle.h'
                built = built and self.natively(f'{about.get("flags", "")} {with_oracle} -c -o {made} {source}')
        built = built and self.natively(f'-o client {" ".join(objects)} {about.get("libraries", "")}')
        open(f'{self.native}/{file}', 'w').write(original)
        # The next build of the unchanged file is another one.
        for made in [file.replace('/', '_')[:-2] + '.o']:
            if os.path.exists(f'{self.native}/{made}'):
                os.remove(f'{self.native}/{made}')
        return self.run() if built else ('not built', None)

    def natively(self, what):
        done = subprocess.run(f'clang-22 -g -w -fsanitize=address {what}', shell=True, cwd=self.native, capture_output=True, text=True)
        if done.returncode and os.environ.get('SAY'):
            print(done.stderr[:2000], file=sys.stderr)
        return done.returncode == 0

    def run(self):
        reached, ended = False, True
        for command in self.about['runs']:
            shutil.rmtree(self.runs, ignore_errors=True)
            os.makedirs(self.runs)
            logs = {'ORACLE': f'{self.runs}/oracle.log', 'ORACLE_REACHED': f'{self.runs}/reached.log', 'ASAN_OPTIONS': f'detect_leaks=0:log_path={self.runs}/asan.log:exitcode=98'}
            environment = {**os.environ, **logs, 'P': f'{self.native}/client', 'S': self.native, 'LC_ALL': 'C'}
            done = subprocess.Popen(command, shell=True, cwd=self.runs, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
            try:
                done.wait(5)
            except subprocess.TimeoutExpired:
                os.killpg(done.pid, 9)
                done.wait()
                ended = False
            reached |= os.path.exists(logs['ORACLE_REACHED'])
            if os.path.exists(logs['ORACLE']):
                return 'wrong', open(logs['ORACLE']).readline().strip()
            reports = [file for file in os.listdir(self.runs) if file.startswith('asan.log')]
            if reports:
                text = open(f'{self.runs}/{reports[0]}', errors='replace').read()
                frames = re.finditer(r'#\d+ .* ([^ ]+):(\d+):\d+', text)
                frame = next((frame for frame in frames if any(frame.group(1).endswith('/' + file) for file in self.about['changed'])), None)
                return 'wrong', f'{os.path.basename(frame.group(1))}:{frame.group(2)}: memory' if frame else 'nowhere: memory'
        return ('no end' if not ended else 'reached' if reached else 'unreached'), None

    def check(self):
        """The reports of `whydunit check`: file, line and what is said; None where it does not build."""
        if subprocess.run([WHYDUNIT, 'build'], cwd=self.folder, capture_output=True).returncode != 0:
            return None
        done = subprocess.run([WHYDUNIT, 'check', '--format', 'json'], cwd=self.folder, capture_output=True, text=True)
        try:
            return {(it['location']['file'], it['location']['line'], it['message']) for it in json.loads(done.stdout)['findings']}
        except (json.JSONDecodeError, KeyError):
            print(f'{self.name}: check said {done.stderr[-300:]}', file=sys.stderr)
            return None


def measure(client, count, rng):
    about = client.about
    texts = {file: open(f'{client.folder}/{file}').read() for file in about['changed']}
    before = client.check()
    verdict, line = client.runs_natively(about['changed'][0], texts[about['changed'][0]])
    if before is None or verdict not in ('reached', 'unreached'):
        print(f'{client.name}: the unchanged program: {verdict} {line}, check {before}', file=sys.stderr)
        return []
    drawn = []
    for name in about['classes']:
        of = [(file, *change, name) for file, text in texts.items() for change in changes(text, name, about.get('also', {}).get(name, {}))]
        rng.shuffle(of)
        drawn += of[:count]
    rows = []
    for file, start, end, new, kind, name in drawn:
        text = texts[file]
        changed = lambda reached: text[:start] + new.format(reached=reached) + text[end:]
        verdict, at = client.runs_natively(file, changed('oracle_reached()'))
        if verdict == 'wrong' and at.split(': ')[-1] not in (SAID[name], 'memory'):
            verdict = 'another object'
        row = {'client': client.name, 'class': name, 'kind': kind, 'file': file, 'line': text.count('\n', 0, start) + 1, 'new': new.format(reached=''), 'verdict': verdict, 'at': at}
        if verdict in ('wrong', 'reached'):
            client.at(file, changed('0'))
            after = client.check()
            client.at(file, text)
            if after is None:
                row['verdict'] = 'not checked'
            else:
                more = sorted(after - before)
                row['reports'] = [f'{file}:{line}: {message}' for file, line, message in more]
                row['flagged'] = bool(more)
                row['exact'] = at is not None and any(os.path.basename(file) + f':{line}' == ':'.join(os.path.basename(at).split(':')[:2]) for file, line, _ in more)
        rows.append(row)
    return rows


def main():
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    clients, out, count, seed = sys.argv[1], os.path.abspath(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
    sources = os.environ.get('SOURCES', f'{out}/sources')
    table = {}
    listed = json.load(open(clients))
    for about in listed['clients']:
        for part in ('sources', 'plain'):
            about[part] = [source for name in about.get(part, []) for source in listed['sets'].get(name, [name])]
        if sys.argv[5:] and about['name'] not in sys.argv[5:]:
            continue
        client = Client(about, sources, out)
        rows = measure(client, count, random.Random(f'{seed} {about["name"]}'))
        json.dump(rows, open(f'{out}/{about["name"]}.json', 'w'), indent=1)
        for row in rows:
            of = table.setdefault((row['client'], row['class']), dict.fromkeys(['failing', 'flagged', 'exact', 'passing', 'alarms', 'other'], 0))
            of['failing'] += row['verdict'] == 'wrong'
            of['passing'] += row['verdict'] == 'reached'
            of['other'] += row['verdict'] not in ('wrong', 'reached')
            of['flagged'] += row['verdict'] == 'wrong' and row['flagged']
            of['exact'] += row['verdict'] == 'wrong' and row['exact']
            of['alarms'] += row['verdict'] == 'reached' and row['flagged']
        print(client.name, {key: value for key, value in table.items() if key[0] == client.name}, file=sys.stderr)
    print('| client | class | failing | flagged | exact | passing | false alarms | not reached or not built |\n|---|---|---|---|---|---|---|---|')
    for (client, name), of in table.items():
        print(f'| {client} | {name} | ' + ' | '.join(str(value) for value in of.values()) + ' |')
    total = [sum(of[key] for of in table.values()) for key in ('failing', 'flagged', 'exact', 'passing', 'alarms', 'other')]
    print('| all | | ' + ' | '.join(map(str, total)) + ' |')


if __name__ == '__main__':
    main()
