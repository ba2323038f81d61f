/** A repository whose assets or texts can't be read: the rest is committed, and it heals. */
import { chmodSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { expect, describe, it, test } from "vitest";
import { DamagedDocumentError } from "../database/port.ts";
import { createRepositories } from "./repositories.ts";
import { goldenStory } from "./testing/golden-story.ts";
import { createCompanyStory } from "./testing/company-story.ts";
import { silentLog, withoutEvent, type MemoryLedger } from "./testing/memory-ledger.ts";
import { binary, nativeGit, scratchFolder } from "./testing/scratch.ts";

const gits = binary === null ? [null] : [binary, null];

describe.each(gits)("a repository beside damage (git: %s)", (git) => {
  function company() {
    const story = createCompanyStory();
    const { ledger } = story;
    const image = ledger.putAsset(Buffer.from("an image"));
    const kept = story.create("Kept", "a\n");
    const shown = story.create("With an image", "b\n");
    story.save(shown, "With an image", `![](asset)\n`, [image]);
    story.publish(shown);
    const dir = scratchFolder();
    const met: string[] = [];
    const open = () =>
      createRepositories({ dir, ledger, log: silentLog, git, onDamage: (what) => void met.push(what) });
    return { story, ledger, image, kept, shown, dir, met, open };
  }
  type Made = ReturnType<typeof company>;

  const damages: [string, (made: Made) => { named: string; undo: () => void }][] = [
    [
      "an asset that is gone",
      ({ ledger, image }) => {
        const bytes = ledger.assetBytes.get(image) ?? Buffer.alloc(0);
        ledger.assetBytes.delete(image);
        return { named: `file ${image}`, undo: () => ledger.assetBytes.set(image, bytes) };
      },
    ],
    [
      "an asset with other bytes",
      ({ ledger, image }) => {
        const bytes = ledger.assetBytes.get(image) ?? Buffer.alloc(0);
        ledger.assetBytes.set(image, Buffer.from("rotten"));
        return { named: `file ${image}`, undo: () => ledger.assetBytes.set(image, bytes) };
      },
    ],
    [
      "an asset whose document is damaged",
      ({ ledger, image }) => {
        const { asset } = ledger;
        ledger.asset = async () => {
          throw new DamagedDocumentError("assets", image);
        };
        return { named: `file ${image}`, undo: () => void (ledger.asset = asset) };
      },
    ],
    [
      "an altered text",
      ({ ledger, shown }) => {
        const key = `${shown.id} 1`;
        const bytes = ledger.fileBytes.get(key) ?? Buffer.alloc(0);
        ledger.fileBytes.set(key, Buffer.from("other words\n"));
        return { named: `version 1 of SOP ${shown.id}`, undo: () => ledger.fileBytes.set(key, bytes) };
      },
    ],
    [
      "a text that is gone",
      ({ ledger, shown }) => {
        const key = `${shown.id} 1`;
        const bytes = ledger.fileBytes.get(key) ?? Buffer.alloc(0);
        ledger.fileBytes.delete(key);
        return { named: `version 1 of SOP ${shown.id}`, undo: () => ledger.fileBytes.set(key, bytes) };
      },
    ],
    [
      "an event that can't be read",
      ({ ledger }) => {
        const { events } = ledger;
        ledger.events = withoutEvent(ledger, 2);
        return { named: "event 2", undo: () => void (ledger.events = events) };
      },
    ],
    [
      "an altered event",
      ({ ledger }) => {
        const event = ledger.stored[2];
        if (event === undefined) throw new Error("the story is too short");
        const { authorName } = event;
        event.authorName = "Mallory";
        return { named: "event 2", undo: () => void (event.authorName = authorName) };
      },
    ],
  ];

  it.each(damages)("goes on with %s, is made again when it is back, and keeps its ids", async (_, damage) => {
    const made = company();
    const { story, ledger, kept, met } = made;
    const { companyId } = story;
    const first = made.open();
    await first.drain(companyId);
    const before = await first.head(companyId);
    await first.close();

    const { named, undo } = damage(made);
    // as on a new server
    rmSync(first.path(companyId), { recursive: true });
    const second = made.open();
    await second.drain(companyId);
    expect(met).toEqual([`${named} of company ${companyId}: it can't be committed`]);
    story.save(kept, "Kept", "c\n");
    await second.drain(companyId);
    const head = await second.head(companyId);
    expect(head).toMatchObject({ seq: before.seq + 1, lag: 0 });
    expect(head.history).not.toBe(before.history);
    // the ledger records only what follows from it
    expect(ledger.stored.at(-1)?.state).toBe("pending");
    expect(ledger.stored.at(-2)?.oids.history).toBe(before.history);
    if (binary !== null) {
      const gitdir = second.path(companyId);
      expect(nativeGit(gitdir, "fsck", "--full", "--strict")).toBe("");
      const files = nativeGit(gitdir, "ls-tree", "-r", "--name-only", "history").trim().split("\n");
      const texts = files.map((name) => nativeGit(gitdir, "show", `history:${name}`));
      expect(texts.filter((text) => text.includes("can't be read on the server"))).toHaveLength(
        named.startsWith("file") ? 1 : 0,
      );
      expect(texts.some((text) => text.includes("c\n"))).toBe(true);
    }
    const { findings } = await second.verify(companyId);
    expect(findings.map(({ message }) => message)).toContain(
      `it has a note in place of ${named}, so its commits aren't those of the ledger`,
    );
    expect(await second.commit(companyId, { tag: "none", oid: head.history })).toBeNull();
    await second.close();

    const third = made.open();
    await third.drain(companyId);
    expect(await third.head(companyId)).toEqual(head);
    undo();
    await third.drain(companyId);
    expect(ledger.stored.map(({ state }) => state)).not.toContain("pending");
    expect(await third.verify(companyId)).toMatchObject({ ok: true, findings: [] });
    const healed = await third.head(companyId);
    await third.close();

    // a server that never met the damage has the same commits
    const other = createRepositories({ dir: scratchFolder(), ledger, log: silentLog, git });
    await other.drain(companyId);
    expect(await other.head(companyId)).toEqual(healed);
    await other.close();
  });

  it("stays as it is when a rebuild would lose a file that it has", async () => {
    const made = company();
    const { companyId } = made.story;
    const repositories = made.open();
    await repositories.drain(companyId);
    const before = await repositories.head(companyId);
    made.ledger.assetBytes.delete(made.image);
    await expect(repositories.rebuild(companyId)).rejects.toThrow(`file ${made.image} can't be read`);
    made.story.save(made.kept, "Kept", "c\n");
    await repositories.drain(companyId);
    expect(await repositories.head(companyId)).toMatchObject({ seq: before.seq + 1, lag: 0 });
    expect(made.ledger.stored.at(-1)?.state).toBe("committed");
    await repositories.close();
  });

  it.skipIf(binary === null)("is made again although a file is lost, when it is damaged itself", async () => {
    const made = company();
    const { companyId } = made.story;
    const repositories = made.open();
    await repositories.drain(companyId);
    const gitdir = repositories.path(companyId);
    // packed by a git that a server without one had before
    nativeGit(gitdir, "repack", "-a", "-d", "-q");
    const [pack = ""] = globSync(`${gitdir}/objects/pack/*.pack`);
    const [, oid] = / blob ([0-9a-f]{40})\tassets/.exec(nativeGit(gitdir, "ls-tree", "-r", "history")) ?? [];
    const packed = nativeGit(gitdir, "verify-pack", "-v", pack.replace(/pack$/, "idx"));
    const [, size = "", offset = ""] = new RegExp(`^${oid} blob +\\d+ (\\d+) (\\d+)`, "m").exec(packed) ?? [];
    const bytes = readFileSync(pack);
    // the end of the image: heads and texts can be read
    bytes[Number(offset) + Number(size) - 1]! ^= 0xff;
    chmodSync(pack, 0o600);
    writeFileSync(pack, bytes);
    made.ledger.assetBytes.delete(made.image);
    await repositories.rebuild(companyId);
    const { findings } = await repositories.verify(companyId);
    expect(findings.map(({ message }) => message)).toContain(
      `it has a note in place of file ${made.image}, so its commits aren't those of the ledger`,
    );
    expect(nativeGit(repositories.path(companyId), "fsck", "--full", "--strict")).toBe("");
    await repositories.close();
  });

  it("commits the others beside an event that is lost before its commit", async () => {
    const story = createCompanyStory();
    const { companyId, ledger } = story;
    const [first, second] = [story.create("First", "a\n"), story.create("Second", "b\n")];
    const { events } = ledger;
    const repositories = createRepositories({ dir: scratchFolder(), ledger, log: silentLog, git });
    await repositories.drain(companyId);
    story.save(second, "Second", "c\n");
    ledger.events = withoutEvent(ledger, 3);
    story.save(first, "First", "d\n");
    await repositories.drain(companyId);
    expect(await repositories.head(companyId)).toMatchObject({ seq: 4, lag: 0 });
    ledger.events = events;
    await repositories.drain(companyId);
    expect((await repositories.verify(companyId)).findings).toEqual([]);
    expect(ledger.stored.map(({ state }) => state)).not.toContain("pending");
    await repositories.close();
  });

  it("commits the others beside a text that is lost before its commit", async () => {
    const story = createCompanyStory();
    const [first, second] = [story.create("First", "a\n"), story.create("Second", "b\n")];
    const key = `${second.id} 1`;
    const text = story.ledger.fileBytes.get(key) ?? Buffer.alloc(0);
    story.ledger.fileBytes.delete(key);
    const repositories = createRepositories({ dir: scratchFolder(), ledger: story.ledger, log: silentLog, git });
    await repositories.drain(story.companyId);
    story.save(first, "First", "c\n");
    await repositories.drain(story.companyId);
    expect(await repositories.head(story.companyId)).toMatchObject({ seq: 3, lag: 0 });
    story.ledger.fileBytes.set(key, text);
    await repositories.drain(story.companyId);
    expect((await repositories.verify(story.companyId)).findings).toEqual([]);
    expect(story.ledger.stored.map(({ state }) => state)).not.toContain("pending");
    await repositories.close();
  });
});

test("each event of a company's life can be lost or altered: the others are committed, and it heals", async () => {
  const whole = goldenStory();
  const repositories = createRepositories({ dir: scratchFolder(), ledger: whole.ledger, log: silentLog, git: null });
  await repositories.drain(whole.companyId);
  const { ledger, companyId } = whole;
  const heads = await repositories.head(companyId);
  const { events } = ledger;
  for (const { seq } of ledger.stored.slice(0, -1)) {
    for (const isAltered of [false, true]) {
      const altered: MemoryLedger["events"] = async (...asked) =>
        (await events(...asked)).map((event) => (event.seq === seq ? { ...event, authorName: "Mallory" } : event));
      ledger.events = isAltered ? altered : withoutEvent(ledger, seq);
      const about = `event ${seq}, ${isAltered ? "altered" : "lost"}`;
      const other = createRepositories({ dir: scratchFolder(), ledger, log: silentLog, git: null });
      await other.drain(companyId);
      const head = await other.head(companyId);
      expect([about, head.seq, head.lag]).toEqual([about, heads.seq, 0]);
      const { findings } = await other.verify(companyId);
      expect(findings.map(({ message }) => message)).toContain(
        `it has a note in place of event ${seq}, so its commits aren't those of the ledger`,
      );
      ledger.events = events;
      await other.drain(companyId);
      expect([about, await other.head(companyId)]).toEqual([about, heads]);
      await other.close();
    }
  }
});
