/** `verify.py` and `sop verify` say whether a clone is what the server committed. */
import { execFile } from "node:child_process";
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { seeded } from "../../test/audit-tamper.ts";
import { count, recordFigure } from "../../test/proof.ts";
import { createRepositories } from "./repositories.ts";
import { createCompanyStory, type CompanyStory } from "./testing/company-story.ts";
import { goldenStory } from "./testing/golden-story.ts";
import { createMemoryLedger, silentLog, withoutEvent } from "./testing/memory-ledger.ts";
import { nativeGit, scratchFolder } from "./testing/scratch.ts";

const root = path.resolve(import.meta.dirname, "../..");
const python = ["python3", path.join(root, "verify.py")];
const sop = [process.execPath, path.join(root, "cli/main.ts"), "verify"];

/** Of each kind: 1,000 in all. */
const alterations = { usual: 12, nightly: 250, proof: 250 };

interface Answer {
  code: number;
  told: string;
}

function answerOf([program = "", ...before]: string[], ...args: string[]): Promise<Answer> {
  return new Promise((resolve) => {
    execFile(program, [...before, ...args], (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, told: stdout + stderr });
    });
  });
}

/** What `verify.py` says. `sop verify` must say the same, each in its own words. */
async function verify(...args: string[]): Promise<Answer> {
  const [answer, peer] = await Promise.all([answerOf(python, ...args), answerOf(sop, ...args)]);
  expect(`sop verify: ${peer.code} ${differenceIn(peer.told)}`).toBe(
    `sop verify: ${answer.code} ${differenceIn(answer.told)}`,
  );
  return answer;
}

function differenceIn(told: string): string {
  return /^(?:no: |ALTERED {2}|(?: {4})?(?=event ))(.*)/m.exec(told)?.[1] ?? "";
}

async function repositoryOf(story: CompanyStory): Promise<string> {
  const repositories = createRepositories({ dir: scratchFolder(), ledger: story.ledger, log: silentLog, git: null });
  await repositories.drain(story.companyId);
  await repositories.close();
  return repositories.path(story.companyId);
}

async function cloneOf(story: CompanyStory): Promise<string> {
  const dir = scratchFolder();
  nativeGit(dir, "clone", "-q", await repositoryOf(story), "clone");
  return path.join(dir, "clone");
}

describe("verify.py and sop verify", () => {
  it("says yes to a repository, a clone and a bundle of every kind of event", async () => {
    const bare = await repositoryOf(goldenStory());
    const clone = await cloneOf(goldenStory());
    const bundle = path.join(scratchFolder(), "all.bundle");
    nativeGit(bare, "bundle", "create", "-q", bundle, "--all");
    for (const place of [bare, clone, bundle]) {
      const answer = await verify(place);
      expect([answer.code, answer.told]).toEqual([0, expect.stringContaining("yes: ")]);
    }
  });

  it("names a commit in place of an event that the server couldn't read, and doesn't say yes", async () => {
    const story = createCompanyStory();
    const { ledger } = story;
    const id = story.create("Kept", "a\n");
    story.create("Lost", "b\n");
    story.save(id, "Kept", "c\n");
    story.publish(id);
    ledger.events = withoutEvent(ledger, 2);
    const clone = await cloneOf(story);
    const [commit = ""] = nativeGit(clone, "rev-list", "--grep", "unreadable: event 2", "--all").trim().split("\n");
    const answer = await verify(clone);
    expect([answer.code, answer.told]).toEqual([1, expect.stringContaining(`event 2, commit ${commit}: `)]);
    expect(answer.told).toContain("incomplete: ");
    expect(answer.told).not.toContain("yes: ");
  });

  /** Bytes of objects, of branches and tags, and of the files that a clone checked out. */
  const bytesOf = (place: string) =>
    readdirSync(place, { recursive: true, encoding: "utf8" })
      .filter(
        (name) =>
          // the log of what the clone did itself
          !/(^|\/)logs\//.test(name) &&
          (/(^|\/)(objects\/.+|refs\/.+|packed-refs)$/.test(name) ||
            !/(^|\/)(\.git|HEAD|config|description|hooks|info|logs|index)(\/|$)/.test(name)),
      )
      .map((name) => path.join(place, name))
      .filter((name) => statSync(name).isFile());

  const contentOf = (place: string): string => {
    if (!statSync(place).isDirectory()) {
      const dir = scratchFolder();
      nativeGit(dir, "clone", "-q", "--mirror", place, "bundle.git");
      return contentOf(path.join(dir, "bundle.git"));
    }
    return nativeGit(place, "for-each-ref") + nativeGit(place, "cat-file", "--batch-all-objects", "--batch");
  };

  it.each(["repository", "clone", "bundle"])(
    "finds any byte that changed in a %s",
    { timeout: 3 * 3_600_000 },
    async (kind) => {
      const bare = await repositoryOf(goldenStory());
      const place =
        kind === "repository"
          ? bare
          : kind === "clone"
            ? await cloneOf(goldenStory())
            : path.join(bare, "../all.bundle");
      if (kind === "bundle") nativeGit(bare, "bundle", "create", "-q", place, "--all");
      const files = kind === "bundle" ? [place] : bytesOf(place);
      const content = contentOf(place);
      const missed: string[] = [];
      const below = seeded(kind.length);
      const times = count(alterations);
      for (let turn = 0; turn < times; turn += 1) {
        const file = files[below(files.length)] ?? "";
        const before = readFileSync(file);
        // the first line of packed-refs is a comment
        const from = file.endsWith("packed-refs") ? before.indexOf("\n") + 1 : 0;
        const at = from + below(before.length - from);
        const after = Buffer.from(before);
        after[at] = (after[at] ?? 0) ^ (1 << below(8));
        chmodSync(file, 0o600);
        writeFileSync(file, after);
        const { code, told } = await verify(place);
        const isFound = code === 1 && told.includes("no: ");
        // git reads some bits in two ways or not at all: upper case in an id, the end of a compressed stream
        if (!isFound && contentOf(place) !== content)
          missed.push(`${path.relative(place, file)} byte ${at}: ${code} ${told}`);
        writeFileSync(file, before);
      }
      expect(missed).toEqual([]);
      expect((await verify(place)).told).toContain("yes: ");
      recordFigure({ name: `bytes changed in a ${kind}, all named`, value: times, unit: "bytes", goal: "= 250" });
    },
  );

  /** The repository of the altered ledger, as someone makes it who rewrites the stored commits too. */
  const rewrittenFrom = async ({ ledger, companyId }: CompanyStory) => {
    const story = createMemoryLedger();
    for (const event of structuredClone(ledger.stored))
      story.append({ ...event, state: "pending", oids: { main: null, history: null } });
    for (const [key, bytes] of ledger.fileBytes) story.fileBytes.set(key, bytes);
    for (const [key, bytes] of ledger.assetBytes) story.assetBytes.set(key, bytes);
    const repositories = createRepositories({ dir: scratchFolder(), ledger: story, log: silentLog, git: null });
    const isWhole = await repositories.drain(companyId).then(
      () => true,
      () => false,
    );
    const { main, history } = await repositories.head(companyId);
    await repositories.close();
    return { isWhole, head: { main, history }, place: repositories.path(companyId) };
  };

  it("finds any byte that changed in the ledger", { timeout: 3 * 3_600_000 }, async () => {
    const story = goldenStory();
    const { ledger, companyId } = story;
    const here = createRepositories({ dir: scratchFolder(), ledger, log: silentLog, git: null });
    await here.drain(companyId);
    const noted = (await here.verify(companyId)).head;
    const below = seeded(5);
    const flipped = (before: Uint8Array): Buffer => {
      const after = Buffer.from(before);
      const at = below(after.length);
      after[at] = (after[at] ?? 0) ^ (1 << below(8));
      return after;
    };
    const flipIn = (held: Map<string, Uint8Array>) => {
      const [key = "", before = new Uint8Array()] = [...held][below(held.size)] ?? [];
      held.set(key, flipped(before));
      return { what: key, restore: () => void held.set(key, before) };
    };
    /** Changes a byte of an event, a version or an image; null where the database couldn't read it anymore. */
    const alter = () => {
      const kind = below(3);
      if (kind > 0) return flipIn(kind === 1 ? ledger.fileBytes : ledger.assetBytes);
      const at = below(ledger.stored.length);
      const before = ledger.stored[at]!;
      const what = flipped(Buffer.from(JSON.stringify(before))).toString("utf8");
      try {
        ledger.stored[at] = JSON.parse(what) as typeof before;
      } catch {
        return null;
      }
      return { what, restore: () => void (ledger.stored[at] = before) };
    };
    const missed: string[] = [];
    const times = count(alterations);
    for (let found = 0; found < times;) {
      const altered = alter();
      if (altered === null) continue;
      const { ok } = await here.verify(companyId);
      const rewritten = await rewrittenFrom(story);
      altered.restore();
      // nothing in the repository comes from some bytes, such as the end of a title that is too long for a subject
      const branch = (["main", "history"] as const).find((name) => rewritten.head[name] !== noted[name]);
      const isNothing = rewritten.isWhole && branch === undefined;
      if (ok && isNothing) continue;
      found += 1;
      if (ok) missed.push(`the server: ${altered.what}`);
      if (branch === undefined || !rewritten.isWhole) continue;
      const { code, told } = await verify(rewritten.place, "--expect", noted[branch] ?? "");
      if (code !== 1 || !told.includes("no: ")) missed.push(`a clone: ${altered.what}`);
    }
    await here.close();
    expect(missed).toEqual([]);
    recordFigure({ name: "bytes changed in a ledger, all named", value: times, unit: "bytes", goal: "= 250" });
  });

  /** Makes a commit like the one at the head of a branch, with other content, as someone with the keys to the disk could. */
  function rewrite(clone: string, branch: string, change: (file: string) => string, of = /^sops\/.*\.md$/): void {
    const ref = `refs/remotes/origin/${branch}`;
    const message = nativeGit(clone, "log", "-1", "--format=%B", ref).trimEnd();
    const [name = ""] = nativeGit(clone, "ls-tree", "-r", "--name-only", ref)
      .split("\n")
      .filter((file) => of.test(file));
    nativeGit(clone, "checkout", "-q", "--detach", ref);
    writeFileSync(path.join(clone, name), change(readFileSync(path.join(clone, name), "utf8")));
    const at = nativeGit(clone, "log", "-1", "--format=%ct", ref).trim();
    const server = ["-c", "user.name=SOP Server", "-c", "user.email=server@sop.invalid"];
    nativeGit(
      clone,
      ...server,
      "commit",
      "-q",
      "--amend",
      "-a",
      "--cleanup=verbatim",
      "-m",
      message,
      `--date=${at} +0000`,
    );
    nativeGit(clone, "update-ref", ref, "HEAD");
  }

  it("finds a text that isn't the one that its commit states", async () => {
    const clone = await cloneOf(goldenStory());
    rewrite(clone, "history", (file) => `${file}Skip the call-back.\n`);
    const { code, told } = await verify(clone);
    expect([code, told]).toEqual([1, expect.stringMatching(/^no: history, commit [0-9a-f]{12}, event 41 /)]);
  });

  it.each([
    ["CODEOWNERS", (file: string) => file.replace("@grace.hopper", "@mallory")],
    ["README.md", (file: string) => file.replace("index/uncategorized.md", "index/other.md")],
    ["index/uncategorized.md", (file: string) => file.replace("SOP-0003", "SOP-0013")],
  ])("finds a %s that isn't what the files say", async (name, change) => {
    const clone = await cloneOf(goldenStory());
    nativeGit(clone, "tag", "-d", ...nativeGit(clone, "tag").trim().split("\n"));
    rewrite(clone, "main", change, new RegExp(`^${name}$`));
    nativeGit(clone, "update-ref", "refs/heads/main", "HEAD");
    nativeGit(clone, "checkout", "-q", "main");
    const { code, told } = await verify(clone);
    expect([code, told]).toEqual([1, expect.stringMatching(`^no: main, commit [0-9a-f]{12}: ${name} isn't what`)]);
  });

  it("compares notes with their commits, where they were fetched", async () => {
    const clone = await cloneOf(goldenStory());
    const ref = "refs/notes/approvals";
    nativeGit(clone, "fetch", "-q", "origin", `${ref}:${ref}`);
    expect((await verify(clone)).told).toContain("notes: 1 commits");
    // the same commit with another note, in the name of the server
    const [, oid = ""] = nativeGit(clone, "notes", "--ref=approvals", "list").trim().split("\n")[0]?.split(" ") ?? [];
    const file = path.join(scratchFolder(), "note");
    writeFileSync(file, nativeGit(clone, "notes", "--ref=approvals", "show", oid).replace("u-91bd@", "u-mallory@"));
    const blob = nativeGit(clone, "hash-object", "-w", file).trim();
    const index = nativeGit(clone, "write-tree").trim();
    nativeGit(clone, "read-tree", ref);
    nativeGit(clone, "update-index", "--cacheinfo", `100644,${blob},${oid.slice(0, 2)}/${oid.slice(2)}`);
    const tree = nativeGit(clone, "write-tree").trim();
    nativeGit(clone, "read-tree", index);
    const message = nativeGit(clone, "log", "-1", "--format=%B", ref).trimEnd();
    const server = ["-c", "user.name=SOP Server", "-c", "user.email=server@sop.invalid"];
    nativeGit(clone, "update-ref", ref, nativeGit(clone, ...server, "commit-tree", tree, "-m", message).trim());
    const { code, told } = await verify(clone);
    expect([code, told]).toEqual([1, expect.stringMatching(`event 3: the note on ${oid} isn't what that commit says`)]);
  });

  it("compares the notes of main alone, where history wasn't cloned", async () => {
    const dir = scratchFolder();
    const bare = await repositoryOf(goldenStory());
    nativeGit(dir, "clone", "-q", "--single-branch", `file://${bare}`, "main");
    const clone = path.join(dir, "main");
    nativeGit(clone, "fetch", "-q", "origin", "refs/notes/approvals:refs/notes/approvals");
    const { code, told } = await verify(clone);
    expect([code, told]).toEqual([0, expect.stringContaining("notes: 1 commits")]);
  });

  it("finds a tag that was moved or is missing, and a branch that the server doesn't have", async () => {
    const moved = await cloneOf(goldenStory());
    const [tag = ""] = nativeGit(moved, "tag").split("\n");
    nativeGit(moved, "tag", "-f", tag, "origin/main");
    expect((await verify(moved)).told).toContain(`no: tag ${tag} doesn't mark the publication`);
    nativeGit(moved, "tag", "-d", tag);
    expect((await verify(moved)).told).toContain(`no: tag ${tag} is missing: git fetch --tags`);
    const renamed = await repositoryOf(goldenStory());
    nativeGit(renamed, "update-ref", "refs/heads/maim", "main");
    expect((await verify(renamed)).told).toContain("no: refs/heads/maim is no branch or tag of the server");
    const strange = await cloneOf(goldenStory());
    nativeGit(strange, "branch", "-q", "mine", "origin/main");
    // git's note of a push to refs/heads/drafts/rinse
    nativeGit(strange, "update-ref", "refs/remotes/origin/drafts/rinse", "origin/main");
    // the heads of a day at a mirror
    nativeGit(strange, "tag", "witness/2026-11-20", "origin/main");
    expect((await verify(strange)).told).toContain("yes: ");
    nativeGit(strange, "update-ref", "refs/remotes/origin/approved", "origin/main");
    expect((await verify(strange)).told).toContain(
      "no: refs/remotes/origin/approved is no branch or tag of the server",
    );
  });

  it("finds a history that was rewritten as a whole, by a head that was noted before", async () => {
    const noted = goldenStory();
    const other = goldenStory();
    for (const event of other.ledger.stored) event.authorName = "Another Author";
    const head = nativeGit(await repositoryOf(noted), "rev-parse", "history").trim();
    const clone = await cloneOf(other);
    expect((await verify(clone)).code).toBe(0);
    expect(await verify(clone, "--expect", head)).toEqual({
      code: 1,
      told: expect.stringContaining(`no: ${head} is part of no branch`),
    });
    noted.create("Later", "x\n");
    expect((await verify(await cloneOf(noted), "--expect", head)).told).toContain("yes: ");
  });

  it("names who approved which version", async () => {
    const { told } = await verify(await cloneOf(goldenStory()), "--approvals");
    expect(told).toContain(
      "SOP-0001 v2: Grace root@example.com Hopper Approved-by: Mallory <u-91bc@users.invalid>, 2026-11-20T16:02:11Z",
    );
  });

  it("can't check a shallow clone, or what is no repository", async () => {
    const dir = scratchFolder();
    nativeGit(dir, "clone", "-q", "--depth=1", `file://${await repositoryOf(goldenStory())}`, "shallow");
    expect((await verify(path.join(dir, "shallow"))).code).toBe(2);
    expect((await verify(dir)).code).toBe(2);
  });

  it("is one file of less than 450 lines and uses only Python's standard library", () => {
    const source = readFileSync(python[1] ?? "", "utf8");
    expect(source.trimEnd().split("\n").length).toBeLessThan(450);
    const imported = [...source.matchAll(/^ *import (.*)$/gm)].map(([, names]) => names);
    expect(imported).toEqual([
      "argparse, hashlib, json, os, re, shutil, stat, subprocess, sys, tempfile, threading",
      "resource",
    ]);
  });
});
