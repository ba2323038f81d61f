#!/usr/bin/env python3
"""Proves a clone of a Sopwright repository. It needs only Python and git.

    python3 verify.py <clone, bare repository or bundle> [--expect <commit>] [--approvals]

Git only unpacks objects. This file computes every hash again and compares what the commits
say with the files that they hold. Format: docs/spec/repository-format.md. It checks:

1. Each object has the SHA-1 of its name.
2. Each branch is one line of commits. Its events follow each other; no date goes back.
3. Each commit changes the files it names and no others. Their SHA-256 is the one it states.
4. One version of one SOP has one text, on every branch. Images have the hash in their name.
5. Each tag marks the publication of its version.
6. The commit given with --expect is part of a branch: nothing before it was rewritten.

Exit code 0: yes. 1: no, and the first difference is named. 2: this can't be checked.
"""
import argparse, hashlib, json, os, re, subprocess, sys, tempfile

COMMITTER = "SOP Server <server@sop.invalid>"
SOP_FILE = re.compile(r"^(?:sops|templates|archive)/[a-z0-9-]+/([a-z0-9.-]+)\.md$")
ASSET = re.compile(r"^assets/([0-9a-f]{2})/([0-9a-f]{64})\.[a-z0-9]+$")
SETTINGS = (".sop/repo.yml", ".sop/categories.yml")


class Difference(Exception):
    pass  # the repository holds something else than it states


class CannotCheck(Exception):
    pass  # not a repository that this program knows


def git(repo, *args):
    return ["git", "-c", "safe.directory=*", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-C", repo, *args]


def run(repo, *args):
    env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return subprocess.run(git(repo, *args), capture_output=True, encoding="utf-8", errors="replace", env={**env, "LC_ALL": "C"})


class Objects:
    """Reads objects. Every one is hashed again."""

    def __init__(self, repo):
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        self.process = subprocess.Popen(git(repo, "cat-file", "--batch"), **pipes)
        self.trees = {}

    def read(self, oid, kind):
        try:
            self.process.stdin.write(oid.encode() + b"\n")
            self.process.stdin.flush()
            header = self.process.stdout.readline().split()
        except OSError:
            header = []
        if len(header) != 3:
            raise Difference(f"object {oid} is missing or damaged")
        content = self.process.stdout.read(int(header[2]))
        self.process.stdout.read(1)
        stated = b"%s %d\0" % (header[1], len(content))
        if header[1].decode() != kind or hashlib.sha1(stated + content).hexdigest() != oid:
            raise Difference(f"object {oid} is missing or damaged")
        return content

    def tree(self, oid):
        """name -> (mode, id)"""
        if oid not in self.trees:
            entries, content, at = {}, self.read(oid, "tree"), 0
            while at < len(content):
                space = content.index(b" ", at)
                end = content.index(b"\0", space)
                entries[content[space + 1 : end].decode()] = (content[at:space].decode(), content[end + 1 : end + 21].hex())
                at = end + 21
            self.trees[oid] = entries
        return self.trees[oid]

    def changes(self, before, after, folder=""):
        """(path, mode, id before, id after) of each file that differs."""
        old = self.tree(before) if before else {}
        new = self.tree(after) if after else {}
        for name in sorted(set(old) | set(new)):
            one, other = old.get(name), new.get(name)
            if one == other:
                continue
            folders = [entry[1] if entry and entry[0] == "40000" else None for entry in (one, other)]
            files = [entry[1] if entry and entry[0] != "40000" else None for entry in (one, other)]
            if any(folders):
                yield from self.changes(*folders, f"{folder}{name}/")
            if any(files):
                yield f"{folder}{name}", (other or one)[0], *files


def parse_commit(content):
    head, _, message = content.decode("utf-8").partition("\n\n")
    fields = [line.split(" ", 1) for line in head.split("\n")]
    commit = {key: value for key, value in fields if key in ("tree", "committer")}
    commit["at"] = int(commit["committer"].rsplit(" ", 2)[1])
    commit.update(items=[], approvals=[], seq=-1, event=None, parents=[value for key, value in fields if key == "parent"])
    for line in message.rstrip("\n").split("\n\n")[-1].split("\n"):
        key, _, value = line.partition(": ")
        if key in ("Event", "Event-Seq"):
            commit["event" if key == "Event" else "seq"] = value if key == "Event" else int(value)
        elif key == "Sop-Id":
            commit["items"].append({"id": value})
        elif key in ("Sop-Version", "Content-SHA256"):
            commit["items"][-1][key] = int(value) if key == "Sop-Version" else value
        elif key in ("Approved-by", "Approved-at"):
            commit["approvals"].append(value)
    return commit


def front_matter(content):
    facts = {}
    for line in content.decode("utf-8").split("\n")[1:]:
        if line == "---":
            return facts
        key, _, value = line.partition(": ")
        if key in ("sop", "id", "version"):
            facts[key] = json.loads(value)
    raise Difference("a file has no front matter")


class Check:
    def __init__(self, repo):
        self.objects, self.commits, self.approvals = Objects(repo), {}, []
        self.files = {}  # blob -> (id, version, number, SHA-256)
        self.texts = {}  # (id, version) -> SHA-256
        self.published = {}  # commit id -> {(number, version)}

    def file(self, oid):
        if oid not in self.files:
            content = self.objects.read(oid, "blob")
            facts = front_matter(content)
            self.files[oid] = (facts["id"], facts["version"], facts["sop"], hashlib.sha256(content).hexdigest())
        return self.files[oid]

    def line(self, head):
        """The commits of a branch, oldest first."""
        line, oid = [], head
        while oid:
            if oid not in self.commits:
                self.commits[oid] = parse_commit(self.objects.read(oid, "commit"))
            line.append(oid)
            if len(self.commits[oid]["parents"]) > 1:
                raise Difference(f"commit {oid} is a merge: the server makes none")
            oid = next(iter(self.commits[oid]["parents"]), None)
        return line[::-1]

    def branch(self, name, head):
        line = self.line(head)
        if self.commits[line[0]]["event"] != "found":
            raise CannotCheck(f"{name} doesn't begin with the first event: a clone for someone who can't read everything")
        seq, at, tree = -1, 0, None
        for oid in line:
            commit = self.commits[oid]
            where = f"{name}, commit {oid[:12]}, event {commit['seq']}"
            try:
                if commit["seq"] <= seq or (name == "history" and commit["seq"] != seq + 1):
                    raise Difference(f"event {commit['seq']} follows event {seq}")
                if not commit["committer"].startswith(f"{COMMITTER} "):
                    raise Difference(f"{commit['committer']} made the commit, not the server")
                if commit["at"] < at:
                    raise Difference("its date is before that of the commit before it")
                self.changes(oid, commit, tree, name)
            except (Difference, ValueError, KeyError, IndexError) as fault:
                about = ", ".join(f"{item['id']} v{item.get('Sop-Version')}" for item in commit["items"][:3])
                raise Difference(f"{where}{about and f' ({about})'}: {fault}") from fault
            seq, at, tree = commit["seq"], commit["at"], commit["tree"]
        return line

    def changes(self, oid, commit, before, name):
        items = {item["id"]: item for item in commit["items"]}
        for path, mode, old, new in self.objects.changes(before, commit["tree"]):
            if new and mode != "100644":
                raise Difference(f"{path} isn't a plain file")
            asset = ASSET.match(path)
            if path in SETTINGS:
                if commit["event"] not in ("found", "category"):
                    raise Difference(f"{path} changes in an event about SOPs")
                self.objects.read(new, "blob")
            elif asset:
                content = self.objects.read(new, "blob") if new and not old else None
                if content is None or hashlib.sha256(content).hexdigest() != asset[2] or asset[1] != asset[2][:2]:
                    raise Difference(f"{path} isn't the image of that hash")
            elif SOP_FILE.match(path):
                self.document(path, old, new, items)
            else:
                raise Difference(f"{path} has no place in the repository")
        if name == "main" and commit["event"] == "publish":
            numbers = [self.file(new)[1:3] for path, _, _, new in self.objects.changes(before, commit["tree"])
                       if new and SOP_FILE.match(path)]
            self.published[oid] = {(number.lower(), version) for version, number in numbers}
            self.approvals += [f"{number} v{version}: {', '.join(commit['approvals'])}" for version, number in numbers]

    def document(self, path, old, new, items):
        sop, version, number, sha256 = self.file(new or old)
        if sop not in items:
            raise Difference(f"{path} changes, but the commit doesn't name it")
        if new is None:
            return
        if not os.path.basename(path).startswith(f"{number.lower()}-"):
            raise Difference(f"{path} holds {number}")
        stated = items[sop].get("Content-SHA256") if items[sop]["Sop-Version"] == version else None
        for known in (stated, self.texts.get((sop, version))):
            if known not in (None, sha256):
                raise Difference(f"{path}: version {version} has SHA-256 {sha256}, stated as {known}")
        self.texts[(sop, version)] = sha256

    def tag(self, name, oid):
        number, _, version = name.partition("/v")
        if (number, int(version)) not in self.published.get(oid, ()):
            raise Difference(f"tag {name} doesn't mark the publication of that version")


def is_true(repo, question):
    return run(repo, "rev-parse", question).stdout.strip() == "true"


def refs_of(repo):
    listed = run(repo, "for-each-ref", "--format=%(objectname) %(refname)")
    if listed.returncode != 0:
        raise CannotCheck(listed.stderr.strip())
    if is_true(repo, "--is-shallow-repository"):
        raise CannotCheck("the clone is shallow: run git fetch --unshallow")
    heads, tags = {"main": [], "history": []}, []
    local = ("notes", "stash") if is_true(repo, "--is-bare-repository") else ("heads", "notes", "stash")
    for oid, name in (line.split(" ", 1) for line in listed.stdout.splitlines()):
        kind, _, rest = name[5:].partition("/")
        branch = rest.removeprefix("origin/") if kind == "remotes" else rest
        if kind == "tags" and re.search(r"/v\d+$", rest):
            tags.append((rest, oid))
        elif kind in ("heads", "remotes") and branch in heads:
            heads[branch].append(oid)
        elif kind not in local and rest != "origin/HEAD" and not (kind == "tags" and rest.startswith("release/")):
            raise Difference(f"{name} is no branch or tag of the server")
    if not any(heads.values()):
        raise CannotCheck("there is no branch main or history")
    return heads, tags


def check(repo, expect):
    heads, tags = refs_of(repo)
    checked, lines = Check(repo), {"main": [], "history": []}
    # history first: it has every version that main publishes
    for branch in ("history", "main"):
        for head in dict.fromkeys(heads[branch]):
            line = checked.branch(branch, head)
            shorter, longer = sorted((line, lines[branch]), key=len)
            if longer[: len(shorter)] != shorter:
                raise Difference(f"the local branch {branch} and that of the server go different ways")
            lines[branch] = longer
    for name, oid in tags:
        checked.tag(name, oid)
    if expect and not any(oid.startswith(expect) for line in lines.values() for oid in line):
        raise Difference(f"{expect} is part of no branch: the history was rewritten, or it is of another company")
    damaged = run(repo, "fsck", "--full", "--strict", "--no-dangling", "--no-progress")
    if damaged.returncode != 0:
        raise Difference((damaged.stderr or damaged.stdout).strip().splitlines()[0])
    if not is_true(repo, "--is-bare-repository"):
        status = run(repo, "status", "--porcelain", "--untracked-files=no")
        if status.returncode != 0 or status.stdout:
            raise Difference(f"files differ from their commit: {(status.stdout or status.stderr).splitlines()[0].strip()}")
    return checked, lines


def main():
    parser = argparse.ArgumentParser(description="Proves a clone of a Sopwright repository.")
    parser.add_argument("repository", help="a clone, a bare repository or a bundle")
    parser.add_argument("--expect", metavar="COMMIT", help="a head noted before: it must be part of a branch")
    parser.add_argument("--approvals", action="store_true", help="list who approved which version")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        try:
            repo = options.repository
            if os.path.isfile(repo):
                repo = os.path.join(folder, "bundle.git")
                cloned = run(folder, "clone", "--quiet", "--mirror", os.path.abspath(options.repository), repo)
                if cloned.returncode != 0:
                    raise Difference(cloned.stderr.strip())
            checked, lines = check(repo, options.expect)
        except CannotCheck as fault:
            print(f"can't be checked: {fault}")
            return 2
        except (Difference, ValueError, KeyError, IndexError) as fault:
            print(f"no: {fault if isinstance(fault, Difference) else f'a commit or file has another format ({fault})'}")
            return 1
    sys.stdout.writelines(f"{line}\n" for line in checked.approvals if options.approvals)
    for branch, line in lines.items():
        print(f"{branch}: {len(line)} commits, head {line[-1] if line else 'none'}")
    print(f"yes: {len(checked.texts)} versions are what their commits state")
    if not options.expect:
        print("Compare a head with one noted elsewhere: --expect <commit>. A repository rewritten as a whole agrees with itself.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
