"""A client of the language server for scripts: opens files, asks for code actions, applies their edits to the disk."""
import json, os, pathlib, subprocess, urllib.parse


class Server:
    """The server for one folder, which has read all of it."""

    def __init__(self, binary, folder):
        self.process = subprocess.Popen([binary, "server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.n_asked, self.asked_to_apply = 0, []
        capabilities = {
            "general": {"positionEncodings": ["utf-32", "utf-16"]},
            "workspace": {"workspaceEdit": {"documentChanges": True, "resourceOperations": ["create"]}, "applyEdit": True},
            "textDocument": {"codeAction": {"dataSupport": True, "resolveSupport": {"properties": ["edit"]}}},
        }
        self.request("initialize", {"processId": None, "rootUri": pathlib.Path(folder).as_uri(), "capabilities": capabilities})
        self.notify("initialized", {})
        self.analyse()

    def analyse(self):
        self.request("workspace/executeCommand", {"command": "mockpoint.analyseWorkspace", "arguments": []})

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def receive(self):
        length = 0
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise SystemExit("the server is gone")
            line = line.strip()
            if not line:
                return json.loads(self.process.stdout.read(length))
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def request(self, method, params):
        self.n_asked += 1
        self.send({"id": self.n_asked, "method": method, "params": params})
        while True:
            message = self.receive()
            if message.get("id") == self.n_asked and "method" not in message:
                if "error" in message:
                    raise SystemExit(f"{method}: {message['error']}")
                return message.get("result")
            self.take(message)

    def take(self, message):
        """Answers a request of the server; edits that it asks for are kept, not applied."""
        if "id" in message and "method" in message:
            is_edit = message["method"] == "workspace/applyEdit"
            if is_edit:
                self.asked_to_apply.append(message["params"]["edit"])
            self.send({"id": message["id"], "result": {"applied": True} if is_edit else None})

    def ordered(self, command):
        """The edit that a command asks for."""
        self.asked_to_apply.clear()
        self.request("workspace/executeCommand", command)
        while not self.asked_to_apply:
            self.take(self.receive())
        return self.asked_to_apply[0]

    def open(self, path, text):
        self.notify("textDocument/didOpen", {"textDocument": {"uri": path.as_uri(), "languageId": "java", "version": 1, "text": text}})

    def close(self, path):
        self.notify("textDocument/didClose", {"textDocument": {"uri": path.as_uri()}})

    def actions(self, path, first, last, only=None):
        """What is offered from a line to before another one."""
        at = {"start": {"line": first, "character": 0}, "end": {"line": last, "character": 0}}
        context = {"diagnostics": [], **({"only": only} if only else {})}
        return self.request("textDocument/codeAction", {"textDocument": {"uri": path.as_uri()}, "range": at, "context": context}) or []

    def resolve(self, action):
        return action if "edit" in action else self.request("codeAction/resolve", action)

    def diagnostics(self, path):
        """The codes of what was found in an open file, each with its message."""
        report = self.request("textDocument/diagnostic", {"textDocument": {"uri": path.as_uri()}}) or {}
        return [(it.get("code"), it["message"]) for it in report.get("items", [])]

    def leave(self):
        self.request("shutdown", None)
        self.notify("exit", None)
        self.process.wait()


def path_of(uri):
    return pathlib.Path(urllib.parse.unquote(urllib.parse.urlparse(uri).path))


def applied(text, edits):
    starts = [0]
    for at, char in enumerate(text):
        if char == "\n":
            starts.append(at + 1)
    offset = lambda it: starts[it["line"]] + it["character"]
    for edit in sorted(edits, key=lambda it: (offset(it["range"]["start"]), offset(it["range"]["end"])), reverse=True):
        text = text[: offset(edit["range"]["start"])] + edit["newText"] + text[offset(edit["range"]["end"]) :]
    return text


def apply(edit):
    """Applies the edit of an action to the disk as editors do. The files that it changed."""
    changed = []
    for change in edit["documentChanges"]:
        if change.get("kind") == "create":
            path = path_of(change["uri"])
            options = change.get("options") or {}
            if path.exists() and not options.get("overwrite") and not options.get("ignoreIfExists"):
                raise SystemExit(f"{path} is there")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("")
            continue
        path = path_of(change["textDocument"]["uri"])
        path.write_bytes(applied(path.read_bytes().decode("utf-8"), change["edits"]).encode())
        changed.append(path)
    return changed


def readable(path):
    """The text of a file, or nothing if places in it are not the same for everybody."""
    try:
        text = path.read_bytes().decode("utf-8")
    except UnicodeDecodeError:
        return None
    return None if "\r" in text.replace("\r\n", "") or "\f" in text or any(ord(it) > 0xFFFF for it in text) else text
