#!/usr/bin/env python3
r"""Proves a clone of a Sopwright repository. It needs only Python and git.

    python3 verify.py <clone, bare repository or bundle> [--expect <commit>] [--approvals]

Git only unpacks objects, from a new repository: settings, hooks and filters of the clone don't count. It checks (format: docs/spec/repository-format.md):
1. Each object has the SHA-1 of its name.
2. Each branch is one line of commits. Its events follow each other; no date goes back.
3. Each commit changes the files it names and no others. Their SHA-256 is the one it states.
4. One version of one SOP has one text, on every branch. Images have the hash in their name.
5. Each tag marks the publication of its version, and none is missing. Each note on approvals repeats its commit.
6. The index and the owners at the head of main are those of its files.
7. The commit given with --expect is part of a branch: nothing before it was rewritten.
Exit code 0: yes. 1: no, and the first difference is named. 2: this can't be checked.
"""
import argparse, hashlib, json, os, re, shutil, stat, subprocess, sys, tempfile, threading
try:
    import resource
except ImportError:  # Windows has none
    resource = None

COMMITTER = "SOP Server <server@sop.invalid> "
SOP_FILE = re.compile(r"^(sops|templates|archive)/([a-z0-9-]+)/[a-z0-9.-]+\.md$")
INDEX = re.compile(r"^(README\.md|CODEOWNERS|index/[a-z0-9-]+\.md)$")
ASSET = re.compile(r"^assets/([0-9a-f]{2})/([0-9a-f]{64})\.[a-z0-9]+$")
SETTINGS = (".sop/repo.yml", ".sop/categories.yml")
NOTED = re.compile(r"^(?:Sop-Id|Sop-Version|Content-SHA256|Approved-by|Approved-at): .*$", re.M)
LARGEST, MOST_REFS = 16 << 20, 200_000
# of this program, and of each git that it starts: bytes that it may write to, seconds of processor time
LIMITS, STARTED = {"RLIMIT_DATA": 2 << 30, "RLIMIT_CPU": 600, "RLIMIT_CORE": 0}, []
SETTINGS_OF_GIT = [word for one in ("core.bigFileThreshold=1m core.commitGraph=false core.deltaBaseCacheLimit=32m core.fsmonitor=false "
    "core.hooksPath=/dev/null core.multiPackIndex=false core.packedGitLimit=256m fetch.unpackLimit=1 gc.auto=0 pack.threads=1").split() for word in ("-c", one)]
ENTRY = re.compile(rb"[0-7]+ [^\0]+\0.{20}", re.S)
TRAILER = re.compile(r"^([A-Za-z0-9-]+): (.*)$", re.M)
CONTROLS = re.compile("[\0- \x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]+")


class Difference(Exception):
    """The repository holds something else than it states."""


def printable(text):
    """Names come from others: a terminal must not take orders from them."""
    return "".join(one if one.isprintable() else "\ufffd" for one in text)


def cannot_check(why):
    print(printable(f"can't be checked: {why}"))
    sys.exit(2)


def closed(repo):
    """What git gets to know: none of the user's settings and variables, no other repository and no protocol."""
    folder = os.path.dirname(repo)
    path = os.pathsep.join(one for one in os.environ.get("PATH", "").split(os.pathsep) if os.path.isabs(one))
    own = {name: os.environ[name] for name in ("SystemRoot",) if name in os.environ}
    return {**own, "PATH": path, "HOME": folder, "XDG_CONFIG_HOME": folder, "TMPDIR": folder, "LC_ALL": "C", "GIT_DIR": repo,
        "GIT_ALLOC_LIMIT": "256m", "GIT_ALLOW_PROTOCOL": "none", "GIT_ATTR_NOSYSTEM": "1", "GIT_CEILING_DIRECTORIES": folder,
        "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1", "GIT_NO_LAZY_FETCH": "1", "GIT_NO_REPLACE_OBJECTS": "1", "GIT_TERMINAL_PROMPT": "0"}


def limit():
    """A limit that is lower already stays. A system that doesn't know one goes on without it."""
    for kind, most in ((getattr(resource, name), most) for name, most in LIMITS.items() if hasattr(resource, name)):
        most = min([most] + [one for one in resource.getrlimit(kind) if one != resource.RLIM_INFINITY])
        resource.setrlimit(kind, (most, most))


def give_up(folder, minutes):
    """Called when the time is over: git may never end."""
    for program in STARTED:
        program.kill()
    shutil.rmtree(folder, ignore_errors=True)
    print(f"can't be checked: it takes more than {minutes:g} minutes: set --minutes", flush=True)
    os._exit(2)


def start(repo, *args, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **more):
    program = shutil.which("git", path=closed(repo)["PATH"]) or cannot_check("git is not installed here")
    options = {"stdin": stdin, "stdout": subprocess.PIPE, "stderr": stderr, "env": {**closed(repo), **more}, "cwd": os.path.dirname(repo)}
    STARTED[:] = [one for one in STARTED if one.poll() is None] + [subprocess.Popen([program, *SETTINGS_OF_GIT, *args], **options)]
    return STARTED[-1]


def run(repo, *args, **more):
    program = start(repo, *args, stderr=subprocess.PIPE, **more)
    stdout, stderr = (text.decode("utf-8", "replace") for text in program.communicate())
    return subprocess.CompletedProcess(args, program.returncode, stdout, stderr)


def copy_plain(source, target, name, most):
    path = os.path.join(source, name)
    if os.path.lexists(path):
        found = os.lstat(path)
        if not stat.S_ISREG(found.st_mode) or found.st_size > most:
            cannot_check(f"{os.path.basename(name)} isn't a plain file of git")
        os.makedirs(os.path.dirname(os.path.join(target, name)), exist_ok=True)
        shutil.copyfile(path, os.path.join(target, name))


def borrow(path, repo):
    """The new repository gets the refs of the clone and borrows its objects. Returns the folder of its files."""
    inside = os.path.join(path, ".git")
    if os.path.isfile(inside):
        cannot_check("it is a linked work tree: name the repository itself")
    lender, count = inside if os.path.isdir(inside) and not os.path.islink(inside) else path, 0
    folders = [os.path.join(lender, name) for name in ("objects", "refs")]
    if any(os.path.islink(folder) or not os.path.isdir(folder) for folder in folders):
        cannot_check("it isn't a git repository")
    if os.path.lexists(os.path.join(lender, "reftable")):
        cannot_check("git keeps its refs in another format")
    if os.path.lexists(os.path.join(lender, "shallow")):
        cannot_check("the clone is shallow: run `git fetch --unshallow`")
    for place, names, files in os.walk(folders[0]):
        for name in names + files:
            mode = os.lstat(os.path.join(place, name)).st_mode
            if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
                cannot_check(f"objects/{name} isn't a plain file")
            if name in ("alternates", "http-alternates"):
                cannot_check("it borrows objects of another repository: clone it again without --shared")
            if name.endswith(".promisor"):
                cannot_check("the clone is partial: clone it again without --filter")
    copy_plain(lender, repo, "HEAD", 4096)
    copy_plain(lender, repo, "packed-refs", 64 << 20)
    for place, names, files in os.walk(folders[1]):
        count += len(names) + len(files)
        if count > MOST_REFS:
            cannot_check("it has too many refs")
        for name in files + [one for one in names if os.path.islink(os.path.join(place, one))]:
            copy_plain(lender, repo, os.path.relpath(os.path.join(place, name), lender), 4096)
    os.makedirs(os.path.join(repo, "objects", "info"), exist_ok=True)
    with open(os.path.join(repo, "objects", "info", "alternates"), "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
        place = os.path.realpath(folders[0]).replace(os.sep, "/")
        file.write('"%s"\n' % re.sub(r'["\\]', r"\\\g<0>", place).replace("\n", "\\n"))
    return path if lender == inside else None


def opened(path, folder):
    """A new repository with what is at the path, and the folder of its files."""
    repo = os.path.join(os.path.realpath(folder), "closed.git")
    if run(repo, "init", "--quiet", "--bare", "--template=", repo).returncode != 0:
        cannot_check("git can't make a repository in the temporary folder")
    if os.path.isdir(path):
        return repo, borrow(path, repo)
    if not os.path.isfile(path):
        cannot_check("no such clone or bundle")
    # a clone would take a repository beside the bundle, of nearly the same name
    fetch = ("fetch", "--quiet", "--no-write-fetch-head", "--no-auto-maintenance", "--no-recurse-submodules", os.path.realpath(path), "+refs/*:refs/*")
    if run(repo, *fetch, GIT_ALLOW_PROTOCOL="file").returncode != 0:
        raise Difference("git can't read the bundle: it is damaged or incomplete")
    return repo, None


def hash_of(kind, content):
    return hashlib.sha1(b"%s %d\0" % (kind.encode(), len(content)) + content).hexdigest()


class Objects:
    """Reads objects. Every one is hashed again. Git sends those of a branch unasked, in the order of the commits."""

    def __init__(self, repo):
        self.repo, self.trees = repo, {}

    def send(self, *listing):
        self.sent = start(self.repo, "cat-file", "--batch", "--buffer", stdin=start(self.repo, "rev-list", *listing).stdout).stdout
        self.commit, self.held = "", {}

    def read(self, oid, kind):
        at = self.commit
        while oid not in self.held and self.commit is not None and (kind == "commit" or self.commit == at):
            sent, its_kind, size = (self.sent.readline().decode().split() + [None] * 3)[:3]
            if its_kind not in ("tree", "blob"):
                self.commit, self.held = sent, {}
            if size and int(size) > LARGEST:
                raise Difference(f"object {sent} is missing, damaged or too large")
            self.held[sent] = self.sent.read(int(size) + 1)[:-1] if size else None
        content = self.held.pop(oid, None) or start(self.repo, "cat-file", kind, oid).stdout.read(LARGEST + 1)
        if hash_of(kind, content) != oid:
            raise Difference(f"object {oid} is missing, damaged or too large")
        return content

    def changes(self, before, after, folder=""):
        """(path, mode, id before, id after) of each file that differs."""
        for oid in {before, after} - {None, *self.trees}:
            self.trees[oid] = set(ENTRY.findall(self.read(oid, "tree")))
        one, other = (self.trees.get(oid, set()) for oid in (before, after))
        self.trees.pop(before if before != after else None, None)
        old, new = ({entry[:-21].split(b" ", 1)[1].decode(): entry for entry in entries} for entries in (one - other, other - one))
        for name in sorted(set(old) | set(new)):
            found = [entry and (entry.split(b" ", 1)[0].decode(), entry[-20:].hex()) for entry in (old.get(name), new.get(name))]
            folders = [entry[1] if entry and entry[0] == "40000" else None for entry in found]
            files = [entry[1] if entry and entry[0] != "40000" else None for entry in found]
            if folders[1] and folder.count("/") >= 2:
                raise Difference(f"{folder}{name} has no place in the repository")
            if any(folders):
                yield from self.changes(*folders, f"{folder}{name}/")
            if any(files):
                yield f"{folder}{name}", (found[1] or found[0])[0], *files


def parse_commit(content):
    head, _, message = content.decode("utf-8").partition("\n\n")
    fields, last = re.findall(r"^([a-z]+) (.*)$", head, re.M), message.rstrip("\n").split("\n\n")[-1]
    commit = {"Event": None, "Event-Seq": -1, **dict(TRAILER.findall(last) + fields)}
    commit["seq"], commit["at"] = int(commit["Event-Seq"]), int(commit["committer"].rsplit(" ", 2)[1])
    commit["parents"] = [value for key, value in fields if key == "parent"]
    commit["items"] = [dict(TRAILER.findall(f"Sop-Id: {item}")) for item in re.split(r"^Sop-Id: ", last, flags=re.M)[1:]]
    commit["approvals"] = re.findall(r"^Approved-(?:by|at): (.*)$", last, re.M)
    commit["note"] = "\n".join([message.split("\n")[0], "", *NOTED.findall(last), ""]) if commit["approvals"] else None
    return commit


class Check:
    def __init__(self, repo):
        self.objects, self.commits, self.approvals = Objects(repo), {}, []
        # blob -> facts of its front matter, with its SHA-256; (id, version) -> SHA-256; commit id -> {(number, version)}
        self.files, self.texts, self.published = {}, {}, {}

    def file(self, oid):
        if oid not in self.files:
            content = self.objects.read(oid, "blob")
            head = content.decode("utf-8").partition("\n---\n")[0]
            facts = {key: json.loads(value) for key, value in re.findall(r"^(sop|id|version|title|owner): (.*)$", head, re.M)}
            if not {"sop", "id", "version"} <= set(facts):
                raise Difference(f"the front matter of {oid} has no id, number or version")
            self.files[oid] = {**facts, "sha256": hashlib.sha256(content).hexdigest()}
        return self.files[oid]

    def line(self, head):
        """The commits of a branch, oldest first."""
        line, oid = [], head
        self.objects.send(head)
        while oid:
            line.append(oid)
            commit = self.commits[oid] = self.commits.get(oid) or parse_commit(self.objects.read(oid, "commit"))
            if len(commit["parents"]) > 1:
                raise Difference(f"commit {oid} is a merge: the server makes none")
            oid = next(iter(commit["parents"]), None)
        return line[::-1]

    def branch(self, name, head, whole):
        line, last = self.line(head), {"seq": -1, "at": 0, "tree": None}
        if name != "notes" and self.commits[line[0]]["Event"] != "found":
            cannot_check(f"{name} doesn't begin with the first event: a clone for a user who can't read everything")
        self.objects.send("--objects", "--no-object-names", "--in-commit-order", "--reverse", head)
        for oid in line:
            commit = self.commits[oid]
            self.objects.read(oid, "commit")
            try:
                if commit["seq"] <= last["seq"] or (name == "history" and commit["seq"] != last["seq"] + 1):
                    raise Difference(f"event {commit['seq']} follows event {last['seq']}")
                if not commit["committer"].startswith(COMMITTER):
                    raise Difference(f"{commit['committer'].rsplit(' ', 2)[0]} made the commit, not the server")
                if commit["at"] < last["at"]:
                    raise Difference("its date is before that of the commit before it")
                self.changes(oid, commit, last["tree"], name, whole)
            except (Difference, ValueError, KeyError, IndexError) as fault:
                about = ", ".join(f"{item['Sop-Id']} v{item.get('Sop-Version')}" for item in commit["items"][:3])
                where = f"{name}, commit {oid[:12]}, event {commit['seq']}{about and f' ({about})'}"
                raise Difference(f"{where}: {fault}") from fault
            last = commit
        return line

    def changes(self, oid, commit, before, name, whole):
        items, documents = {item["Sop-Id"]: item for item in commit["items"]}, []
        for path, mode, old, new in self.objects.changes(before, commit["tree"]):
            asset, noted = ASSET.match(path), path.replace("/", "")
            if new and mode != "100644":
                raise Difference(f"{path} isn't a plain file")
            if name == "notes":
                text = self.objects.read(new, "blob").decode() if new else None
                note = self.commits.get(noted, {"note": None if whole else text})["note"] if path[2] == "/" else None
                if text is None or text != note:
                    raise Difference(f"the note on {noted} isn't what that commit says")
            elif asset:
                content = self.objects.read(new, "blob") if new and not old else None
                if content is None or hashlib.sha256(content).hexdigest() != asset[2] or asset[1] != asset[2][:2]:
                    raise Difference(f"{path} isn't the image of that hash")
            elif SOP_FILE.match(path):
                documents += self.document(path, old, new, items)
            elif path in SETTINGS and commit["Event"] not in ("found", "category"):
                raise Difference(f"{path} changes in an event about SOPs")
            elif path not in SETTINGS and not (name == "main" and INDEX.match(path)):
                raise Difference(f"{path} has no place in the repository")
            elif new:
                self.objects.read(new, "blob")
        if name == "main" and commit["Event"] == "publish":
            self.published[oid] = {(facts["sop"].lower(), facts["version"]) for facts in documents}
            self.approvals += [f"{facts['sop']} v{facts['version']}: {', '.join(commit['approvals'])}" for facts in documents]

    def document(self, path, old, new, items):
        facts = self.file(new or old)
        sop, version, sha256 = facts["id"], facts["version"], facts["sha256"]
        if sop not in items:
            raise Difference(f"{path} changes, but the commit doesn't name it")
        if new is None:
            return []
        if not os.path.basename(path).startswith(f"{facts['sop'].lower()}-"):
            raise Difference(f"{path} holds {facts['sop']}")
        stated = items[sop].get("Content-SHA256") if int(items[sop]["Sop-Version"]) == version else None
        for known in (stated, self.texts.get((sop, version))):
            if known not in (None, sha256):
                raise Difference(f"{path}: version {version} has SHA-256 {sha256}, stated as {known}")
        self.texts[(sop, version)] = sha256
        return [facts]

    def index(self, head):
        """The entries of README.md, CODEOWNERS and index/ are those that the files of main make."""
        files = {path: new for path, _, _, new in self.objects.changes(None, self.commits[head]["tree"])}
        stated, made = {"README.md": set(), "CODEOWNERS": set()}, {}
        for path, oid in files.items():
            found = SOP_FILE.match(path)
            if INDEX.match(path):
                entry = {"README.md": r"^- .*\((index/.*)\)$", "CODEOWNERS": r"^[^#\n].*$"}.get(path, "^- .*$")
                made[path] = set(re.findall(entry, self.objects.read(oid, "blob").decode(), re.M))
            elif found and found[1] != "archive":
                page, facts = f"index/{found[2]}.md", self.file(oid)
                stated["README.md"].add(page)
                title = CONTROLS.sub(" ", f"{facts['sop']} {facts.get('title', '')}").strip()
                stated.setdefault(page, set()).add("- [%s](../%s)" % (re.sub(r"([\\`*_\[\]<>&|~])", r"\\\1", title), path))
                if "owner" in facts:
                    stated["CODEOWNERS"].add(f"{facts['sop'].lower()}-*.md @{facts['owner']}")
        for path in sorted({*stated, *made} if "README.md" in files else ()):
            if stated.get(path) != made.get(path):
                raise Difference(f"main, commit {head[:12]}: {path} isn't what the files of main say")


def refs_of(repo, is_bare):
    listed = run(repo, "for-each-ref", "--format=%(objectname) %(refname)")
    if listed.returncode != 0:
        cannot_check("git can't read its refs")
    refs = {"main": [], "history": [], "notes": [], "tags": []}
    local = ("notes", "stash") if is_bare else ("heads", "notes", "stash")
    for oid, name in (line.split(" ", 1) for line in listed.stdout.splitlines()):
        kind, _, rest = name[5:].partition("/")
        branch = rest.removeprefix("origin/") if kind == "remotes" else rest
        if kind == "tags" and re.search(r"/v\d+$", rest):
            refs["tags"].append((rest, oid))
        elif name == "refs/notes/approvals":
            refs["notes"].append(oid)
        elif kind in ("heads", "remotes") and branch in ("main", "history"):
            refs[branch].append(oid)
        elif kind not in local and not re.match(r"refs/(tags/(?:release|witness)/|proposals/|remotes/origin/(HEAD$|drafts/|proposals/))", name):
            raise Difference(f"{name} is no branch or tag of the server")
    if not refs["main"] and not refs["history"]:
        cannot_check("there is no branch main or history")
    return refs


def holds(path, oid):
    """Is it a plain file with these bytes? Its lines can end as on Windows. A link could lead out, and a pipe never ends."""
    try:
        file = os.fdopen(os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)), "rb")
    except OSError:
        return False
    with file:
        found = os.fstat(file.fileno())
        content = file.read(LARGEST) if stat.S_ISREG(found.st_mode) and found.st_size <= LARGEST else None
    return content is not None and oid in (hash_of("blob", content), hash_of("blob", content.replace(b"\r\n", b"\n")))


def check_files(objects, worktree, tree, folder=""):
    """The files beside the commit that is checked out. git status would run the filters that a clone names."""
    for entry in ENTRY.findall(objects.read(tree, "tree")):
        mode, name = entry[:-21].decode().split(" ", 1)
        path, is_plain = os.path.join(worktree, folder, name), not re.search(r"^(?:\.{0,2}|\.git)$|[/\\]", name, re.I)
        if is_plain and mode == "40000" and os.path.isdir(path) and not os.path.islink(path):
            check_files(objects, worktree, entry[-20:].hex(), f"{folder}{name}/")
        elif not is_plain or not mode.startswith("100") or not holds(path, entry[-20:].hex()):
            raise Difference(f"files differ from their commit: {folder}{name}")


def check(repo, worktree, expect):
    # history first: it has every version that main publishes
    refs, checked, lines = refs_of(repo, worktree is None), Check(repo), {"history": [], "main": [], "notes": []}
    for branch in lines:
        for head in dict.fromkeys(refs[branch]):
            shorter, longer = sorted((checked.branch(branch, head, bool(refs["history"])), lines[branch]), key=len)
            if longer[: len(shorter)] != shorter:
                raise Difference(f"the local branch {branch} and that of the server go different ways")
            lines[branch] = longer
    if lines["main"]:
        checked.index(lines["main"][-1])
    made = {(f"{number}/v{version}", oid) for oid, those in checked.published.items() for number, version in those}
    tags = dict(refs["tags"])
    wrong = [f"tag {name} doesn't mark the publication of that version" for name in tags if (name, tags[name]) not in made]
    wrong += sorted(f"tag {name} is missing: git fetch --tags" for name, _ in made if tags and name not in tags)
    if wrong:
        raise Difference(wrong[0])
    if expect and not any(oid.startswith(expect) for line in lines.values() for oid in line):
        raise Difference(f"{expect} is part of no branch: the history was rewritten, or it is of another company")
    damaged = run(repo, "fsck", "--full", "--strict", "--no-dangling", "--no-progress")
    if damaged.returncode != 0:
        raise Difference((damaged.stderr or damaged.stdout).strip().splitlines()[0])
    head = run(repo, "rev-parse", "--verify", "--quiet", "HEAD^{tree}")
    if worktree and head.returncode == 0:
        check_files(checked.objects, worktree, head.stdout.strip())
    return checked, lines


def main():
    parser = argparse.ArgumentParser(description="Proves a clone of a Sopwright repository.")
    parser.add_argument("repository", help="a clone, a bare repository or a bundle")
    parser.add_argument("--expect", metavar="COMMIT", help="a head noted before: it must be part of a branch")
    parser.add_argument("--approvals", action="store_true", help="list who approved which version")
    parser.add_argument("--minutes", type=float, default=60, help="give up after this time (60)")
    options = parser.parse_args()
    limit()
    with tempfile.TemporaryDirectory() as folder:
        clock = threading.Timer(options.minutes * 60, give_up, (folder, options.minutes))
        clock.daemon = True
        clock.start()
        try:
            repo, worktree = opened(options.repository, folder)
            checked, lines = check(repo, worktree, options.expect)
        except (Difference, ValueError, KeyError, IndexError) as fault:
            print(printable(f"no: {fault if isinstance(fault, Difference) else f'a commit or file has another format ({fault})'}"))
            return 1
        except (MemoryError, RecursionError):
            cannot_check("it needs too much memory")
        finally:
            clock.cancel()
    sys.stdout.writelines(f"{printable(line)}\n" for line in checked.approvals if options.approvals)
    for branch, line in lines.items():
        print(f"{branch}: {len(line)} commits, head {line[-1] if line else 'none'}")
    unread = [oid for branch in ("history", "main") for oid in lines[branch] if checked.commits[oid]["Event"] == "unreadable"]
    for oid in unread:
        print(f"event {checked.commits[oid]['seq']}, commit {oid}: the server can't read what changed, so it isn't proven")
    print(f"{'incomplete' if unread else 'yes'}: {len(checked.texts)} versions are what their commits state")
    if not options.expect:
        print("Compare a head with one noted elsewhere: --expect <commit>. A repository rewritten as a whole agrees with itself.")
    return 1 if unread else 0


if __name__ == "__main__":
    sys.exit(main())
