#!/usr/bin/env python3
"""Fixes that nobody chose, right ones and wrong ones, and what `whydunit review` says of them.

seeded-fixes.py make PROGRAMS OUT COUNT SEED [NAME...]
    PROGRAMS is a file like subjects/seeded/programs.json: published programs, or published functions with a main of ours, and inputs. Of each (or of
    those named) COUNT pairs are made in OUT/pairs: the program with a random change by which a test fails that holds without it; `right.diff`, which
    takes the change back; and, where one is found, `wrong.diff`: another random change beside it, with which the whole suite passes, and which differs
    from the published program on an input that is not in the suite (one that was left out, or a random change of one). The suite is a random part of
    the inputs with what the published program answers.
seeded-fixes.py locate PROGRAMS OUT [PAIR...]
    asks `whydunit locate` in a copy of each: the rank of the changed line (where a statement was left out, of a line at most two away), and how many
    are first, among five and among ten, by language. The answers are in OUT/located.
seeded-fixes.py repair PROGRAMS OUT [PAIR...] [-- OPTION...]
    asks `whydunit repair` in a copy of each, with the options. A patch is right where the program with it answers as the published one does on all
    inputs of the program and 200 random changes of them. Counted by language and grade: first patches that are right, and wrong; pairs where only a
    later patch is right; pairs without a patch. The answers are in OUT/repaired.
review PROGRAMS OUT [PAIR...] [-- OPTION...]
    reviews both of each, with the options: a right one that is called bad, and how many wrong ones are called bad, asked about or told of by an input
    on which the published program does something else. The answers are in OUT/answers.
WHYDUNIT: the binary [target/release/whydunit]. SOURCES: the folder that holds clones of github.com/michaelforney/sbase, exercism/rust (as ex-rust) and
exercism/cpp (as ex-cpp) [OUT/sources].
"""
import difflib
import glob
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter

from sources import sites

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WHYDUNIT = os.path.abspath(os.environ.get('WHYDUNIT', f'{HERE}/target/release/whydunit'))
TRIES, OTHERS, VARIED = 60, 40, 60


class Program:
    """A published program in a folder of its own, built natively."""

    def __init__(self, about, sets, sources, folder):
        self.about, self.folder, self.language = about, folder, about['language']
        self.file = about['changed'][0]
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        if self.language == 'c':
            self.sources = [file for source in about['sources'] for file in sets.get(source, [source])]
            clone = f'{sources}/{about["source"]}'
            for header in glob.glob('**/*.h', root_dir=clone, recursive=True):
                self.put(header, open(f'{clone}/{header}').read())
            for file in self.sources:
                self.put(file, open(f'{clone}/{file}').read())
        else:
            exercise = f'{sources}/{about["source"]}/exercises/practice/{about["sources"][0]}/.meta/example.'
            if self.language == 'rust':
                self.put(self.file, open(exercise + 'rs').read())
                self.put('src/main.rs', about['main'])
                self.put('Cargo.toml', '[package]\nname = "program"\nversion = "0.1.0"\nedition = "2024"\n\n[workspace]\n')
            else:
                header = re.search(r'#include "(\w+\.h)"', open(exercise + 'cpp').read())
                self.put(header.group(1), open(exercise + 'h').read())
                self.put('main.cpp', about['main'].replace('solution.h', header.group(1)))
                self.put(self.file, open(exercise + 'cpp').read())
            self.sources = ['main.cpp', self.file]
        self.flags = about.get('flags', '')
        self.published = open(f'{folder}/{self.file}').read()

    def put(self, file, text):
        os.makedirs(os.path.dirname(f'{self.folder}/{file}'), exist_ok=True)
        open(f'{self.folder}/{file}', 'w').write(text)

    def settings(self):
        if self.language == 'rust':
            build = 'command = "cargo build --offline"\nexecutable = "target/debug/program"'
        else:
            build = f'sources = {json.dumps(self.sources)}\nflags = {json.dumps(["-w"] + self.flags.split())}'
        return f'[build]\n{build}\n\n[tests]\ncases = "cases.jsonl"\ntimeout = "5s"\n'

    def built(self, text):
        """Whether it can be built with another text in the place of the source that is changed; OUT is the program."""
        self.put(self.file, text)
        if self.language == 'rust':
            command = 'rustc --edition 2024 -g -A warnings -o program.out src/main.rs'
        elif self.language == 'c++':
            if not os.path.exists(f'{self.folder}/main.o'):
                self.run('g++ -std=c++17 -g -w -c -o main.o main.cpp')
            command = f'g++ -std=c++17 -g -w -o program.out main.o {self.file}'
        else:
            rest = [file for file in self.sources if file != self.file]
            if not os.path.exists(f'{self.folder}/rest.a'):
                self.run(f'gcc -g -w {self.flags} -c {" ".join(rest)} && ar rc rest.a *.o')
            command = f'gcc -g -w {self.flags} -o program.out {self.file} rest.a'
        return self.run(command)

    def run(self, command):
        return subprocess.run(command, shell=True, cwd=self.folder, capture_output=True).returncode == 0

    def answer(self, case):
        """What the program does: its status and what it prints; None where it does not end."""
        with tempfile.TemporaryDirectory() as here:
            for file, text in case.get('files', {}).items():
                open(f'{here}/{file}', 'w').write(text)
            try:
                done = subprocess.run([f'{self.folder}/program.out', *case['args']], cwd=here, input=case['stdin'].encode(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=2)
            except subprocess.TimeoutExpired:
                return None
            return done.returncode, done.stdout.decode(errors='replace')


def cases(about):
    return [{'args': it[0], 'stdin': it[1] or '', **({'files': it[2]} if len(it) > 2 else {})} for it in about['inputs']]


def varied(case, rng):
    """A case with a random change in an argument, the input or a file."""
    case = json.loads(json.dumps(case))
    texts = [('args', at) for at in range(len(case['args']))] + [('stdin', None)] * (case['stdin'] != '') + [('files', name) for name in case.get('files', {})]
    if not texts:
        return case
    for _ in range(rng.choice([1, 1, 2, 3])):
        part, at = rng.choice(texts)
        text = case[part] if at is None else case[part][at]
        if part == 'args' and text in case.get('files', {}):
            continue
        how, place = rng.randrange(6), rng.randrange(len(text) + 1)
        lines = text.split('\n')
        if how == 0:
            text = text[:place] + text[place + 1:]
        elif how == 1:
            text = text[:place] + rng.choice(text or 'a') + text[place:]
        elif how == 2:
            text = re.sub(r'\d+', lambda match: str(max(0, int(match.group()) + rng.choice([-1, 1, 2, 10]))), text, count=1)
        elif how == 3:
            rng.shuffle(lines)
            text = '\n'.join(lines)
        elif how == 4:
            lines.insert(rng.randrange(len(lines)), rng.choice(lines))
            text = '\n'.join(lines)
        else:
            words = text.split(' ')
            rng.shuffle(words)
            text = ' '.join(words)
        if at is None:
            case[part] = text
        else:
            case[part][at] = text
    return case


def patch(before, after, file):
    return ''.join(difflib.unified_diff(before.splitlines(True), after.splitlines(True), 'a/' + file, 'b/' + file))


def changed(text, rng, rust, near=None):
    """A text with one random change, where it is, and its kind; None where there is none of the kind that was drawn."""
    kind = rng.choice(['operator', 'constant', 'delete', 'variable'])
    found = [it for it in sites(text, rust)[kind] if near is None or abs(it[0] - near) < 300]
    if not found:
        return None
    start, end, new = rng.choice(found)
    return text[:start] + new + text[end:], start, kind


def make_pair(program, rng, out, number):
    about, rust = program.about, program.language == 'rust'
    published = program.published
    if not program.built(published):
        return print(f'{about["name"]}: does not build', file=sys.stderr)
    inputs = cases(about)
    known = [(case, answer) for case in inputs if (answer := program.answer(case)) is not None and answer == program.answer(case) and '\ufffd' not in answer[1]]
    hidden = []
    for case in [varied(rng.choice(known)[0], rng) for _ in range(VARIED)]:
        answer = program.answer(case)
        if answer is not None and answer[0] >= 0 and answer[0] != 101:
            hidden.append((case, answer))
    rng.shuffle(known)
    suite, hidden = known[:max(4, len(known) * 2 // 3)], known[max(4, len(known) * 2 // 3):] + hidden
    for _ in range(TRIES):
        drawn = changed(published, rng, rust)
        if drawn is None or not program.built(drawn[0]):
            continue
        broken, near, kind = drawn
        answers = [program.answer(case) for case, _ in suite]
        failing = [at for at, (_, answer) in enumerate(suite) if answers[at] != answer]
        if not failing or len(failing) > len(suite) - 2 or any(answers[at] is None for at in failing):
            continue
        break
    else:
        return print(f'{about["name"]}: no change found', file=sys.stderr)
    first = failing[0]
    bug = suite[first]
    suite = [it for at, it in enumerate(suite) if at == first or at not in failing]
    how = 'death' if answers[first][0] < 0 or (answers[first][0] == 101 and rust) else 'output'
    wrong, shown, dies = None, [], False
    for _ in range(OTHERS):
        other = changed(published, rng, rust, near)
        if other is None or other[0] == broken or not program.built(other[0]) or any(program.answer(case) != answer for case, answer in suite):
            continue
        told = [(case, program.answer(case), answer) for case, answer in hidden]
        shown = [it for it in told if it[1] != it[2]]
        if shown:
            wrong = other[0]
            dies = any(it[1] is None or it[1][0] < 0 or (it[1][0] == 101 and rust) for it in shown)
            break
    name = f'{about["name"]}-{number}'
    folder = f'{out}/pairs/{name}'
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(program.folder, folder, ignore=shutil.ignore_patterns('*.o', '*.a', 'program.out'))
    line = lambda text: text.split('\n')[text.count('\n', 0, near)].strip()
    truth = {'name': name, 'language': program.language, 'kind': kind, 'bug': how, 'published': line(published), 'broken': line(broken), 'failing': bug}
    if wrong:
        truth |= {'wrong': patch(published, wrong, program.file), 'dies': dies, 'shown': [{'case': it[0], 'wrong': it[1], 'right': it[2]} for it in shown[:5]], 'among': len(hidden), 'differ': len(shown)}
        open(f'{folder}/wrong.diff', 'w').write(patch(broken, wrong, program.file))
    open(f'{folder}/{program.file}', 'w').write(broken)
    open(f'{folder}/right.diff', 'w').write(patch(broken, published, program.file))
    open(f'{folder}/whydunit.toml', 'w').write(program.settings())
    open(f'{folder}/cases.jsonl', 'w').write(''.join(json.dumps(suite_case(it, at)) + '\n' for at, it in enumerate(suite)))
    json.dump(truth, open(f'{folder}/truth.json', 'w'), indent=1)
    print(f"{name:28} {how:7} {'wrong dies' if dies else 'wrong' if wrong else '-':10} {truth['published']} | {truth['broken']}", flush=True)


def suite_case(it, at):
    case, answer = it
    status = {'status': answer[0]} if answer[0] >= 0 else {'signal': f'SIG{-answer[0]}'}
    return {'name': f't{at}', **case, 'stdout': answer[1], **status}


def make(programs, out, count, seed, names):
    about = json.load(open(programs))
    clients = json.load(open(f'{HERE}/subjects/seeded/clients.json'))
    sources = os.environ.get('SOURCES', f'{out}/sources')
    for it in about['programs']:
        if names and it['name'] not in names:
            continue
        rng = random.Random(f'{seed} {it["name"]}')
        program = Program(it, clients['sets'], sources, f'{os.path.abspath(out)}/native/{it["name"]}')
        for number in range(count):
            make_pair(program, rng, out, number)


def changed_line(diff):
    """The file and the line that a diff changes first, before it."""
    line = 0
    for text in diff.split('\n'):
        hunk = re.match(r'@@ -(\d+)', text)
        if hunk:
            line = int(hunk.group(1))
        elif text.startswith('--- a/'):
            file = text[6:]
        elif line and text[:1] in ('-', '+'):
            return file, line
        elif line:
            line += 1
    return None


def pairs(out, names):
    """The folder of each pair, or of those named, and what is known of it."""
    for file in sorted(glob.glob(f'{out}/pairs/*/truth.json')):
        truth = json.load(open(file))
        if not names or truth['name'] in names:
            yield os.path.dirname(file), truth


def locate(out, names):
    ranks = {}
    for pair, truth in pairs(out, names):
        name, language = truth['name'], truth['language']
        folder = f'{out}/located/{name}'
        if not os.path.exists(folder):
            shutil.copytree(pair, folder, ignore=shutil.ignore_patterns('.whydunit', 'target'))
        source, line = changed_line(open(f'{folder}/right.diff').read())
        beside = 2 if truth['kind'] == 'delete' else 0
        start = time.time()
        done = subprocess.run([WHYDUNIT, 'locate', '--format', 'json'], cwd=folder, capture_output=True, text=True)
        seconds = time.time() - start
        open(f'{folder}.json', 'w').write(done.stdout)
        findings = json.loads(done.stdout)['findings'] if done.stdout.startswith('{') else []
        is_it = lambda place: place['file'] == source and abs(place['line'] - line) <= beside
        rank = next((finding['rank'] for finding in findings if is_it(finding['location'])), None)
        ranks.setdefault(language, []).append(rank)
        print(f"{name:28} {rank or 'not ranked'!s:10} {seconds:6.1f} s  {truth['published']} | {truth['broken']}", flush=True)
    for language, all_of in sorted(ranks.items()):
        within = [sum(rank is not None and rank <= most for rank in all_of) for most in (1, 5, 10)]
        print(f'{language}: {within[0]} first, {within[1]} among five, {within[2]} among ten, of {len(all_of)}')


def listed_program(programs, out):
    """A function that gives the published program of a pair, by the pair's name."""
    listed = {it['name']: it for it in json.load(open(programs))['programs']}
    clients = json.load(open(f'{HERE}/subjects/seeded/clients.json'))
    sources = os.environ.get('SOURCES', f'{out}/sources')
    return lambda name: Program(listed[base := name.rsplit('-', 1)[0]], clients['sets'], sources, f'{os.path.abspath(out)}/native/{base}')


def differs(program, folder, diff, answers):
    """The first input on which the program of a folder with a diff answers otherwise than it should, 'not built', or None."""
    with tempfile.TemporaryDirectory() as copy:
        shutil.copytree(folder, copy, dirs_exist_ok=True, ignore=shutil.ignore_patterns('.whydunit', 'target'))
        if subprocess.run(['patch', '-p1', '-s'], cwd=copy, input=diff.encode(), capture_output=True).returncode != 0:
            return 'not applied'
        changed_files = [file for file in glob.glob('**/*', root_dir=program.folder, recursive=True) if os.path.isfile(f'{copy}/{file}')]
        before = {file: open(f'{program.folder}/{file}', 'rb').read() for file in changed_files}
        shutil.rmtree(f'{program.folder}/target', ignore_errors=True)
        for made in ['rest.a', 'main.o']:
            if os.path.exists(f'{program.folder}/{made}'):
                os.remove(f'{program.folder}/{made}')
        try:
            for file in changed_files:
                shutil.copyfile(f'{copy}/{file}', f'{program.folder}/{file}')
            if not program.built(open(f'{copy}/{program.file}').read()):
                return 'not built'
            return next((case for case, answer in answers if program.answer(case) != answer), None)
        finally:
            for file, data in before.items():
                open(f'{program.folder}/{file}', 'wb').write(data)


def repair(programs, out, names, options):
    published = listed_program(programs, out)
    counts = {}
    for pair, truth in pairs(out, names):
        name = truth['name']
        folder = f'{out}/repaired/{name}'
        if not os.path.exists(folder):
            shutil.copytree(pair, folder, ignore=shutil.ignore_patterns('.whydunit', 'target'))
        start = time.time()
        done = subprocess.run([WHYDUNIT, 'repair', '--format', 'json', *options], cwd=folder, capture_output=True, text=True)
        seconds = time.time() - start
        open(f'{folder}.json', 'w').write(done.stdout)
        open(f'{folder}.err', 'w').write(done.stderr)
        answer = json.loads(done.stdout) if done.stdout.startswith('{') else {}
        program = published(name)
        program.built(program.published)
        rng = random.Random(name)
        inputs = cases(program.about)
        answers = [(case, answered) for case in inputs + [varied(rng.choice(inputs), rng) for _ in range(200)]
                   if (answered := program.answer(case)) is not None and answered == program.answer(case)]
        words = []
        for patched in answer.get('patches', []):
            other = differs(program, folder, patched['diff'], answers)
            words.append(('right' if other is None else 'wrong', patched, other))
        first = words[0] if words else None
        word = 'none' if not first else f'{first[1]["grade"]} {first[0]}'
        if first and first[0] == 'wrong' and any(it[0] == 'right' for it in words):
            word += ', a later one right'
        counts.setdefault(truth['language'], Counter())[word] += 1
        shown = f"{first[1]['before']} -> {first[1]['after']}" if first else done.stderr.strip()[-120:] if not answer else ''
        print(f"{name:28} {word:36} {seconds:6.1f} s  {truth['published']} | {truth['broken']} | {' '.join(shown.split())[:160]}", flush=True)
        for right, patched, other in words:
            if right == 'wrong' and patched['grade'] == 'verified':
                print(f'    verified, and wrong: {json.dumps(other)[:300]}', flush=True)
    for language, words in sorted(counts.items()):
        print(f'{language}: ' + ', '.join(f'{word} {count}' for word, count in sorted(words.items())) + f', of {sum(words.values())}')


def told(answer, list_name):
    return answer.get(list_name) or []


def shows(program, asked):
    """Whether one of the inputs of an answer makes the published program do something else than the fixed one."""
    for it in asked:
        case = it.get('case')
        if not case:
            continue
        full = {'args': case.get('args', []), 'stdin': case.get('stdin', ''), 'files': case.get('files', {})}
        if not isinstance(full['stdin'], str) or any(not isinstance(text, str) for text in full['files'].values()):
            continue
        right = program.answer(full)
        after = it.get('after', {})
        end = after.get('end', '')
        if right is None or end != f'status {right[0]}' or (after.get('output') is not None and after['output'] != right[1]):
            return True
    return False


def review(programs, out, names, options):
    published = listed_program(programs, out)
    os.makedirs(f'{out}/answers', exist_ok=True)
    counts = {}
    for folder, truth in pairs(out, names):
        name = truth['name']
        program = None
        for fix in ['right', 'wrong']:
            if not os.path.exists(f'{folder}/{fix}.diff'):
                continue
            start = time.time()
            done = subprocess.run([WHYDUNIT, 'review', f'{fix}.diff', '--format', 'json', *options], cwd=folder, capture_output=True, text=True)
            seconds = time.time() - start
            open(f'{out}/answers/{name}-{fix}.json', 'w').write(done.stdout)
            open(f'{out}/answers/{name}-{fix}.err', 'w').write(done.stderr)
            answer = json.loads(done.stdout) if done.stdout.startswith('{') else {}
            verdict = answer.get('verdict', 'none')
            word = verdict
            if fix == 'wrong' and verdict == 'no-counterexample':
                if program is None:
                    program = published(name)
                    program.built(program.published)
                word = 'asked' if shows(program, told(answer, 'questions')) else 'told' if shows(program, told(answer, 'differences')) else 'missed'
            key = f'{fix} {"dies" if truth.get("dies") else "output"}' if fix == 'wrong' else f'right of {truth["bug"]}'
            counts.setdefault(key, []).append(word)
            questions, differences = len(told(answer, 'questions')), len(told(answer, 'differences'))
            print(f'{name:28} {key:16} {word:18} {questions} {differences} {seconds:6.1f} s {done.stderr.strip()[-120:] if verdict == "none" else ""}', flush=True)
    for key, words in sorted(counts.items()):
        print(f'{key}: ' + ', '.join(f'{word} {words.count(word)}' for word in sorted(set(words))) + f', of {len(words)}')


if len(sys.argv) >= 6 and sys.argv[1] == 'make':
    make(sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5]), sys.argv[6:])
elif len(sys.argv) >= 4 and sys.argv[1] == 'locate':
    locate(sys.argv[3], sys.argv[4:])
elif len(sys.argv) >= 4 and sys.argv[1] in ('repair', 'review'):
    rest = sys.argv[4:]
    split = rest.index('--') if '--' in rest else len(rest)
    mode = repair if sys.argv[1] == 'repair' else review
    mode(sys.argv[2], sys.argv[3], rest[:split], rest[split + 1:])
else:
    sys.exit(__doc__)
