#!/usr/bin/env python3
"""Failures that nobody chose, and how far `whydunit why` and `whydunit locate` get: example solutions of exercism's tracks with one random change each.

why-changes.py make TRACK CLONE OUT COUNT SEED
    TRACK is c, cpp or rust, CLONE a clone of github.com/exercism/TRACK. Of exercises in random order (not the first twenty of the alphabet) whose
    example passes its own tests, each gets one random change (an operator, a constant, a statement left out, another variable) that builds and makes
    a test fail within five seconds; COUNT of them stand in OUT/TRACK, what was changed in OUT/truth-TRACK.json.
why-changes.py measure OUT [TRACK/NAME...]
    builds, records the first failing test and asks `whydunit why`: the step that names the changed line, and how many steps there are. What `why` said is
    in OUT/TRACK-NAME.why.
why-changes.py locate OUT [TRACK/NAME...]
    asks `whydunit locate` in a copy of each: the rank of the changed line (where a statement was left out, of a line beside it), and how many are
    first, among five and among ten, by track. The answers are in OUT/located.
why-changes.py repair OUT [TRACK/NAME...]
    asks `whydunit repair` for a minute in a copy of each: whether the first patch, or another one, makes the source as it was (blanks and parentheses
    apart; others may do the same in other words: they are printed). The answers are in OUT/repaired.
WHYDUNIT: the binary [target/release/whydunit].
"""
import glob
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from sources import sites

TRIES = 25
SKIPPED = 20


def sh(command, folder, limit=60):
    """Whether a command succeeds; None where it does not end."""
    done = subprocess.Popen(command, cwd=folder, shell=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        return done.wait(limit) == 0
    except subprocess.TimeoutExpired:
        os.killpg(done.pid, signal.SIGKILL)
        done.wait()
        return None


def export(track, clone, name, folder):
    """An exercise with its example in the place of the solution and all of its tests; the sources of the solution."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    packed = subprocess.run(['git', '-C', clone, 'archive', 'HEAD:exercises/practice/' + name], capture_output=True, check=True).stdout
    subprocess.run(['tar', 'x', '-C', folder], input=packed, check=True)
    files = json.load(open(f'{folder}/.meta/config.json'))['files']
    sources = []
    for example in files['example']:
        end = os.path.splitext(example)[1]
        solution = next((file for file in files['solution'] if file.endswith(end)), None)
        if solution is None:
            return None
        shutil.copy(f'{folder}/{example}', f'{folder}/{solution}')
        if end != '.toml':
            sources.append(solution)
    for file in set(files['solution']) - set(sources):
        if track == 'cpp' and file.endswith('.cpp'):
            os.remove(f'{folder}/{file}')
    for file in files['test']:
        text = open(f'{folder}/{file}').read()
        text = re.sub(r'#\[ignore[^\]]*\]\n', '', text)
        text = re.sub(r'\n\s*TEST_IGNORE\(\);[^\n]*', '', text)
        open(f'{folder}/{file}', 'w').write(text.replace('#if defined(EXERCISM_RUN_ALL_TESTS)', '#if 1'))
    for part in ['.meta', '.docs', '.approaches', '.articles']:
        shutil.rmtree(f'{folder}/{part}', ignore_errors=True)
    return sources


def passes(track, folder, out):
    """Whether the tests pass; None where it does not build or end."""
    if track == 'c':
        passed = sh('make tests.out', folder) and sh('./tests.out', folder, 5)
        built = os.path.exists(f'{folder}/tests.out')
        sh('make clean', folder)
    elif track == 'cpp':
        main = os.path.abspath(out) + '/tests-main.o'
        if not os.path.exists(main):
            sh(f'g++ -std=c++17 -g -c test/tests-main.cpp -o {main}', folder, 300)
        built = sh(f'g++ -std=c++17 -g -Wall -Wextra -Wpedantic -Werror *.cpp {main} -o t.out', folder, 120)
        passed = built and sh('./t.out', folder, 5)
        sh('rm -f t.out', folder)
    else:
        environment = f'CARGO_TARGET_DIR={os.path.abspath(out)}/target-rust CARGO_NET_OFFLINE=true'
        built = sh(f'{environment} cargo test --no-run', folder, 120)
        passed = built and sh(f'{environment} cargo test --no-fail-fast', folder, 10)
    return passed if built else None


def make(track, clone, out, count, seed):
    rng = random.Random(seed)
    listed = subprocess.run(['git', '-C', clone, 'ls-tree', '--name-only', 'HEAD:exercises/practice'], capture_output=True, check=True, text=True)
    names = listed.stdout.split()[SKIPPED:]
    rng.shuffle(names)
    truth = []
    for name in names:
        if len(truth) == count:
            break
        folder = f'{out}/{track}/{name}'
        sources = export(track, clone, name, folder)
        kept = None
        if sources and passes(track, folder, out):
            for _ in range(TRIES):
                kind, source = rng.choice(['operator', 'constant', 'delete', 'variable']), rng.choice(sources)
                text = open(f'{folder}/{source}').read()
                found = sites(text, track == 'rust')[kind]
                if not found:
                    continue
                start, end, new = rng.choice(found)
                changed, line = text[:start] + new + text[end:], text.count('\n', 0, start)
                open(f'{folder}/{source}', 'w').write(changed)
                if passes(track, folder, out) is False:
                    before, after = (lines.split('\n')[line].strip() for lines in (text, changed))
                    kept = dict(folder=f'{track}/{name}', file=source, line=line + 1, kind=kind, before=before, after=after)
                    break
                open(f'{folder}/{source}', 'w').write(text)
        if kept is None:
            shutil.rmtree(folder)
            continue
        print(json.dumps(kept), flush=True)
        truth.append(kept)
    json.dump(truth, open(f'{out}/truth-{track}.json', 'w'), indent=1)


def measure(out, chosen):
    whydunit = os.path.abspath(os.environ.get('WHYDUNIT', os.path.dirname(os.path.abspath(__file__)) + '/../target/release/whydunit'))
    truths = [truth for file in sorted(glob.glob(f'{out}/truth-*.json')) for truth in json.load(open(file))]
    for truth in truths:
        if chosen and truth['folder'] not in chosen:
            continue
        track, name = truth['folder'].split('/')

        def run(*arguments):
            return subprocess.run([whydunit, *arguments], cwd=f'{out}/{track}/{name}', capture_output=True, text=True)

        run('build')
        test = ['make test'] if track == 'c' else ['--', f'.whydunit/build/{name}']
        if track == 'rust':
            tests = json.loads(run('test', '--format', 'json').stdout)['tests']
            test = [next(test['name'] for test in tests if test['outcome'] != 'pass')]
        run('record', *test)
        answer = run('why', '--format', 'json')
        place = f"{truth['file']}:{truth['line']}"
        if answer.returncode:
            print(f"{truth['folder']:28} {place:28} no answer: {answer.stderr.strip()[:160]}", flush=True)
            continue
        steps = json.loads(answer.stdout)['steps']
        places = [(os.path.normpath(step['location']['file']), step['location']['line']) if step.get('location') else None for step in steps]
        wanted = (truth['file'], truth['line'])
        reached = f'step {places.index(wanted)}' if wanted in places else 'not reached'
        print(f"{truth['folder']:28} {place:28} {reached:12} of {len(steps)}", flush=True)
        with open(f'{out}/{track}-{name}.why', 'w') as told:
            told.write(f"{truth['before']}\n{truth['after']}\n{run('why').stdout}\n{run('why', place).stdout}")


def asked(command, out, chosen):
    """What a command answers in a copy of each: what was changed, the copy, the answer, and the seconds."""
    whydunit = os.path.abspath(os.environ.get('WHYDUNIT', os.path.dirname(os.path.abspath(__file__)) + '/../target/release/whydunit'))
    for truth in [truth for file in sorted(glob.glob(f'{out}/truth-*.json')) for truth in json.load(open(file))]:
        if chosen and truth['folder'] not in chosen:
            continue
        folder = f"{out}/{command[0].rstrip('e')}ed/{truth['folder']}"
        if not os.path.exists(folder):
            shutil.copytree(f"{out}/{truth['folder']}", folder)
        start = time.time()
        answer = subprocess.run([whydunit, *command, '--format', 'json'], cwd=folder, capture_output=True, text=True)
        seconds = time.time() - start
        with open(folder + '.json', 'w') as told:
            told.write(answer.stdout)
        yield truth, folder, json.loads(answer.stdout) if answer.stdout else {}, seconds


def locate(out, chosen):
    ranks = {}
    for truth, _, answer, seconds in asked(['locate'], out, chosen):
        beside = 2 if truth['kind'] == 'delete' else 0

        def is_it(finding):
            place = finding['location']
            return os.path.normpath(place['file']) == truth['file'] and abs(place['line'] - truth['line']) <= beside

        rank = next((finding['rank'] for finding in answer.get('findings', []) if is_it(finding)), None)
        ranks.setdefault(truth['folder'].split('/')[0], []).append(rank)
        place = f"{truth['file']}:{truth['line']}"
        print(f"{truth['folder']:28} {place:28} {rank or 'not ranked'!s:10} {seconds:6.1f} s  {truth['before']} -> {truth['after']}", flush=True)
    for track, all in ranks.items():
        within = [sum(rank is not None and rank <= most for rank in all) for most in (1, 5, 10)]
        print(f'{track}: {within[0]} first, {within[1]} among five, {within[2]} among ten, of {len(all)}')


def repair(out, chosen):
    def plain(text):
        return re.sub(r'[\s()]', '', text)

    counts = {}
    for truth, folder, answer, seconds in asked(['repair', '--time-limit', '60'], out, chosen):
        lines = open(f"{folder}/{truth['file']}").read().split('\n')
        as_it_was = plain('\n'.join(lines[:truth['line'] - 1] + [truth['before']] + lines[truth['line']:]))
        verdicts = []
        for patch in (patch for patch in answer.get('patches', []) if not patch.get('refuted')):
            with tempfile.TemporaryDirectory() as copy:
                shutil.copytree(folder, copy, dirs_exist_ok=True, ignore=shutil.ignore_patterns('.whydunit'))
                subprocess.run(['git', 'apply', '-p1', '-'], cwd=copy, input=patch['diff'], text=True, check=True)
                verdicts.append(plain(open(f"{copy}/{truth['file']}").read()) == as_it_was)
            print(f"    {'as it was' if verdicts[-1] else 'otherwise':10} {patch['grade']:10} {' '.join(patch['before'].split())} -> {' '.join(patch['after'].split())}")
        counts.setdefault(truth['folder'].split('/')[0], []).append(verdicts)
        print(f"{truth['folder']:28} {seconds:6.1f} s  {truth['before']} -> {truth['after']}", flush=True)
    for track, all in counts.items():
        first, any_of = (sum(any(verdicts[:most]) for verdicts in all) for most in (1, 9))
        print(f'{track}: as it was by the first patch {first}, by one of them {any_of}; patched {sum(map(bool, all))}, of {len(all)}')


if len(sys.argv) == 7 and sys.argv[1] == 'make':
    make(sys.argv[2], sys.argv[3], sys.argv[4], int(sys.argv[5]), int(sys.argv[6]))
elif len(sys.argv) >= 3 and sys.argv[1] == 'measure':
    measure(sys.argv[2], sys.argv[3:])
elif len(sys.argv) >= 3 and sys.argv[1] == 'locate':
    locate(sys.argv[2], sys.argv[3:])
elif len(sys.argv) >= 3 and sys.argv[1] == 'repair':
    repair(sys.argv[2], sys.argv[3:])
else:
    sys.exit(__doc__)
