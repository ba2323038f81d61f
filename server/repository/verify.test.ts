import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { RepoEvent } from "#core/repository/event.ts";
import { createRepositories, type Repositories } from "./repositories.ts";
import type { CompanyStory } from "./testing/company-story.ts";
import { goldenStory } from "./testing/golden-story.ts";
import { silentLog } from "./testing/memory-ledger.ts";
import { binary, nativeGit, scratchFolder } from "./testing/scratch.ts";

interface Standing {
  story: CompanyStory;
  repositories: Repositories;
  path: string;
}

async function committed(git: string | null): Promise<Standing> {
  const story = goldenStory();
  const repositories = createRepositories({
    dir: scratchFolder(),
    ledger: story.ledger,
    log: silentLog,
    git,
  });
  await repositories.drain(story.companyId);
  return { story, repositories, path: repositories.path(story.companyId) };
}

const gits = binary === null ? [null] : [binary, null];

/** Flips one bit in the middle of a file. */
function damage(file: string): void {
  const bytes = readFileSync(file);
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
  chmodSync(file, 0o644);
  writeFileSync(file, bytes);
}

function eventOf(story: CompanyStory, seq: number): RepoEvent {
  const event = story.ledger.stored[seq];
  if (event === undefined) throw new Error(`no event ${seq}`);
  return event;
}

describe("verify finds a change of the database", () => {
  it.each<[string, number, (story: CompanyStory) => void]>([
    [
      "one byte of a version's text",
      2,
      (story) => {
        const bytes = story.ledger.fileBytes.get(`${story.sops[0]?.id} 2`);
        if (bytes !== undefined) bytes[bytes.length - 2] = 0x58;
      },
    ],
    [
      "text and hash alike",
      5,
      (story) => {
        const sop = story.sops[2];
        const item = eventOf(story, 5).items[0];
        if (sop && item) item.contentHash = story.ledger.putFile(sop.id, 1, Buffer.from("other\n"));
      },
    ],
    ["a missing version", 6, (story) => void story.ledger.fileBytes.delete(`${story.sops[3]?.id} 1`)],
    ["who approved", 3, (story) => void eventOf(story, 3).approvals?.pop()],
    ["when", 9, (story) => void (eventOf(story, 9).at = "2026-11-20T16:12:21.412Z")],
    ["a title", 12, (story) => void Object.assign(eventOf(story, 12).items[0] ?? {}, { title: "Other" })],
    ["a path", 31, (story) => void Object.assign(eventOf(story, 31).items[0]?.before ?? {}, { path: "sops/x/y.md" })],
    ["a note", 2, (story) => void (eventOf(story, 2).note = "adds the manager call-back step.")],
    ["the stored commit", 14, (story) => void (eventOf(story, 14).oids.main = null)],
    ["the name of a field", 14, (story) => void Reflect.deleteProperty(eventOf(story, 14), "oids")],
    ["an asset", 2, (story) => story.ledger.assetBytes.clear()],
    ["a category", 15, (story) => void eventOf(story, 15).categories?.pop()],
  ])("%s", async (what, seq, tamper) => {
    const { story, repositories } = await committed(null);
    tamper(story);
    const report = await repositories.verify(story.companyId);
    expect(report.ok).toBe(false);
    expect(report.findings[0]).toMatchObject({ seq, where: "ledger" });
    // the index on main reads a published text again
    const alsoLater = what === "text and hash alike" ? [9] : [];
    expect(report.findings.slice(1).map((found) => found.seq)).toEqual(alsoLater);
  });

  it("and a removed event", async () => {
    const { story, repositories } = await committed(null);
    story.ledger.stored.splice(20, 1);
    expect((await repositories.verify(story.companyId)).findings).toEqual([
      { seq: 20, where: "ledger", message: "event 20 is missing" },
    ]);
  });
});

/** Alters the text of the versions that events with these numbers bring in, and leaves their hashes. */
function alter(story: CompanyStory, ...seqs: number[]): void {
  for (const seq of seqs) {
    for (const { sopId, version } of eventOf(story, seq).items)
      story.ledger.putFile(sopId, version, Buffer.from(`altered ${seq}\n`));
  }
}

const found = ({ findings }: { findings: { seq: number | null; message: string }[] }) =>
  findings.map(({ seq, message }) => `${seq}: ${message.replace(/version (\d+) of SOP \S+/, "version $1")}`);
const altered = (seq: number, version: number) =>
  `${seq}: event ${seq}: version ${version} is not the text whose hash the event holds`;

describe.each(gits)("verify continues after a fault (git: %s)", (git) => {
  it("and names each altered version once, with the first event that brings it in", async () => {
    const { story, repositories } = await committed(git);
    alter(story, 1, 8, 36);
    const report = await repositories.verify(story.companyId);
    expect([found(report), report.events]).toEqual([[altered(1, 1), altered(8, 1), altered(36, 2)], 42]);
  });

  it("and names two altered versions of one event", async () => {
    const { story, repositories } = await committed(git);
    const batch = story.ledger.stored.find(({ items }) => items.length > 2);
    if (batch === undefined) throw new Error("no import");
    const [, second, , fourth] = batch.items;
    for (const item of [second, fourth])
      if (item) story.ledger.putFile(item.sopId, item.version, Buffer.from("altered\n"));
    const report = await repositories.verify(story.companyId);
    expect(report.findings.map(({ seq, message }) => [seq, message.split(" ")[6]])).toEqual([
      [batch.seq, second?.sopId],
      [batch.seq, fourth?.sopId],
    ]);
  });

  it("and finds further faults of any kind: a missing asset, another author, a missing event, an altered commit, a wrong path", async () => {
    const { story, repositories } = await committed(git);
    story.ledger.assetBytes.clear();
    eventOf(story, 5).authorName = "Mallory";
    eventOf(story, 14).oids.main = null;
    Object.assign(eventOf(story, 31).items[0]?.before ?? {}, { path: "sops/x/y.md" });
    alter(story, 36);
    story.ledger.stored.splice(20, 1);
    const report = await repositories.verify(story.companyId);
    expect(report.findings.map(({ seq, where }) => [seq, where])).toEqual(
      [2, 5, 14, 20, 31, 36].map((seq) => [seq, "ledger"]),
    );
    expect(report.events).toBe(41);
  });

  it("and finds what else is wrong with the repository on disk", async () => {
    const { story, repositories, path } = await committed(git);
    alter(story, 1);
    const older = eventOf(story, 9).oids.main ?? "";
    writeFileSync(`${path}/refs/heads/main`, `${older}\n`);
    const report = await repositories.verify(story.companyId);
    expect(found(report).map((line) => line.split(" points")[0])).toEqual([altered(1, 1), "null: main"]);
  });

  it("and checks the texts of all other events where git can't be read", async () => {
    const { story, repositories, path } = await committed(git);
    alter(story, 1, 8, 36);
    rmSync(path, { recursive: true });
    const report = await repositories.verify(story.companyId);
    expect([found(report), report.events]).toEqual([[altered(1, 1), altered(8, 1), altered(36, 2)], 42]);
  });
});

describe("verify reads versions one by one where several can't be read together", () => {
  it("and names the one that fails", async () => {
    const { story, repositories } = await committed(null);
    const { sopId } = eventOf(story, 8).items[0] ?? {};
    const { files } = story.ledger;
    story.ledger.files = async (companyId, versions) => {
      if (versions.some((one) => one.sopId === sopId)) throw new Error("not a document");
      return files(companyId, versions);
    };
    alter(story, 36);
    const report = await repositories.verify(story.companyId);
    expect([found(report), report.events]).toEqual([["8: event 8: version 1 can't be read", altered(36, 2)], 42]);
  });
});

describe.each(gits)("verify finds a change of the repository (git: %s)", (git) => {
  it.skipIf(binary === null)("in one bit of a pack or of its index", async () => {
    const { story, repositories, path } = await committed(git);
    nativeGit(path, "repack", "-a", "-d", "-q");
    for (const ending of [".idx", ".pack"]) {
      const name = readdirSync(`${path}/objects/pack`).find((file) => file.endsWith(ending));
      damage(`${path}/objects/pack/${name}`);
      const { findings } = await repositories.verify(story.companyId);
      expect(findings).toContainEqual({
        seq: null,
        where: "repository",
        message: `${name} is damaged: its checksum differs`,
      });
    }
  });

  it("in HEAD, and in a ref that no event made", async () => {
    const { story, repositories, path } = await committed(git);
    const found = async () => (await repositories.verify(story.companyId)).findings.map(({ message }) => message);
    const head = readFileSync(`${path}/HEAD`, "utf8");
    writeFileSync(`${path}/HEAD`, head.replace("main", "mein"));
    expect(await found()).toEqual(["HEAD is damaged"]);
    rmSync(`${path}/HEAD`);
    expect(await found()).toContain("HEAD is damaged");
    writeFileSync(`${path}/HEAD`, head);
    const tagged = readFileSync(`${path}/packed-refs`, "utf8");
    writeFileSync(`${path}/packed-refs`, `${tagged}${/^[0-9a-f]{40}/m.exec(tagged)?.[0]} refs/zeads/main\n`);
    expect(await found()).toEqual(["refs/zeads/main is not in the ledger"]);
  });

  it("in one bit of a loose object", async () => {
    const { story, repositories, path } = await committed(git);
    const folder = readdirSync(`${path}/objects`).find((name) => name.length === 2) ?? "";
    damage(`${path}/objects/${folder}/${readdirSync(`${path}/objects/${folder}`)[0]}`);
    const { findings } = await repositories.verify(story.companyId);
    expect(findings).toMatchObject([{ where: "repository" }]);
    expect(findings[0]?.message).toMatch(/^object [0-9a-f]{40} is (torn|not what its name says)$/);
  });

  it("that points main at an older commit, or moves a tag", async () => {
    const { story, repositories, path } = await committed(git);
    const older = eventOf(story, 9).oids.main ?? "";
    writeFileSync(`${path}/refs/heads/main`, `${older}\n`);
    const packed = readFileSync(`${path}/packed-refs`, "utf8");
    writeFileSync(`${path}/packed-refs`, packed.replace(/^[0-9a-f]{40} (refs\/tags\/sop-0001\/v3)$/m, `${older} $1`));
    const { findings } = await repositories.verify(story.companyId);
    expect(findings.map((finding) => finding.message.split(" points")[0])).toEqual(["main", "tag sop-0001/v3"]);
  });
});

describe("verify", () => {
  it("ends with one line when there are too many problems", async () => {
    const { story, repositories } = await committed(null);
    for (const event of story.ledger.stored.slice(3)) event.authorName = "Mallory";
    const { findings } = await repositories.verify(story.companyId);
    expect(findings).toHaveLength(21);
    expect(findings.at(-1)?.message).toBe("more than 20 faults: the check of the ledger ended at event 23");
  });

  it.skipIf(binary === null)("names the first event whose commit was rewritten in the repository", async () => {
    const { story, repositories, path } = await committed(binary);
    const onto = eventOf(story, 17).oids.history ?? "";
    const tree = nativeGit(path, "rev-parse", `${onto}^{tree}`).trim();
    const author = ["-c", "user.name=Mallory", "-c", "user.email=m@users.invalid"];
    const forged = nativeGit(path, ...author, "commit-tree", tree, "-p", onto, "-m", "save\n\nEvent-Seq: 18").trim();
    nativeGit(path, "update-ref", "refs/heads/history", forged);
    expect((await repositories.verify(story.companyId)).findings).toMatchObject([{ seq: 18, where: "repository" }]);
  });

  it("confirms a head that was noted earlier, and reports an unknown one", async () => {
    const { story, repositories } = await committed(null);
    const noted = eventOf(story, 9).oids.main ?? "";
    expect(await repositories.verify(story.companyId, noted)).toMatchObject({ ok: true, expectedSeq: 9 });
    const unknown = await repositories.verify(story.companyId, "0".repeat(40));
    expect(unknown).toMatchObject({ ok: false, expectedSeq: null, findings: [{ where: "expect" }] });
  });

  it("finds a rewritten ledger only with a head noted outside", async () => {
    const { story, repositories } = await committed(null);
    const { history } = await repositories.head(story.companyId);
    // An attacker with access to database and disk rewrites both, consistently.
    for (const event of story.ledger.stored)
      Object.assign(event, { state: "pending", oids: { main: null, history: null } });
    eventOf(story, 3).authorName = "Mallory";
    await repositories.rebuild(story.companyId);
    expect(await repositories.verify(story.companyId)).toMatchObject({ ok: true });
    expect(await repositories.verify(story.companyId, history ?? "")).toMatchObject({ ok: false });
  });

  it("computes the heads before there is a repository", async () => {
    const { story, repositories: other } = await committed(null);
    const nowhere = createRepositories({ dir: scratchFolder(), ledger: story.ledger, log: silentLog });
    const { main, history } = await other.head(story.companyId);
    expect(await nowhere.verify(story.companyId)).toMatchObject({ ok: true, lag: 42, head: { main, history } });
  });

  it("treats a main that is ahead as a crash, not as a forgery", async () => {
    const { story, repositories, path } = await committed(null);
    writeFileSync(`${path}/refs/heads/history`, `${eventOf(story, 36).oids.history}\n`);
    expect(await repositories.verify(story.companyId)).toMatchObject({ ok: true, lag: 5 });
  });

  it("counts waiting events as lag, not as a problem", async () => {
    const { story, repositories } = await committed(null);
    story.create("Not yet committed", "x\n");
    expect(await repositories.verify(story.companyId)).toMatchObject({ ok: true, events: 43, lag: 1 });
  });
});
