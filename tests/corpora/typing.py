#!/usr/bin/env python3
"""Types into a large workspace through the language server as people do, and says how long findings take and what memory does.

    typing.py SERVER TREE... [--keys N] [--pause MS] [--seed N] [--open N] [--lines MIN-MAX]

SERVER is the binary, each TREE a folder of Java sources; a copy of all of them is the workspace. Methods of the open files are cut out and
typed again, in front of a method that has a finding, so that each key moves a finding and the server has something to publish: character
by character, with slips that are taken back, undo and redo in one change, pastes, brackets and quotes that stay open for a while, saves,
and files that are closed and opened again. A key counts from the change to the diagnostics of that version. Most keys that bring none moved no
finding; once another file is edited they are given up, since what is published then is what the link of that file found.

The last lines are the latencies and the memory of the server at the start, after each tenth, and in the end. Exit code 1 if more than half of the
keys brought nothing, or if the server has grown by more than a tenth from the first three tenths to the last.
"""
import argparse, json, pathlib, random, re, shutil, subprocess, sys, tempfile, threading, time, queue, os

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("server")
parser.add_argument("trees", nargs="+")
parser.add_argument("--keys", type=int, default=20_000)
parser.add_argument("--pause", type=float, default=10, help="between keys, in milliseconds")
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--verbose", action="store_true", help="print the keys that nothing came for")
parser.add_argument("--open", type=int, default=6, help="files that are edited in turn")
parser.add_argument("--lines", default="300-3000", help="how long these files are")
asked = parser.parse_args()
least, most = map(int, asked.lines.split("-"))
chance = random.Random(asked.seed)

work = tempfile.TemporaryDirectory(prefix="mockpoint-typing-")
root = pathlib.Path(work.name).resolve() / "workspace"
for tree in map(pathlib.Path, asked.trees):
    shutil.copytree(tree, root / tree.resolve().name, ignore=lambda folder, names: [it for it in names if "." in it and not it.endswith(".java") and os.path.isfile(os.path.join(folder, it))])
n_lines = sum(it.read_bytes().count(b"\n") for it in root.rglob("*.java"))


class Server:
    def __init__(self):
        self.process = subprocess.Popen([asked.server, "server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.answers, self.published = queue.Queue(), queue.Queue()
        self.n_asked = 0
        self.lock = threading.Lock()
        threading.Thread(target=self.read, daemon=True).start()

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        with self.lock:
            self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
            self.process.stdin.flush()

    def read(self):
        while True:
            length = 0
            while line := self.process.stdout.readline().strip():
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            body = self.process.stdout.read(length)
            if not body:
                self.answers.put(None)
                return
            now, message = time.perf_counter(), json.loads(body)
            if message.get("method") == "textDocument/publishDiagnostics":
                self.published.put((now, message["params"]))
            elif "method" in message and "id" in message:
                self.send({"id": message["id"], "result": None})
            elif "id" in message:
                self.answers.put(message)

    def request(self, method, params, patience=600):
        self.n_asked += 1
        self.send({"id": self.n_asked, "method": method, "params": params})
        while True:
            message = self.answers.get(timeout=patience)
            if message is None:
                sys.exit("the server ended")
            if message["id"] == self.n_asked:
                if "error" in message:
                    sys.exit(f"{method}: {message['error']}")
                return message["result"]

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def memory(self, key="VmRSS"):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(key + r":\s*(\d+) kB", status).group(1)) / 1024


server = Server()
began = time.perf_counter()
capabilities = {"general": {"positionEncodings": ["utf-32"]}, "textDocument": {"publishDiagnostics": {"relatedInformation": True}}}
server.request("initialize", {"processId": None, "rootUri": root.as_uri(), "capabilities": capabilities})
server.notify("initialized", {})
counts = server.request("workspace/executeCommand", {"command": "mockpoint.analyseWorkspace", "arguments": []})
print(f"{n_lines:,} lines, analysed in {time.perf_counter() - began:.1f} s: {counts}", flush=True)

# What people edit: usually files of some hundred lines, with findings in methods.
tree = server.request("workspace/executeCommand", {"command": "mockpoint.findings", "arguments": []})
at = {}
for category in tree["categories"]:
    for group in category["classes"]:
        for method in group["methods"]:
            start = method["range"]["start"]
            # What is typed in front of an annotation on a line of its own moves no name.
            if start["line"] == method["selectionRange"]["start"]["line"]:
                at.setdefault(method["uri"], set()).add((start["line"], start["character"]))
sizes = {uri: pathlib.Path(uri.removeprefix("file://").replace("%24", "$")) for uri in at}
fitting = sorted(uri for uri, path in sizes.items() if path.is_file() and least <= path.read_bytes().count(b"\n") <= most and path.read_bytes().isascii() and b"\r" not in path.read_bytes())
if not fitting:
    sys.exit(f"no file of {asked.lines} lines has a mocking point")
chosen = chance.sample(fitting, min(asked.open, len(fitting)))
METHOD = re.compile(r"\n    (?:(?:public|private|protected|static|final|synchronized) )*[\w<>\[\], ]+ \w+\([^;{}]*\)[^;{}]*\{\n(?:        .*\n|\n)*?    \}\n")


class Document:
    def __init__(self, uri):
        self.uri, self.path = uri, sizes[uri]
        self.text, self.version = self.path.read_text(), 0
        self.open()

    def open(self):
        self.version += 1
        server.notify("textDocument/didOpen", {"textDocument": {"uri": self.uri, "languageId": "java", "version": self.version, "text": self.text}})

    def position(self, offset):
        line = self.text.count("\n", 0, offset)
        return {"line": line, "character": offset - (self.text.rfind("\n", 0, offset) + 1)}

    def change(self, start, end, new):
        """Sends the change and waits a moment for its diagnostics, which may also come later, or not at all if none has moved."""
        for key in [it for it in pending if it[0] != self.uri]:
            silent.append(pending.pop(key))
        edit = {"range": {"start": self.position(start), "end": self.position(end)}, "text": new}
        self.text = self.text[:start] + new + self.text[end:]
        self.version += 1
        sent = time.perf_counter()
        server.notify("textDocument/didChange", {"textDocument": {"uri": self.uri, "version": self.version}, "contentChanges": [edit]})
        pending[self.uri, self.version] = sent
        end = sent + 0.1
        while (self.uri, self.version) in pending and (left := end - time.perf_counter()) > 0:
            try:
                now, published = server.published.get(timeout=left)
            except queue.Empty:
                break
            began = pending.pop((published["uri"], published.get("version")), None)
            if began is not None:
                times.append(now - began)
        if asked.verbose and (self.uri, self.version) in pending:
            print(f"silent: {new!r} at {start} of {self.path}: {self.text[start - 60:start + 40]!r}")
        time.sleep(asked.pause / 1000)


times, memory, pending, silent, n_done = [], [], {}, [], 0
documents = [Document(it) for it in chosen]
# The links that opening brings.
time.sleep(5)
started = time.perf_counter()
memory.append(server.memory())
tenth = 0


def key(document, start, end, new):
    global n_done, tenth
    document.change(start, end, new)
    n_done += 1
    if tenth < 10 and n_done >= (tenth + 1) * asked.keys // 10:
        tenth += 1
        memory.append(server.memory())
        print(f"{n_done} keys, {time.perf_counter() - started:.0f} s, {memory[-1]:.0f} MB", flush=True)


def typed(document, place, text):
    """Types `text` at `place`, not without slips."""
    behind = place
    for char in text:
        if chance.random() < 0.03:
            key(document, behind, behind, chance.choice("abcxyz;)\"{"))
            if chance.random() < 0.5:
                key(document, behind + 1, behind + 1, chance.choice("etaoin"))
                key(document, behind + 1, behind + 2, "")
            key(document, behind, behind + 1, "")
        key(document, behind, behind, char)
        behind += 1
        if chance.random() < 0.01 and behind - place > 12:
            # Undo takes back some at once, and redo brings them again.
            n = chance.randrange(2, 12)
            taken = document.text[behind - n : behind]
            key(document, behind - n, behind, "")
            key(document, behind - n, behind - n, taken)


n_round = 0
while n_done < asked.keys:
    document = documents[n_round % len(documents)]
    n_round += 1
    original = document.text
    methods = [it.span() for it in METHOD.finditer(document.text) if 80 <= it.end() - it.start() <= 900]
    lines = [0]
    for it in re.finditer("\n", document.text):
        lines.append(it.end())
    places = sorted(lines[line] + column for line, column in at[document.uri] if line < len(lines))
    if not places:
        continue
    # In front of a method with a finding, on its line.
    place = chance.choice(places)
    text = document.text[slice(*chance.choice(methods))] if methods else "\n    int more() {\n        return 1;\n    }\n"
    text = text.strip("\n ").replace(" (", "(") + " "
    if chance.random() < 0.2:
        # A paste, a broken paste, and both taken back.
        key(document, place, place, text)
        key(document, place, place, text[: len(text) // 2])
        key(document, place, place + len(text) // 2, "")
    else:
        typed(document, place, text)
    if chance.random() < 0.3:
        # What was cut off stays broken for a while.
        key(document, place + len(text) // 2, place + len(text), "")
        typed(document, place, "int i; ")
        key(document, place, place + len("int i; "), "")
        key(document, place + len(text) // 2, place + len(text) // 2, text[len(text) // 2 :])
    server.notify("textDocument/didSave", {"textDocument": {"uri": document.uri}})
    key(document, place, place + len(text), "")
    if document.text != original:
        sys.exit("the trace has lost its place")
    if n_round % 7 == 0:
        server.notify("textDocument/didClose", {"textDocument": {"uri": document.uri}})
        time.sleep(0.05)
        document.open()
    # The link catches up.
    time.sleep(0.2)

seconds = time.perf_counter() - started
silent.extend(pending.values())
time.sleep(3)
memory[-1] = server.memory()
peak = server.memory("VmHWM")
server.request("shutdown", None)
server.notify("exit", None)
server.process.wait(10)
times.sort()
share = lambda it: times[min(len(times) - 1, int(len(times) * it))] * 1000
print(f"{n_done} keys in {n_round} methods of {len(documents)} files ({', '.join(str(it.text.count(chr(10))) for it in documents)} lines), {seconds:.0f} s; {len(silent)} moved no finding")
print(f"change to publish: p50 {share(0.5):.1f} ms, p95 {share(0.95):.1f} ms, p99 {share(0.99):.1f} ms, max {times[-1] * 1000:.0f} ms")
print("memory in MB: start " + ", ".join(f"{it:.0f}" for it in memory) + f"; peak {peak:.0f}")
print("load of the machine: " + ", ".join(f"{it:.1f}" for it in os.getloadavg()))
# Links come and go: the middle of three tenths tells more than one.
middle = lambda it: sorted(it)[len(it) // 2]
grown = middle(memory[-3:]) / middle(memory[1:4])
print(f"the last tenths are {grown:.3f} of the first")
sys.exit(1 if len(silent) > n_done / 2 or grown > 1.1 else 0)
