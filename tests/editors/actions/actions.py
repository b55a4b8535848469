#!/usr/bin/env python3
"""Applies code actions to the shipped example through the protocol, compiles each result with javac, and analyses it again.

    actions.py SERVER PROJECT CLASSPATH COMPILER [MAX [verbose]]

SERVER is the binary, PROJECT a folder of sources that compile, COMPILER the path of Compile.java, MAX how many actions of a kind are tried.
Of each action the edit is resolved and applied to a copy; what the action promises is looked up in the report on that copy. Exit code 1 if a
result does not compile, if a promise does not hold, or if a kind that the example should have is not offered.
"""
import json, pathlib, re, shutil, subprocess, sys, tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "corpora"))
import client

server, project, classpath, compiler = sys.argv[1:5]
limit = int(sys.argv[5]) if len(sys.argv) > 5 else 4
verbose = len(sys.argv) > 6
work = tempfile.TemporaryDirectory(prefix="mockpoint-actions-")
root = pathlib.Path(work.name).resolve() / "project"
shutil.copytree(project, root)
# The example has no branch that guards calls alone, no setter that nothing calls, and little that runs outside of methods.
EXTRA = root / "src/main/java/shop/orders/config/Extra.java"
EXTRA.write_text(
    """package shop.orders.config;

import java.time.Instant;
import java.util.Random;
import java.util.UUID;

/** What the example does not have. */
public class Extra {
    private static final Instant STARTED = Instant.now();
    private static int limit = 10;
    private static int size = 1;
    private final String id;

    public Extra() {
        id = UUID.randomUUID().toString();
    }

    public String ticket() {
        return UUID.randomUUID().toString();
    }

    public int dice() {
        return new Random().nextInt(6);
    }

    public static void setSize(int to) {
        size = to;
    }

    public int size() {
        return size + limit + id.length() + STARTED.getNano();
    }

    public void slow(long since) {
        if (System.nanoTime() - since > 1000) {
            Meter.count("slow");
        }
    }

    static final class Meter {
        private static long n;

        static void count(String what) {
            n += what.length();
        }
    }
}
"""
)


def path_of(uri):
    return client.path_of(uri).relative_to(root)


def copied(edit):
    """The project after an edit, in a folder of its own."""
    copy = root.parent / "copy"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(root, copy)
    for change in edit["documentChanges"]:
        if change.get("kind") == "create":
            path = copy / path_of(change["uri"])
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
        else:
            path = copy / path_of(change["textDocument"]["uri"])
            path.write_text(client.applied(path.read_text(), change["edits"]))
    return copy


javac = subprocess.Popen(["java", compiler, classpath], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def compiled(folder):
    javac.stdin.write(f"{folder}\n")
    javac.stdin.flush()
    lines = []
    while (line := javac.stdout.readline()) != ".\n":
        if not line:
            sys.exit("the compiler ended")
        lines.append(line)
    return "".join(lines)


def report(folder):
    return json.loads(subprocess.run([server, "check", "--format", "json", str(folder)], capture_output=True, text=True).stdout)


# --- Promises: each gets what there was, what there is, the file, the match of the title, and says what is wrong.

points = lambda it, file: [one for one in it["mocking_points"] if one["file"].endswith(file)]
names = lambda it: sorted(f"{one['method']['class']}.{one['method']['name']}" for one in it)
short = lambda what: ".".join(what.split("(")[0].rsplit(".", 2)[-2:])
reads = lambda it, file, what: [one["what"] for point in points(it, file) for one in point["sources"] if short(one["what"]) == what]


def extract(before, after, file, title):
    if title[2] not in [it["method"]["name"] for it in points(after, file)]:
        return f"{title[2]} is no mocking point"
    lost = lambda it: sum(len(point["lost_writes"]) for point in points(it, file))
    stray = lambda it: len([one for one in it["unmockable_sources"] if one["source"]["file"].endswith(file)])
    if lost(after) > lost(before) or stray(after) > stray(before):
        return "more is lost than before"


def inject(before, after, file, title):
    kind = title[0]
    words = ["now()", "currentTimeMillis()"] if "Clock" in kind else ["randomUUID()"] if "UUID" in kind else ["Random.<init>()", "Math.random()"]
    direct = [one["what"] for point in points(after, file) for one in point["sources"] if any(one["what"].endswith(it) for it in words) and one["via"] is None]
    return f"still read directly: {direct}" if direct and "use it in" in kind else None


def final(before, after, file, title):
    found = [it for it in after["fields"] if it["file"].endswith(file) and it["name"] == title[1]]
    if not found or not all(it["final"] for it in found):
        return "the field is not final"


def all_final(before, after, file, title):
    count = lambda it: sum(one["final"] for one in it["fields"] if one["file"].endswith(file))
    if count(after) <= count(before):
        return "no field became final"


def setter(before, after, file, title):
    if any(title[1] in it["method"] for field in after["fields"] for it in field["modifiers"]):
        return "the setter still modifies a field"


def sanitizer(before, after, file, title):
    if reads(after, file, title[1]):
        return f"{title[1]} is still read"


def benign(before, after, file, title):
    branches = lambda it: sum(sink["kind"] == "branch" for point in points(it, file) for sink in point["sinks"])
    if branches(after) >= branches(before):
        return "as many branches count as before"


def never(before, after, file, title):
    if not any(it["name"] == title[1] and it["reason"] == "declared" for it in after["fields"]):
        return "the field is not ruled out"


def left_out(before, after, file, title):
    if points(after, file):
        return "the file still has mocking points"


def suppressed(before, after, file, title):
    of = {"mocking-point": lambda it: len(points(it, file)), "unmockable-source": lambda it: sum(one["source"]["file"].endswith(file) for one in it["unmockable_sources"])}
    count = of.get(title[1], lambda it: sum(one["file"].endswith(file) for one in it["fields"]))
    if count(after) >= count(before):
        return "the finding is still there"


PROMISES = [
    (r"Extract `([^`]+)` into a method `([^`]+)` of its own", extract),
    (r"(?:Add|Inject|Use)[^`]*`java.time.Clock`.*", inject),
    (r"(?:Add|Inject|Use)[^`]*`[^`]*Supplier<[^`]*UUID>`.*", inject),
    (r"(?:Add|Inject|Use)[^`]*`[^`]*Random[^`]*`.*", inject),
    (r"Make `([^`]+)` final", final),
    (r"Make all never-modified fields of this file final", all_final),
    (r"Make all never-modified fields of the workspace final", lambda before, after, file, title: all_final(before, after, "", title)),
    (r"Remove `([^`]+)`, which nothing calls", setter),
    (r"Say in mockpoint.toml that `([^`]+)` carries no state", sanitizer),
    (r"Say in mockpoint.toml that `[^`]+`(?:, `[^`]+`)* ha(?:s|ve) no effect on results", benign),
    (r"Say in mockpoint.toml that `([^`]+)` is never modified", never),
    (r"Leave this file out, by mockpoint.toml", left_out),
    (r"Suppress `([^`]+)` here with @SuppressWarnings\(\"mockpoint\"\)", suppressed),
    (r"Suppress `([^`]+)` for this line with a comment", suppressed),
]

# --- The session

session = client.Server(server, root)
first = compiled(root)
if first:
    sys.exit(f"the example does not compile:\n{first}")
before = report(root)
tried, seen, failures = {}, set(), []


def take(action, file):
    """Applies an action and looks at the result."""
    title = action["title"]
    kind, promise, match = next(((kind, promise, match) for kind, promise in PROMISES if (match := re.fullmatch(kind, title))), (re.sub(r"`[^`]*`", "`…`", title), None, None))
    if (file, title) in seen or tried.get(kind, 0) >= limit:
        return
    seen.add((file, title))
    tried[kind] = tried.get(kind, 0) + 1
    if verbose:
        print(f"{file}: {title}")
    edit = session.ordered(action["command"]) if "command" in action else session.resolve(action)["edit"]
    versions = [it["textDocument"]["version"] for it in edit["documentChanges"] if "textDocument" in it and str(path_of(it["textDocument"]["uri"])) == file]
    if any(it != 1 for it in versions):
        failures.append(f"{file}: {title}: versions {versions}")
    copy = copied(edit)
    wrong = compiled(copy) or (promise(before, report(copy), file, match) if promise else None)
    if wrong:
        failures.append(f"{file}: {title}: {wrong}")


for path in sorted((root / "src/main/java").rglob("*.java")):
    text, file = path.read_text(), str(path.relative_to(root))
    session.open(path, text)
    for line in range(text.count("\n")):
        for action in session.actions(path, line, line + 1):
            take(action, file)
    for action in session.actions(path, 0, 0, only=["source"]):
        take(action, file)
    session.close(path)
session.leave()
javac.stdin.close()
javac.wait(10)

missing = [kind for kind, _ in PROMISES if kind not in tried]
for kind, n in sorted(tried.items()):
    print(f"{n:3} {kind}")
for it in failures + [f"not offered: {it}" for it in missing]:
    print(f"FAILED {it}")
print(f"{sum(tried.values()) - len(failures)} passed, {len(failures) + len(missing)} failed")
sys.exit(1 if failures or missing else 0)
