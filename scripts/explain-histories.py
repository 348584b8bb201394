#!/usr/bin/env python3
"""Differences of behaviour between two commits of published programs, drawn at random, and what `whydunit explain` says of them.

explain-histories.py make CLONES OUT COUNT SEED NAME...
    CLONES is a folder with clones of github.com/michaelforney/sbase and danmar/simplecpp. NAME is a tool of sbase (as in subjects/seeded/programs.json)
    or simplecpp. For each COUNT pairs of commits are drawn between which the answer to an input changed once: OUT/NAME-N holds the folders `good`
    and `bad`, whose test is the older answer, and `truth.json`: the commit from which on the answer is the newer one.
explain-histories.py folders OUT [NAME-N...]
    asks `whydunit explain` between the two folders: how many changes are reported, whether a line of the commit is among them, and how many versions
    were built.
explain-histories.py commits CLONES OUT [NAME-N...]
    asks between the two commits, in a clone: which commit is named.
WHYDUNIT: the binary [target/release/whydunit]. WITHIN, BUILDS: seconds and versions for each [100, 60].
"""
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WHYDUNIT = os.path.abspath(os.environ.get('WHYDUNIT', f'{HERE}/target/release/whydunit'))
COMPILERS = {'CC': 'clang-22', 'CXX': 'clang++-22'}
# So many commits are drawn, between pairs of which the answers are compared; so many tests that pass go with the one that fails.
DRAWN, PASSING = 8, 6
FLAGS = '-D_DEFAULT_SOURCE -D_BSD_SOURCE -D_XOPEN_SOURCE=700 -D_FILE_OFFSET_BITS=64 -D_GNU_SOURCE -DVERSION=\\"x\\" -w -std=gnu99 -Wno-error=implicit-function-declaration -I.'
MACROS = [
    '#define A 1\nA B\n', '#define F(x) x+x\nF(F(1))\n', '#define S(x) #x\nS(a b "c")\n', '#define C(a,b) a##b\nC(x,y) C(,z)\n',
    '#if 1\nx\n#else\ny\n#endif\n', '#define V(...) f(__VA_ARGS__)\nV(1,2)\nV()\n', '#define A B\n#define B A\nA\n',
    '#define f(x) g\n#define g(x) x\nf(1)(2)\n', '"a" /* c */ \'b\' // d\nx\\\ny\n', '#if (1 << 3) == 8 && !0\nw\n#endif\n',
    '#define A(x,y) x y\nA((1,2),3)\nA\n(4,5)\n', '#error bad\nx\n', '#include "none.h"\nx\n', '#line 20 "f.c"\n__LINE__ __FILE__\n',
    'R"(a"b)" L"x" u8"y"\n', '#define E\n#define X(a) [a E]\nX(E) X()\n', 'a+++b a->b a::b a<<=1 a...b %: <: \n',
    '#define A(x) x\nA(\n1\n)\n2\n', '#define h(x,y) x ## y ## 3\nh(a,b) h(1,)\n', '#define z z[0]\nz\n',
    '#define o(m) m(1)\n#define p(x) (x)\no(p) o(o)(p)\n', '#if __has_include("a.h")\nx\n#endif\ny\n', '#define N(n,...) n:__VA_ARGS__;\nN(1,2,3) N(1)\n',
    '#if 1/0\nx\n#endif\n', 'x "unterminated\ny\n', 'and or not and_eq\n#if 1 and not 0\nk\n#endif\n',
]


def subject(name):
    """The clone of a program, the paths that its history is about, how it is built as `prog`, and its inputs: arguments, standard input, files."""
    if name == 'simplecpp':
        inputs = [(['in.c'], '', {'in.c': text}) for text in MACROS]
        return {'clone': name, 'paths': ['simplecpp.cpp', 'simplecpp.h', 'main.cpp'], 'inputs': inputs,
                'build': '$CXX -g -w -std=c++11 -o prog main.cpp simplecpp.cpp'}
    programs = json.load(open(f'{HERE}/subjects/seeded/programs.json'))['programs']
    about = next((one for one in programs if one['name'] == name and one['source'] == 'sbase'), None)
    if about is None:
        sys.exit(f'explain-histories: no program {name}')
    folders = ['util', 'libutil', 'libutf']
    sources = ' '.join(f'{folder}/*.c' for folder in folders)
    objects = sources.replace('.c', '.o')
    build = (f'for f in {sources}; do [ -f $f ] && $CC -g {FLAGS} -c -o ${{f%.c}}.o $f; done; '
             f'ls {objects} 2>/dev/null | xargs ar rcs all.a; $CC -g {FLAGS} -o prog {name}.c all.a')
    return {'clone': 'sbase', 'paths': [f'{name}.c', 'util.h', 'utf.h', *folders], 'build': build,
            'inputs': [(one[0], one[1], {}) for one in about['inputs'] if len(one) == 2]}


def git(clone, *arguments):
    return subprocess.run(['git', *arguments], cwd=clone, stdout=subprocess.PIPE).stdout.decode('utf8', 'replace')


class Commits:
    """What a program answers at its commits."""

    def __init__(self, about, clone, place):
        self.about, self.clone, self.place, self.known = about, clone, place, {}

    def lay_out(self, commit, folder):
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        subprocess.run(f'git archive {commit} | tar x -C {folder}', shell=True, cwd=self.clone, check=True)

    def answers(self, commit):
        """The status and output for each input; None where the commit cannot be built."""
        if commit not in self.known:
            self.lay_out(commit, self.place)
            quiet = {'stdout': subprocess.DEVNULL, 'stderr': subprocess.DEVNULL}
            subprocess.run(self.about['build'], shell=True, cwd=self.place, env={**os.environ, **COMPILERS}, **quiet)
            is_built = os.path.exists(f'{self.place}/prog')
            self.known[commit] = [self.answer(*one) for one in self.about['inputs']] if is_built else None
        return self.known[commit]

    def answer(self, arguments, text, files):
        with tempfile.TemporaryDirectory() as folder:
            for file, content in files.items():
                open(f'{folder}/{file}', 'w').write(content)
            try:
                run = subprocess.run([f'{self.place}/prog', *arguments], cwd=folder, input=text.encode(), stdout=subprocess.PIPE,
                                     stderr=subprocess.DEVNULL, timeout=5)
            except subprocess.TimeoutExpired:
                return (None, '')
        return (run.returncode, run.stdout.decode('latin1'))

    def culprit(self, commits, good, bad, number):
        """The commit from which on an input has the newer answer; None where there is a third answer."""
        old, new = self.answers(commits[good])[number], self.answers(commits[bad])[number]
        while bad - good > 1:
            middle = (good + bad) // 2
            while middle < bad and self.answers(commits[middle]) is None:
                middle += 1
            if middle == bad:
                bad = (good + bad) // 2
                continue
            answer = self.answers(commits[middle])[number]
            if answer not in (old, new):
                return None
            good, bad = (good, middle) if answer == new else (middle, bad)
        return commits[bad]


def make(clones, out, count, seed, name):
    about = subject(name)
    clone = f'{clones}/{about["clone"]}'
    chance = random.Random(f'{name} {seed}')
    with tempfile.TemporaryDirectory() as place:
        tried = Commits(about, clone, f'{place}/built')
        commits = git(clone, 'log', '--first-parent', '--reverse', '--format=%H', '--', *about['paths']).split()
        drawn = sorted(chance.sample(range(len(commits)), min(DRAWN, len(commits))))
        pairs = [(good, bad) for good in drawn for bad in drawn if good < bad]
        chance.shuffle(pairs)
        found = set()
        for good, bad in pairs:
            old, new = tried.answers(commits[good]), tried.answers(commits[bad])
            if len(found) == count or old is None or new is None:
                continue
            ends = [number for number in range(len(old)) if old[number][0] in (0, 1)]
            differing = [number for number in ends if old[number] != new[number] and new[number][0] is not None]
            if not differing:
                continue
            failing = chance.choice(differing)
            culprit = tried.culprit(commits, good, bad, failing)
            if culprit is None or culprit in found:
                continue
            same = [number for number in ends if old[number] == new[number]]
            folder = f'{out}/{name}-{len(found)}'
            shutil.rmtree(folder, ignore_errors=True)
            tests = [failing, *chance.sample(same, min(PASSING, len(same)))]
            for side, commit in (('good', commits[good]), ('bad', commits[bad])):
                tried.lay_out(commit, f'{folder}/{side}')
                configure(about, [(number, old[number]) for number in tests], f'{folder}/{side}')
            shown = git(clone, 'show', '--format=', '-U0', '-m', '--first-parent', culprit).splitlines()
            lines = [(line[0], line[1:].strip()) for line in shown if line[:1] in ('+', '-') and not line.startswith(('+++', '---'))]
            truth = {'lines': [line for line in lines if len(line[1]) > 2], 'test': f't{failing}', 'good': commits[good], 'bad': commits[bad], 'culprit': culprit, 'clone': about['clone']}
            json.dump(truth, open(f'{folder}/truth.json', 'w'), indent=1)
            found.add(culprit)
            print(f'{name}-{len(found) - 1}: {culprit[:12]} {git(clone, "log", "-1", "--format=%s", culprit).strip()}', flush=True)


def configure(about, tests, folder):
    command = re.sub(r'\$(CC|CXX)\b', lambda one: COMPILERS[one.group(1)], about['build'])
    with open(f'{folder}/whydunit.toml', 'w') as file:
        file.write(f"[build]\ncommand = '''{command}'''\nexecutable = \"prog\"\n[tests]\ncases = \"cases.jsonl\"\n")
    with open(f'{folder}/cases.jsonl', 'w') as file:
        for number, (status, output) in tests:
            arguments, text, files = about['inputs'][number]
            case = {'name': f't{number}', 'args': arguments, 'stdin': text, 'files': files, 'status': status, 'stdout': output}
            file.write(json.dumps(case) + '\n')


def explain(folder, test, good, *options):
    """The answer and the seconds; where there is no answer what was said instead."""
    started = time.time()
    run = subprocess.run([WHYDUNIT, 'explain', test, '--good', good, '--format', 'json', '--within', os.environ.get('WITHIN', '100'), *options],
                         cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    seconds = time.time() - started
    try:
        return json.loads(run.stdout), seconds
    except ValueError:
        return run.stderr.decode('utf8', 'replace')[-300:], seconds


def told(name, answer, seconds, more):
    if isinstance(answer, str):
        print(f'| {name} | no answer: {answer.strip()} | | | {seconds:.0f} |', flush=True)
        return
    reported = f'{len(answer["root"])}' + (f'+{len(answer["auxiliary"])}' if answer['auxiliary'] else '')
    reported += '' if answer['reduced'] else ', not reduced'
    builds = f'{answer["stats"]["builds"]}, {answer["variants"]["not_built"]}'
    print(f'| {name} | {answer["changes"]} | {reported} | {more} | {builds} | {seconds:.0f} |', flush=True)


def folders(out, names):
    for name in names:
        truth = json.load(open(f'{out}/{name}/truth.json'))
        with tempfile.TemporaryDirectory() as place:
            for side in ('good', 'bad'):
                shutil.copytree(f'{out}/{name}/{side}', f'{place}/{side}', symlinks=True)
            answer, seconds = explain(f'{place}/bad', truth['test'], '../good', '--builds', os.environ.get('BUILDS', '60'))
        lines = {tuple(line) for line in truth['lines']}
        is_true = '' if isinstance(answer, str) else any(
            (line[0], line[1:].strip()) in lines
            for change in answer['root'] + answer['auxiliary'] for line in change['diff'].splitlines())
        told(name, answer, seconds, {True: 'yes', False: 'no', '': ''}[is_true])


def commits(clones, out, names):
    for name in names:
        truth = json.load(open(f'{out}/{name}/truth.json'))
        with tempfile.TemporaryDirectory() as place:
            subprocess.run(['git', 'clone', '-q', f'{clones}/{truth["clone"]}', f'{place}/clone'], check=True)
            subprocess.run(['git', 'checkout', '-q', truth['bad']], cwd=f'{place}/clone', check=True)
            for file in ('whydunit.toml', 'cases.jsonl'):
                shutil.copy(f'{out}/{name}/bad/{file}', f'{place}/clone')
            answer, seconds = explain(f'{place}/clone', truth['test'], truth['good'])
        commit = '' if isinstance(answer, str) else (answer['commit'] or {}).get('id', '')
        told(name, answer, seconds, f'{commit[:12]} ({truth["culprit"][:12]})')


def main():
    arguments = sys.argv[1:]
    if len(arguments) >= 6 and arguments[0] == 'make':
        for name in arguments[5:]:
            make(arguments[1], arguments[2], int(arguments[3]), arguments[4], name)
        return
    if len(arguments) >= 2 and arguments[0] == 'folders':
        out, names = arguments[1], arguments[2:]
    elif len(arguments) >= 3 and arguments[0] == 'commits':
        out, names = arguments[2], arguments[3:]
    else:
        sys.exit(__doc__)
    names = names or sorted(name for name in os.listdir(out) if os.path.exists(f'{out}/{name}/truth.json'))
    print('| regression | changes | reported | true | builds, of which failed | seconds |\n|---|---|---|---|---|---|')
    folders(out, names) if arguments[0] == 'folders' else commits(arguments[1], out, names)


if __name__ == '__main__':
    main()
