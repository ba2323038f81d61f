import { describe, expect, it } from "vitest";
import { treeChangesOf } from "./changes.ts";
import { createFoundingEvent, createRepoEvent, type SopFilePlace, type RepoEventItem } from "./event.ts";

const at = "2026-11-20T16:02:11.412Z";
const path = "sops/it/sop-0042-reset.md";
const moved = "sops/hr/sop-0042-reset.md";
const archived = "archive/it/sop-0042-reset.md";

function event(before: SopFilePlace | null, after: SopFilePlace | null, more: Partial<RepoEventItem> = {}) {
  const item = { sopId: "s1", version: 2, number: 42, title: "Reset", contentHash: "hash2", before, after, ...more };
  const author = { authorId: "u1", authorName: "Grace" };
  return createRepoEvent({ companyId: "c1", seq: 5, type: "save", at, ...author, items: [item] });
}

const draft = (version: number, main: number | null = null, at = path): SopFilePlace => ({
  path: at,
  version,
  mainPath: main === null ? null : at,
  mainVersion: main,
});
const put = (version: number, contentHash: string | null, from: object | null, at = path) => ({
  kind: "file",
  path: at,
  sopId: "s1",
  version,
  contentHash,
  from,
});

describe("treeChangesOf", () => {
  it("puts a new version on history and leaves main alone", () => {
    expect(treeChangesOf(event(draft(1, 1), draft(2, 1)))).toEqual({ history: [put(2, "hash2", null)], main: [] });
  });

  it("brings linked assets along", () => {
    const name = `${"ab".repeat(32)}.png`;
    const asset = { kind: "asset", path: `assets/ab/${name}`, sha256: "ab".repeat(32) };
    const changes = treeChangesOf(event(draft(1), draft(2, 2), { assets: [name] }));
    expect(changes.history).toContainEqual(asset);
    expect(changes.main).toContainEqual(asset);
  });

  it("publishes on main the bytes that stand on history", () => {
    expect(treeChangesOf(event(draft(2, 1), draft(2, 2)))).toEqual({
      history: [],
      main: [put(2, "hash2", { branch: "history", path })],
    });
  });

  it("publishes an older version from the ledger when a draft is in work", () => {
    const { main } = treeChangesOf(event(draft(3, 1), draft(3, 2)));
    expect(main).toEqual([put(2, "hash2", null)]);
  });

  it("moves on both branches without touching the bytes, each its own version", () => {
    const inForce = { title: "Old", contentHash: "hash1" };
    expect(treeChangesOf(event(draft(2, 1), draft(2, 1, moved), { inForce }))).toEqual({
      history: [{ kind: "remove", path }, put(2, "hash2", { branch: "history", path }, moved)],
      main: [{ kind: "remove", path }, put(1, "hash1", { branch: "main", path }, moved)],
    });
  });

  it("archives and unarchives: main keeps only published versions", () => {
    const inArchive: SopFilePlace = { path: archived, version: 2, mainPath: archived, mainVersion: 2 };
    expect(treeChangesOf(event(draft(2, 2), inArchive)).main).toEqual([
      { kind: "remove", path },
      put(2, "hash2", { branch: "main", path }, archived),
    ]);
    expect(treeChangesOf(event(inArchive, draft(2))).main).toEqual([{ kind: "remove", path: archived }]);
  });

  it("deletes from both and restores what was there", () => {
    const gone: SopFilePlace = { path: null, version: 2, mainPath: null, mainVersion: null };
    expect(treeChangesOf(event(draft(2, 2), gone))).toEqual({
      history: [{ kind: "remove", path }],
      main: [{ kind: "remove", path }],
    });
    expect(treeChangesOf(event(gone, draft(2, 2)))).toEqual({
      history: [put(2, "hash2", null)],
      main: [put(2, "hash2", { branch: "history", path })],
    });
  });

  it("founds a company with the same files on both branches", () => {
    const { history, main } = treeChangesOf(createFoundingEvent({ id: "c1", name: "Acme" }, [], at));
    expect(history).toEqual([
      { kind: "text", path: ".sop/repo.yml", text: 'format: 1\ncompany: "c1"\nepoch: 1\n' },
      { kind: "text", path: ".sop/categories.yml", text: "{}\n" },
    ]);
    expect(main).toEqual(history);
  });
});
