#!/usr/bin/env python3
"""Published crates with one random change each, by their own suites, and what `whydunit locate` and `repair` say of them.

seeded-crates.py make OUT COUNT SEED [CRATE...]
    Of each crate of subjects/seeded/crates.json (or of those named) COUNT copies are made in OUT/crates, each with a random change in its sources, outside
    of tests, by which one to four of its tests fail. OUT/crates/NAME.json says what was changed.
seeded-crates.py locate OUT [NAME...] [-- OPTION...]
    asks `whydunit locate` in each, without any configuration: the rank of the changed line (where a statement was left out, of a line at most two away).
seeded-crates.py repair OUT [NAME...] [-- OPTION...]
    asks `whydunit repair`: what the first patch replaces, and by what; whether the source with it is the published one. The answers are in OUT/repaired.
WHYDUNIT: the binary [target/release/whydunit].
"""
import glob
import hashlib
import io
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tarfile
import time
import urllib.request

from sources import sites

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WHYDUNIT = os.path.abspath(os.environ.get('WHYDUNIT', f'{HERE}/target/release/whydunit'))
TRIES, PATIENCE, MOST_FAILING, AWAY = 40, 180, 4, 2


def fetched(crate, folder):
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


def failing(folder, target):
    """The tests that fail; None where it does not build, or does not end."""
    env = dict(os.environ, CARGO_TARGET_DIR=target, CARGO_TERM_COLOR='never')
    command = ['cargo', 'test', '--no-fail-fast']
    try:
        done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, errors='replace', timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return None
    if done.returncode and 'test result' not in done.stdout:
        return None
    return sorted(set(re.findall(r'^test (.+?) \.\.\. FAILED', done.stdout, re.M)))


def changes(folder):
    """All changes of its sources, by kind: the file, where it begins and ends, and what stands there instead."""
    found = {}
    for path in sorted(glob.glob(f'{folder}/src/**/*.rs', recursive=True)):
        text = open(path).read()
        # Tests stand at the end, and tables are no code.
        code = text.split('#[cfg(test)]')[0]
        if 'test' not in os.path.basename(path) and 'table' not in os.path.basename(path):
            for kind, places in sites(code, True).items():
                found.setdefault(kind, []).extend((path, *place) for place in places)
    return found


def make(out, count, seed, names):
    crates = json.load(open(f'{HERE}/subjects/seeded/crates.json'))['crates']
    os.makedirs(f'{out}/sources', exist_ok=True)
    os.makedirs(f'{out}/crates', exist_ok=True)
    for crate in crates:
        name = crate['name']
        if names and name not in names:
            continue
        folder, target = fetched(crate, f'{out}/sources'), f'{out}/targets/{name}'
        if failing(folder, target) != []:
            print(f'{name}: does not pass as it was published')
            continue
        rng, made, found = random.Random(f'{seed}/{name}'), 0, changes(folder)
        for _ in range(TRIES):
            if made == count:
                break
            path, begin, end, new = rng.choice(found[rng.choice(sorted(kind for kind in found if found[kind]))])
            text = open(path).read()
            open(path, 'w').write(text[:begin] + new + text[end:])
            try:
                fails = failing(folder, target)
                if not fails or len(fails) > MOST_FAILING:
                    continue
                made += 1
                copy = f'{out}/crates/{name}-{made}'
                shutil.rmtree(copy, ignore_errors=True)
                shutil.copytree(folder, copy)
            finally:
                open(path, 'w').write(text)
            line = text.count('\n', 0, begin)
            about = {'file': os.path.relpath(path, folder), 'line': line + 1, 'published': text.split('\n')[line].strip(), 'left_out': new == '', 'fails': fails}
            about['changed'] = open(f'{copy}/{about["file"]}').read().split('\n')[line].strip()
            json.dump(about, open(f'{copy}.json', 'w'), indent=1)
            print(f'{name}-{made} {about["file"]}:{line + 1} | {about["published"]} | {about["changed"]} | {len(fails)} fail', flush=True)


def asked(out, command, names, options):
    """Each copy with what it is about, and the answer: an object, or the last of the errors; and the seconds."""
    for file in sorted(glob.glob(f'{out}/crates/*.json')):
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
        is_same = as_published(f'{out}/crates/{name}', about, first)
        same += is_same
        kind = 'as published' if is_same else 'another'
        print(f'{name} {first["grade"]}, {kind}, {seconds:.0f} s | {about["published"]} | {first["before"]} -> {first["after"]}', flush=True)
    print(f'{patched} of {count} with a patch, {same} of them as published; the others are to be looked at')


def as_published(folder, about, patch):
    """Whether the changed line, or the statement that was left out, is there again, and nothing else is."""
    before = open(f'{folder}/{about["file"]}').read()
    done = subprocess.run(['git', 'apply', '--include', about['file'], '-'], input=patch['diff'], cwd=folder, capture_output=True, text=True)
    if done.returncode:
        return False
    after = open(f'{folder}/{about["file"]}').read()
    open(f'{folder}/{about["file"]}', 'w').write(before)
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
