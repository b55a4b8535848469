#!/usr/bin/env python3
"""Applies code actions to a tree of Java sources through the language server, and says what javac makes of the result.

    actions.py SERVER TREE COPY TITLE [MAX]

SERVER is the binary, TREE a folder of sources that javac compiles as it is, COPY a folder to make, TITLE how the titles of the actions
begin (`Extract`, `Add a field`, `Make`, `Remove`), MAX how many files are changed at most. One action is applied a file. The last lines
are the numbers of changed files and of errors before and after. Exit code 1 if there is an error that was not there before, or if
nothing was changed.
"""
import collections, json, pathlib, re, shutil, subprocess, sys

server, tree, copy, title = sys.argv[1:5]
limit = int(sys.argv[5]) if len(sys.argv) > 5 else 1000
shutil.rmtree(copy, ignore_errors=True)
shutil.copytree(tree, copy)
copy = pathlib.Path(copy).resolve()


def errors():
    files = [str(it) for it in copy.rglob("*.java") if it.name not in ("module-info.java", "package-info.java")]
    out = copy.parent / (copy.name + "-classes")
    shutil.rmtree(out, ignore_errors=True)
    res = subprocess.run(["javac", "-proc:none", "-nowarn", "-Xmaxerrs", "10000", "-encoding", "UTF-8", "-d", str(out), "@/dev/stdin"], input="\n".join(files), text=True, capture_output=True)
    # Lines move; a file and what is wrong with it stay.
    found = collections.Counter(re.sub(r":\d+: error: ", ": ", line) for line in res.stderr.splitlines() if ": error: " in line)
    if res.returncode not in (0, 1) or (res.returncode == 1) != bool(found):
        sys.exit(f"javac ended with {res.returncode}:\n{res.stderr[-2000:]}")
    return found


process = subprocess.Popen([server, "server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)


def send(message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    process.stdin.flush()


def receive():
    length = 0
    while True:
        line = process.stdout.readline().strip()
        if not line:
            return json.loads(process.stdout.read(length))
        if line.lower().startswith(b"content-length:"):
            length = int(line.split(b":")[1])


n_asked = 0


def request(method, params):
    global n_asked
    n_asked += 1
    send({"id": n_asked, "method": method, "params": params})
    while True:
        message = receive()
        if message.get("id") == n_asked and "method" not in message:
            return message.get("result")
        if "id" in message and "method" in message:
            send({"id": message["id"], "result": None})


def applied(text, edits):
    starts = [0]
    for at, char in enumerate(text):
        if char == "\n":
            starts.append(at + 1)
    offset = lambda it: starts[it["line"]] + it["character"]
    for edit in sorted(edits, key=lambda it: (offset(it["range"]["start"]), offset(it["range"]["end"])), reverse=True):
        text = text[: offset(edit["range"]["start"])] + edit["newText"] + text[offset(edit["range"]["end"]) :]
    return text


before = errors()
capabilities = {"general": {"positionEncodings": ["utf-32", "utf-16"]}, "workspace": {"workspaceEdit": {"documentChanges": True}}}
request("initialize", {"processId": None, "rootUri": copy.as_uri(), "capabilities": capabilities})
send({"method": "initialized", "params": {}})
request("workspace/executeCommand", {"command": "mockpoint.analyseWorkspace", "arguments": []})
n_offered, n_skipped, changed = 0, 0, []
for path in sorted(copy.rglob("*.java")):
    # Characters above the first plane would count twice.
    text = path.read_bytes().decode("utf-8", "replace")
    if len(changed) == limit or "\r" in text or any(ord(it) > 0xFFFF for it in text):
        n_skipped += 1
        continue
    document = {"uri": path.as_uri()}
    send({"method": "textDocument/didOpen", "params": {"textDocument": {**document, "languageId": "java", "version": 1, "text": text}}})
    everywhere = {"start": {"line": 0, "character": 0}, "end": {"line": text.count("\n") + 1, "character": 0}}
    actions = request("textDocument/codeAction", {"textDocument": document, "range": everywhere, "context": {"diagnostics": []}}) or []
    wanted = [it for it in actions if it["title"].startswith(title)]
    n_offered += len(wanted)
    if wanted:
        # Not always the first one.
        action = wanted[len(changed) % len(wanted)]
        [only] = action["edit"]["documentChanges"]
        path.write_text(applied(text, only["edits"]))
        changed.append((path, action["title"]))
    send({"method": "textDocument/didClose", "params": {"textDocument": document}})
request("shutdown", None)
send({"method": "exit"})
process.wait()
after = errors()
new = after - before
for line in list(new)[:20]:
    print(line)
print(f"{len(changed)} files changed, {n_offered} actions offered, {n_skipped} files skipped: {before.total()} errors before, {after.total()} after, {new.total()} new")
sys.exit(1 if new or not changed else 0)
