#!/usr/bin/env python3
"""Applies code actions at random places of trees of Java sources, through the language server, and looks at what became of it.

    actions.py [--seed N] [--places N] [--title T] [--jars DIR] SERVER COPY TREE...

SERVER is the binary, COPY a folder to make, TREE folders of sources. About `--places` actions (200) are applied to each copy of a
tree, at most one in each file, each kind about as often as the others; `--title` takes only those whose titles begin so. Then:

- a tree that javac compiles as it is must still compile (generated tests only with JUnit and Mockito in the folder `--jars`);
- the changed files of another tree must have no new syntax errors;
- both are analysed again, and what an action promises must have come true: what was extracted is a mocking point, a suppressed finding
  and a file that was left out are no more reported, a field that was made final is not offered once more.

The last lines are a tally of kinds. Exit code 1 if anything of this is not so, or if nothing was applied.
"""
import argparse, collections, pathlib, random, re, shutil, subprocess, sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from client import Server, apply, path_of, readable

KINDS = {
    "Extract": "extract",
    "Inject a": "inject by the constructor",
    "Add a field": "inject by a field",
    "Use the": "use what is injected",
    "Replace": "static call to parameter",
    "Make all": "all fields final",
    "Make ": "field final",
    "Remove": "remove a setter",
    "Say in": "row of mockpoint.toml",
    "Leave": "leave the file out",
    "Suppress": "suppress",
    "Generate": "generate tests",
}
# Of these a few are enough: they are about a file that all files share.
FEW = {"row of mockpoint.toml": 5, "leave the file out": 5}

parser = argparse.ArgumentParser()
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--places", type=int, default=200)
parser.add_argument("--title", default="")
parser.add_argument("--jars")
parser.add_argument("server")
parser.add_argument("copy")
parser.add_argument("trees", nargs="+")
options = parser.parse_args()
jars = ":".join(str(it.resolve()) for it in sorted(pathlib.Path(options.jars).glob("*.jar"))) if options.jars else ""
parse_only = pathlib.Path(__file__).resolve().parent / "Parse.java"


def kind_of(title):
    return next((kind for start, kind in KINDS.items() if title.startswith(start)), title)


def errors(copy):
    """What javac says of a tree, each thing as often as it says it."""
    files = [str(it) for it in copy.rglob("*.java") if it.name not in ("module-info.java", "package-info.java")]
    out = copy.parent / (copy.name + "-classes")
    shutil.rmtree(out, ignore_errors=True)
    command = ["javac", "-proc:none", "-nowarn", "-Xmaxerrs", "10000", "-encoding", "UTF-8", "-cp", jars, "-d", str(out), "@/dev/stdin"]
    res = subprocess.run(command, input="\n".join(files), text=True, capture_output=True)
    # Lines move; a file and what is wrong with it stay.
    found = collections.Counter(re.sub(r":\d+: error: ", ": ", line) for line in res.stderr.splitlines() if ": error: " in line)
    if res.returncode not in (0, 1) or (res.returncode == 1) != bool(found):
        sys.exit(f"javac ended with {res.returncode}:\n{res.stderr[-2000:]}")
    return found


def syntax_errors(files):
    res = subprocess.run(["java", str(parse_only)], input="\n".join(map(str, files)), text=True, capture_output=True)
    if res.returncode:
        sys.exit(f"the parser ended with {res.returncode}:\n{res.stderr[-2000:]}")
    return collections.Counter(re.sub(r":\d+: ", ": ", line) for line in res.stdout.splitlines())


class Applied:
    """An action that was applied."""

    def __init__(self, path, action, findings):
        self.path, self.title, self.before = path, action["title"], findings
        self.kind = kind_of(self.title)
        self.messages = [it["message"] for it in action.get("diagnostics", [])]

    def broken(self, after, offered):
        """What it promised and did not keep, by the findings of the file afterwards and the titles of what is offered."""
        names = re.findall(r"`([^`]+)`", self.title)
        of = lambda findings, code, name: sum(1 for it in findings if it[0] == code and re.search(rf"[.`]{re.escape(name)}`", it[1]))
        if self.kind == "extract" and of(after, "mocking-point", names[1]) <= of(self.before, "mocking-point", names[1]):
            return f"`{names[1]}` is no mocking point"
        # A final field is told of, as one that needs no mocking, where the object in it could be changed.
        if self.kind in ("field final", "all fields final") and self.title in offered:
            return "it is offered once more"
        # Overloads have the same message.
        count = lambda findings, message: sum(1 for it in findings if it[1] == message)
        if self.kind == "suppress" and any(count(after, it) >= count(self.before, it) for it in self.messages):
            return "it is reported"
        if self.kind == "remove a setter" and re.search(rf"\bvoid {names[0]}\(", self.path.read_text()):
            return "it is there"
        return None


def left_out(copy, applied):
    """Files that the command line reports on although the configuration leaves them out, and rows that it does not understand."""
    res = subprocess.run([options.server, "check", "--format", "json", str(copy)], text=True, capture_output=True)
    text = res.stdout
    wrong = [f"{it.path}: {it.title}: it is reported on" for it in applied if f'"file": "{it.path}"' in text or f'"file": "{it.path.relative_to(copy)}"' in text]
    return wrong + [it for it in res.stderr.splitlines() if "mockpoint.toml" in it]


def one_tree(number, tree):
    """Applies actions to a copy of a tree. The kinds that were applied, and whether all is well."""
    pick = random.Random(options.seed * 1000 + number)
    copy = pathlib.Path(f"{options.copy}-{number}").resolve()
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(tree, copy)
    before = errors(copy)
    compiles = not before
    files = [it for it in sorted(copy.rglob("*.java")) if readable(it) is not None and it.name not in ("module-info.java", "package-info.java")]
    pick.shuffle(files)
    files = files[: options.places * 5]
    syntax = collections.Counter() if compiles else syntax_errors(files)
    server = Server(options.server, copy)
    for path in files:
        server.open(path, readable(path))
    server.analyse()
    counts, applied, touched = collections.Counter(), [], set()
    for path in files:
        if len(applied) == options.places:
            break
        n_lines = readable(path).count("\n") + 2
        offered = server.actions(path, 0, n_lines) + server.actions(path, 0, n_lines, ["source.fixAll"])
        wanted = collections.defaultdict(list)
        for action in offered:
            kind = kind_of(action["title"])
            if action["title"].startswith(options.title) and counts[kind] < FEW.get(kind, len(files)) and (kind != "generate tests" or (compiles and jars)):
                wanted[kind].append(action)
        if not wanted:
            continue
        # The kinds that came least often first; of a kind any.
        kind = min(sorted(wanted), key=lambda it: counts[it])
        action = server.resolve(pick.choice(wanted[kind]))
        targets = {path_of(it["textDocument"]["uri"]) for it in action["edit"]["documentChanges"] if "textDocument" in it}
        # Texts that were changed already are not those that the edits are for.
        if any(it.suffix == ".java" and it in touched for it in targets | {path}):
            continue
        findings = server.diagnostics(path)
        apply(action["edit"])
        touched |= targets | {path}
        counts[kind] += 1
        applied.append(Applied(path, action, findings))
    server.leave()
    problems = []
    if compiles:
        problems += [f"javac: {it}" for it in errors(copy)]
    else:
        problems += [f"syntax: {it}" for it in syntax_errors([it for it in touched | set(files) if it.suffix == ".java"]) - syntax]
    # What the configuration says would hide what the others promise.
    rows = copy / "mockpoint.toml"
    if rows.exists():
        problems += left_out(copy, [it for it in applied if it.kind == "leave the file out"])
        rows.unlink()
    server = Server(options.server, copy)
    for it in applied:
        server.open(it.path, readable(it.path))
    server.analyse()
    for it in applied:
        n_lines = readable(it.path).count("\n") + 2
        offered = server.actions(it.path, 0, n_lines, ["quickfix"]) + server.actions(it.path, 0, n_lines, ["source.fixAll"])
        broken = it.broken(server.diagnostics(it.path), {other["title"] for other in offered})
        if broken:
            problems.append(f"{it.path.relative_to(copy)}: {it.title}: {broken}")
    server.leave()
    how = "compiled before and after" if compiles else f"parsed before and after ({before.total()} errors of javac before)"
    print(f"{pathlib.Path(tree).name}: {len(applied)} actions, {how}, {len(problems)} problems")
    for it in problems[:20]:
        print(f"  {it}")
    return counts, not problems


total, all_well = collections.Counter(), True
for number, tree in enumerate(options.trees, 1):
    counts, is_well = one_tree(number, tree)
    total += counts
    all_well &= is_well
for kind, n in total.most_common():
    print(f"{n:5} {kind}")
print(f"{total.total():5} in all, {'all well' if all_well else 'NOT all well'}")
sys.exit(0 if all_well and total else 1)
