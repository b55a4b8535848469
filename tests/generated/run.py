#!/usr/bin/env python3
"""Generates tests for every method of a tree through the language server, compiles them and runs them with JUnit.

    run.py SERVER TREE COPY JARS [MAX] [SEED]

SERVER is the binary, TREE a folder of sources, COPY a folder to make, JARS a folder with JUnit's console, Mockito and what the tree
needs, MAX how many methods are asked for at most, SEED which ones. The last line has the counts. Exit code 1 if something does not
compile, if a test fails, or if there is none.
"""
import pathlib, random, re, shutil, subprocess, sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "corpora"))
from client import Server, apply, readable

server, tree, copy, jars = sys.argv[1:5]
limit = int(sys.argv[5]) if len(sys.argv) > 5 else 10_000
seed = int(sys.argv[6]) if len(sys.argv) > 6 else 1
shutil.rmtree(copy, ignore_errors=True)
shutil.copytree(tree, copy)
copy = pathlib.Path(copy).resolve()
jars = sorted(str(it.resolve()) for it in pathlib.Path(jars).glob("*.jar"))
out = copy.parent / (copy.name + "-classes")
shutil.rmtree(out, ignore_errors=True)
out.mkdir()


def sources():
    return [it for it in sorted(copy.rglob("*.java")) if it.name not in ("module-info.java", "package-info.java")]


def compiled():
    arguments = ["-proc:none", "-nowarn", "-Xmaxerrs", "10000", "-encoding", "UTF-8", "-parameters", "-cp", ":".join(jars), "-d", str(out), "@/dev/stdin"]
    res = subprocess.run(["javac", *arguments], input="\n".join(map(str, sources())), text=True, capture_output=True)
    return res.returncode, res.stderr


mains = [it for it in sources() if "/src/test/" not in str(it)]
status, errors = compiled()
if status:
    sys.exit(f"the tree does not compile as it is:\n{errors[-2000:]}")
client = Server(server, copy)
places = []
texts = {path: readable(path) for path in mains}
texts = {path: text for path, text in texts.items() if text is not None}
for path, text in texts.items():
    client.open(path, text)
# Tests are generated for what was linked.
client.analyse()
for path, text in texts.items():
    for line in range(text.count("\n") + 1):
        places += [(path, line, number) for number, _ in enumerate(client.actions(path, line, line + 1, ["refactor.generate"]))]
n_offered = len(places)
if len(places) > limit:
    places = random.Random(seed).sample(places, limit)
n_generated, written, by_file = 0, set(), {}
for path, line, number in places:
    by_file.setdefault(path, []).append((line, number))
for path, wanted in by_file.items():
    for line, number in wanted:
        actions = client.actions(path, line, line + 1, ["refactor.generate"])
        if number < len(actions):
            written.update(apply(client.resolve(actions[number])["edit"]))
            n_generated += 1
client.leave()
status, errors = compiled()
if status:
    print(errors[-8000:])
    sys.exit(f"{n_generated} methods, {len(written)} test classes: they do not compile")
console = next(it for it in jars if "console" in it)
work = copy.parent / (copy.name + "-work")
shutil.rmtree(work, ignore_errors=True)
work.mkdir()
classes = [a for it in sorted(written) for a in ("-c", (re.search(r"^package ([\w.]+);", it.read_text(), re.M) or ["", ""])[1] + "." + it.stem)]
command = ["java", "-Xshare:off", "-jar", console, "execute", "--disable-banner", "--details=tree", "-cp", ":".join([str(out), *jars]), *[it.removeprefix(".") for it in classes]]
res = subprocess.run(command, text=True, capture_output=True, cwd=work, timeout=900, stdin=subprocess.DEVNULL)
report = res.stdout
count = lambda what: int((re.search(rf"(\d+) tests {what}", report) or [0, 0])[1])
n_tests, n_passed, n_aborted, n_failed = count("found"), count("successful"), count("aborted"), count("failed")
if res.returncode or n_failed or "-v" in sys.argv:
    print(report[-12000:], res.stderr[-3000:])
print(f"{n_offered} methods offered, {n_generated} generated in {len(written)} classes: {n_tests} tests, {n_passed} passed, {n_aborted} to be completed, {n_failed} failed")
sys.exit(1 if res.returncode or n_failed or not n_passed else 0)
