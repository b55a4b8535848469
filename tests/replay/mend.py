#!/usr/bin/env python3
"""Mends the lost side effects of one Java file, as a person in an editor would: by the code action of the language server.

    mend.py SERVER TREE FILE

SERVER is the binary, TREE a folder of sources, FILE a Java file in it, which is changed. Prints what is warned of and what is done. Exit
code 1 if no side effect is warned of, if there is no action for one, or if the warning is still there afterwards.
"""
import json, pathlib, subprocess, sys

CODE = "lost-side-effect"
server, tree, file = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3]).resolve()
process = subprocess.Popen([server, "server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
n_asked = 0


def send(message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    process.stdin.flush()


def receive():
    length = 0
    while True:
        line = process.stdout.readline()
        if not line:
            sys.exit("the server is gone")
        if not line.strip():
            return json.loads(process.stdout.read(length))
        if line.lower().startswith(b"content-length:"):
            length = int(line.split(b":")[1])


def request(method, params):
    global n_asked
    n_asked += 1
    mine = n_asked
    send({"id": mine, "method": method, "params": params})
    while True:
        message = receive()
        if message.get("id") == mine and "method" not in message:
            if "error" in message:
                sys.exit(f"{method}: {message['error']}")
            return message["result"]
        if "id" in message and "method" in message:
            send({"id": message["id"], "result": None})


def warnings(document):
    """What is warned of in the file, by a pull."""
    items = request("textDocument/diagnostic", {"textDocument": document})["items"]
    return [it for it in items if it.get("code") == CODE]


def applied(text, edits):
    lines = text.splitlines(keepends=True) + [""]
    offset = lambda it: sum(map(len, lines[: it["line"]])) + it["character"]
    for edit in sorted(edits, key=lambda it: (offset(it["range"]["start"]), offset(it["range"]["end"])), reverse=True):
        text = text[: offset(edit["range"]["start"])] + edit["newText"] + text[offset(edit["range"]["end"]) :]
    return text


request(
    "initialize",
    {
        "processId": None,
        "rootUri": tree.as_uri(),
        "capabilities": {
            "general": {"positionEncodings": ["utf-32"]},
            "workspace": {"workspaceEdit": {"documentChanges": True}, "diagnostics": {"refreshSupport": True}},
            "textDocument": {"diagnostic": {}, "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix", "refactor.extract"]}}}},
        },
    },
)
send({"method": "initialized", "params": {}})
request("workspace/executeCommand", {"command": "mockpoint.analyseWorkspace", "arguments": []})
text = file.read_text()
document = {"uri": file.as_uri()}
send({"method": "textDocument/didOpen", "params": {"textDocument": {**document, "languageId": "java", "version": 1, "text": text}}})
found = warnings(document)
if not found:
    sys.exit(f"no {CODE} in {file.name}")
for it in found:
    print(f"{file.name}:{it['range']['start']['line'] + 1}: {it['message']}")
actions = request("textDocument/codeAction", {"textDocument": document, "range": found[0]["range"], "context": {"diagnostics": [found[0]], "only": ["quickfix", "refactor.extract"]}}) or []
# What is drawn is to be recorded, not the generator.
wanted = [it for it in actions if it["title"].startswith("Extract") and "<init>" not in it["title"]]
if not wanted:
    sys.exit(f"no action for it among {[it['title'] for it in actions]}")
action = wanted[0] if "edit" in wanted[0] else request("codeAction/resolve", wanted[0])
print(action["title"])
[only] = action["edit"]["documentChanges"]
text = applied(text, only["edits"])
file.write_text(text)
send({"method": "textDocument/didChange", "params": {"textDocument": {**document, "version": 2}, "contentChanges": [{"text": text}]}})
left = warnings(document)
for it in left:
    print(f"still: {it['message']}")
request("shutdown", None)
send({"method": "exit"})
process.wait(timeout=10)
sys.exit(1 if left else 0)
