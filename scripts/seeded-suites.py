#!/usr/bin/env python3
"""Published crates and libraries with one random change each, by their own suites, and what `whydunit locate` and `repair` say of them.

seeded-suites.py make OUT COUNT SEED [NAME...]
    Of each crate and library of subjects/seeded/suites.json (or of those named) COUNT copies are made in OUT/projects, each with a random change in its
    sources, outside of tests, by which one to four of its tests fail. OUT/projects/NAME.json says what was changed.
seeded-suites.py locate OUT [NAME...] [-- OPTION...]
    asks `whydunit locate` in each, without any configuration: the rank of the changed line (where a statement was left out, of a line at most two away).
seeded-suites.py repair OUT [NAME...] [-- OPTION...]
    asks `whydunit repair`: what the first patch replaces, and by what; whether the source with it is the published one. The answers are in OUT/repair.
WHYDUNIT: the binary [target/release/whydunit].
"""
import contextlib
import glob
import hashlib
import io
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import time
import urllib.request

from sources import sites

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WHYDUNIT = os.path.abspath(os.environ.get('WHYDUNIT', f'{HERE}/target/release/whydunit'))
TRIES, PATIENCE, MOST_FAILING, AWAY = 40, 180, 4, 2


def fetched_crate(crate, folder):
    """The published source of a crate, below the folder."""
    name, version = crate['name'], crate['version']
    path = f'{folder}/{name}-{version}'
    if not os.path.isdir(path):
        url = f'https://static.crates.io/crates/{name}/{name}-{version}.crate'
        packed = urllib.request.urlopen(url, timeout=60).read()
        if hashlib.sha256(packed).hexdigest() != crate['sha256']:
            sys.exit(f'{name} {version} is not what it was')
        tarfile.open(fileobj=io.BytesIO(packed)).extractall(folder, filter='data')
    return path


class Crate:
    """A crate: its sources as published, and which of its tests fail."""
    is_rust = True

    def __init__(self, described, out):
        self.name, self.target = described['name'], f'{out}/targets/{described["name"]}'
        self.folder = fetched_crate(described, f'{out}/sources')

    def files(self):
        """The files that may be changed, without tables."""
        found = sorted(glob.glob(f'{self.folder}/src/**/*.rs', recursive=True))
        return [path for path in found if 'test' not in os.path.basename(path) and 'table' not in os.path.basename(path)]

    def failing(self):
        """The tests that fail; None where it does not build, or does not end."""
        done = run(['cargo', 'test', '--no-fail-fast'], self.folder, CARGO_TARGET_DIR=self.target, CARGO_TERM_COLOR='never')
        if done is None or done.returncode and 'test result' not in done.stdout:
            return None
        return sorted(set(re.findall(r'^test (.+?) \.\.\. FAILED', done.stdout, re.M)))


class Library:
    """A library in C or C++ that CMake or a `configure` builds, likewise."""
    is_rust = False

    def __init__(self, described, out):
        self.name, self.sources, self.options = described['name'], described['sources'], described['options']
        self.folder, self.target = f'{out}/sources/{self.name}', f'{out}/targets/{self.name}'
        if not os.path.isdir(self.folder):
            fetch = f'. {HERE}/scripts/corpus/fetch.sh; unpack "$(fetch_debian "$0" "$1" "$2")" "$3"'
            subprocess.run(['bash', '-c', fetch, self.name, described['file'], described['sha256'], self.folder], check=True)
        self.top = next(top for top in (self.folder, f'{self.folder}/{self.name}') if os.path.exists(f'{top}/CMakeLists.txt') or os.path.exists(f'{top}/configure'))
        self.has_cmake = os.path.exists(f'{self.top}/CMakeLists.txt')
        os.makedirs(self.target, exist_ok=True)
        configure = ['cmake', *self.options, self.top] if self.has_cmake else [f'{self.top}/configure', '-q']
        if os.listdir(self.target) == []:
            run(configure, self.target)

    def files(self):
        return sorted(path for name in self.sources for path in glob.glob(f'{self.folder}/{name}'))

    def failing(self):
        if run(['make', '-j2', *([] if self.has_cmake else ['all'])], self.target, check=True) is None:
            return None
        if self.has_cmake:
            done = run(['ctest', '-j2', '--timeout', '60'], self.target)
            failed, ended = r'^\s*\d+ - (\S+) \(', 'tests passed'
        else:
            done = run(['make', '-k', 'check'], self.target)
            failed, ended = r'^FAIL: (\S+)', r'# PASS:|tests? (passed|failed)'
        return sorted(set(re.findall(failed, done.stdout, re.M))) if done and re.search(ended, done.stdout) else None


def content(path):
    """A source, whatever its encoding."""
    with open(path, encoding='utf-8', errors='surrogateescape', newline='') as file:
        return file.read()


def write(path, text):
    with open(path, 'w', encoding='utf-8', errors='surrogateescape', newline='') as file:
        file.write(text)


def run(command, folder, check=False, **env):
    """What a command printed, and its status; None where it does not end, or fails with `check`."""
    with subprocess.Popen(command, cwd=folder, env=dict(os.environ, **env), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors='replace',
                          start_new_session=True) as process:
        try:
            stdout, _ = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            return None
        finally:
            # With what it started.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    return None if check and process.returncode else subprocess.CompletedProcess(command, process.returncode, stdout)


def changes(project):
    """All changes of its sources, by kind: the file, where it begins and ends, and what stands there instead."""
    found = {}
    for path in project.files():
        # Tests stand at the end.
        code = content(path).split('#[cfg(test)]')[0]
        for kind, places in sites(code, project.is_rust).items():
            found.setdefault(kind, []).extend((path, *place) for place in places)
    return found


def make(out, count, seed, names):
    out = os.path.abspath(out)
    os.makedirs(f'{out}/sources', exist_ok=True)
    os.makedirs(f'{out}/projects', exist_ok=True)
    known = json.load(open(f'{HERE}/subjects/seeded/suites.json'))
    for described, kind in [(crate, Crate) for crate in known['crates']] + [(library, Library) for library in known['libraries']]:
        name = described['name']
        if names and name not in names:
            continue
        project = kind(described, out)
        folder = project.folder
        if project.failing() != []:
            print(f'{name}: does not pass as it was published', flush=True)
            continue
        rng, made, found = random.Random(f'{seed}/{name}'), 0, changes(project)
        for _ in range(TRIES):
            if made == count:
                break
            path, begin, end, new = rng.choice(found[rng.choice(sorted(kind for kind in found if found[kind]))])
            text = content(path)
            write(path, text[:begin] + new + text[end:])
            try:
                fails = project.failing()
                if not fails or len(fails) > MOST_FAILING:
                    continue
                made += 1
                copy = f'{out}/projects/{name}-{made}'
                shutil.rmtree(copy, ignore_errors=True)
                shutil.copytree(folder, copy, symlinks=True)
            finally:
                write(path, text)
            line = text.count('\n', 0, begin)
            about = {'file': os.path.relpath(path, folder), 'line': line + 1, 'published': text.split('\n')[line].strip(), 'left_out': new == '', 'fails': fails}
            about['changed'] = content(f'{copy}/{about["file"]}').split('\n')[line].strip()
            json.dump(about, open(f'{copy}.json', 'w'), indent=1)
            print(f'{name}-{made} {about["file"]}:{line + 1} | {about["published"]} | {about["changed"]} | {len(fails)} fail', flush=True)


def asked(out, command, names, options):
    """Each copy with what it is about, and the answer: an object, or the last of the errors; and the seconds."""
    for file in sorted(glob.glob(f'{out}/projects/*.json')):
        name = os.path.basename(file)[:-5]
        if names and name not in names:
            continue
        folder, started = file[:-5], time.time()
        shutil.rmtree(f'{folder}/.whydunit', ignore_errors=True)
        done = subprocess.run([WHYDUNIT, '--format', 'json', command, *options], cwd=folder, capture_output=True, text=True)
        os.makedirs(f'{out}/{command}', exist_ok=True)
        open(f'{out}/{command}/{name}.json', 'w').write(done.stdout)
        try:
            answer = json.loads(done.stdout)
        except ValueError:
            answer = done.stderr.strip().split('\n')[-1]
        yield name, json.load(open(file)), answer, time.time() - started


def locate(out, names, options):
    ranks = []
    for name, about, answer, seconds in asked(out, 'locate', names, options):
        near = AWAY if about['left_out'] else 0
        is_true = lambda place: place['file'] == about['file'] and abs(place['line'] - about['line']) <= near
        found = [] if isinstance(answer, str) else answer['findings']
        rank = next((number for number, finding in enumerate(found, 1) if is_true(finding['location'])), None)
        ranks.append(rank)
        print(f'{name} rank {rank} of {len(found)}, {seconds:.0f} s', answer if isinstance(answer, str) else '', flush=True)
    tops = ', '.join(f'top {top}: {sum(rank is not None and rank <= top for rank in ranks)}' for top in (1, 5, 10))
    print(f'{tops} of {len(ranks)}')


def repair(out, names, options):
    same = patched = count = 0
    for name, about, answer, seconds in asked(out, 'repair', names, options):
        count += 1
        patches = [] if isinstance(answer, str) else [patch for patch in answer['patches'] if not patch.get('refuted')]
        if not patches:
            told = answer if isinstance(answer, str) else '; '.join(problem['message'] for problem in answer['problems'])
            print(f'{name} no patch, {seconds:.0f} s | {about["published"]} | {about["changed"]} | {told}', flush=True)
            continue
        first = patches[0]
        patched += 1
        is_same = as_published(f'{out}/projects/{name}', about, first)
        same += is_same
        kind = 'as published' if is_same else 'another'
        print(f'{name} {first["grade"]}, {kind}, {seconds:.0f} s | {about["published"]} | {first["before"]} -> {first["after"]}', flush=True)
    print(f'{patched} of {count} with a patch, {same} of them as published; the others are to be looked at')


def as_published(folder, about, patch):
    """Whether the changed line, or the statement that was left out, is there again, and nothing else is."""
    before = content(f'{folder}/{about["file"]}')
    done = subprocess.run(['git', 'apply', '--include', about['file'], '-'], input=patch['diff'], cwd=folder, capture_output=True, text=True)
    if done.returncode:
        return False
    after = content(f'{folder}/{about["file"]}')
    write(f'{folder}/{about["file"]}', before)
    lines = before.split('\n')
    lines[about['line'] - 1] = about['published']
    # However it is indented, and on lines of its own or not.
    return ''.join(after.split()) == ''.join('\n'.join(lines).split())


def main():
    words = sys.argv[1:]
    options = words[words.index('--') + 1:] if '--' in words else []
    words = words[:words.index('--')] if '--' in words else words
    match words:
        case ['make', out, count, seed, *names]:
            make(out, int(count), seed, names)
        case ['locate', out, *names]:
            locate(out, names, options)
        case ['repair', out, *names]:
            repair(out, names, options)
        case _:
            sys.exit(__doc__)


if __name__ == '__main__':
    main()
