#!/usr/bin/env python3
"""Compares our *extract* actions with the *Extract to method* of JDT LS, on a tree of Java sources.

    jdtls.py SERVER TREE COPY JDTLS JAVA [MAX]

SERVER is our binary, TREE a folder of sources, COPY a folder to make, JDTLS the folder of JDT LS with `plugins` and a
`configuration`, JAVA a Java that it runs on. For at most MAX (20) actions, JDT LS is asked to extract the same expression. Compared are the
parameters, the result, whether the method is static, and what it throws, without the names of packages. The last line has the counts.
Exit code 1 if a parameter or `static` differs, or if nothing was compared: what a method throws and gives is said more narrowly by JDT.
"""
import json, pathlib, re, shutil, subprocess, sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from client import Server, applied, readable

binary, tree, copy, jdtls, java = sys.argv[1:6]
limit = int(sys.argv[6]) if len(sys.argv) > 6 else 20
copy = pathlib.Path(copy).resolve()
shutil.rmtree(copy, ignore_errors=True)
shutil.copytree(tree, copy / "src")
(copy / ".project").write_text(
    "<projectDescription><name>tree</name><buildSpec><buildCommand><name>org.eclipse.jdt.core.javabuilder</name></buildCommand></buildSpec>"
    "<natures><nature>org.eclipse.jdt.core.javanature</nature></natures></projectDescription>"
)
(copy / ".classpath").write_text(
    '<classpath><classpathentry kind="src" path="src"/><classpathentry kind="con" path="org.eclipse.jdt.launching.JRE_CONTAINER"/>'
    '<classpathentry kind="output" path="bin"/></classpath>'
)


class Jdt(Server):
    """JDT LS as it is started by editors."""

    def __init__(self):
        data, configuration = copy.parent / (copy.name + "-data"), copy.parent / (copy.name + "-configuration")
        for it in (data, configuration):
            shutil.rmtree(it, ignore_errors=True)
        shutil.copytree(pathlib.Path(jdtls) / "configuration", configuration)
        launcher = next(pathlib.Path(jdtls).glob("plugins/org.eclipse.equinox.launcher_*.jar"))
        options = ["-Declipse.application=org.eclipse.jdt.ls.core.id1", "-Dosgi.bundles.defaultStartLevel=4", "-Declipse.product=org.eclipse.jdt.ls.core.product"]
        options += ["-Xmx1G", "--add-modules=ALL-SYSTEM", "--add-opens=java.base/java.util=ALL-UNNAMED", "--add-opens=java.base/java.lang=ALL-UNNAMED"]
        command = [java, *options, "-jar", str(launcher), "-configuration", str(configuration), "-data", str(data)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.n_asked = 0
        literals = {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["refactor.extract.function", "refactor"]}}}
        capabilities = {"textDocument": {"codeAction": literals}, "workspace": {"workspaceEdit": {"documentChanges": True}}}
        settings = {"java": {"autobuild": {"enabled": False}, "import": {"maven": {"enabled": False}, "gradle": {"enabled": False}}}}
        self.request("initialize", {"processId": None, "rootUri": copy.as_uri(), "capabilities": capabilities, "initializationOptions": {"settings": settings}})
        self.notify("initialized", {})
        while True:
            message = self.receive()
            if message.get("method") == "language/status" and message["params"].get("type") == "ServiceReady":
                break
            if "id" in message and "method" in message:
                self.send({"id": message["id"], "result": None})

    def extracted(self, path, at):
        context = {"diagnostics": [], "only": ["refactor.extract.function"]}
        actions = self.request("textDocument/codeAction", {"textDocument": {"uri": path.as_uri()}, "range": at, "context": context}) or []
        for action in actions:
            if action.get("title", "").startswith("Extract to method"):
                edit = action.get("edit") or (action.get("command") or {}).get("arguments", [{}])[0]
                changes = edit.get("changes") or {it["textDocument"]["uri"]: it["edits"] for it in edit.get("documentChanges", [])}
                return next(iter(changes.values()), None)
        return None


def signature(text, name):
    """Whether a method is static, what it gives, takes and throws."""
    found = re.search(rf"\n[ \t]*((?:\w+ )*?)([\w.<>\[\], ?]+?) {re.escape(name)}\(([^)]*)\)\s*(?:throws ([\w., ]+?))?\s*{{", text)
    if not found:
        return None
    bare = lambda it: re.sub(r"\b(?:[a-z]\w*\.)+", "", " ".join((it or "").split()))
    words = found[1].split() + found[2].split()
    # Types with commas in them fall apart in the same way in both texts. The order of parameters is a matter of taste.
    takes = sorted(bare(it).replace("final ", "").replace("...", "[]") for it in found[3].split(",") if it.strip())
    ty = [it for it in words if it not in ("private", "static", "protected", "public", "final")]
    return {"static": "static" in words, "takes": takes, "gives": bare(" ".join(ty)), "throws": sorted(bare(it) for it in (found[4] or "").split(",") if it.strip())}


ours = Server(binary, copy)
places = []
for path in sorted((copy / "src").rglob("*.java")):
    text = readable(path)
    if text is None or len(places) >= limit:
        continue
    ours.open(path, text)
    for action in ours.actions(path, 0, text.count("\n") + 1, ["refactor.extract", "quickfix"]):
        if action["title"].startswith("Extract") and len(places) < limit:
            [change] = ours.resolve(action)["edit"]["documentChanges"]
            name = re.findall(r"`([^`]+)`", action["title"])[1]
            call = next(it for it in change["edits"] if it["range"]["start"] != it["range"]["end"])
            places.append((path, text, name, call["range"], signature(applied(text, change["edits"]), name), action["title"]))
    ours.close(path)
ours.leave()
theirs = Jdt()
counts = {"compared": 0, "the same": 0, "not offered by JDT": 0, "differ": 0, "narrower": 0}
for path, text, name, at, own, title in places:
    theirs.open(path, text)
    edits = theirs.extracted(path, at)
    theirs.close(path)
    if not edits:
        counts["not offered by JDT"] += 1
        print(f"{path.relative_to(copy)}: {title}: not offered")
        continue
    other = signature(applied(text, edits), "extracted")
    counts["compared"] += 1
    if own == other:
        counts["the same"] += 1
        continue
    is_close = other and own and all(own[it] == other[it] for it in ("static", "takes"))
    counts["narrower" if is_close else "differ"] += 1
    print(f"{path.relative_to(copy)}: {title}\n  ours {own}\n  JDT  {other}")
theirs.process.kill()
print(", ".join(f"{n} {what}" for what, n in counts.items()))
sys.exit(1 if counts["differ"] or not counts["compared"] else 0)
