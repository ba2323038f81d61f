/** Deltas between objects that differ in one place, as git and isomorphic-git read them. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import * as isomorphic from "isomorphic-git";
import { afterAll, describe, expect, test } from "vitest";
import type { ObjectType } from "#core/repository/objects.ts";
import { initialise } from "./bare-repository.ts";
import { realDisk } from "./disk.ts";
import { findGit } from "./git-process.ts";
import { sha1 } from "./sha1.ts";
import { createPack } from "./pack-writer.ts";

const root = mkdtempSync(path.join(tmpdir(), "sopwright-delta-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const git = findGit();
let repositories = 0;

interface Written {
  type: ObjectType;
  content: Buffer;
  oid: string;
}

const objectOf = (type: ObjectType, content: Buffer): Written => ({
  type,
  content,
  oid: sha1(Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content])),
});

/** @returns the repository, and the size of its pack */
async function packed(objects: readonly Written[]): Promise<{ gitdir: string; size: number }> {
  const gitdir = path.join(root, `${++repositories}.git`);
  await initialise(realDisk, gitdir);
  const pack = await createPack(realDisk, gitdir, "test");
  for (const { type, oid, content } of objects) {
    pack.add(type, oid, content);
    await pack.flush();
  }
  const name = await pack.finish();
  return { gitdir, size: name === null ? 0 : statSync(`${gitdir}/objects/pack/${name}.pack`).size };
}

async function expectReadable(gitdir: string, objects: readonly Written[]): Promise<void> {
  const cache = {};
  for (const { oid, type, content } of objects) {
    const { object } = await isomorphic.readObject({ fs, gitdir, oid, format: "content", cache });
    expect(Buffer.from(object as Uint8Array).equals(content)).toBe(true);
    if (git !== null) {
      const read = execFileSync(git, ["--git-dir", gitdir, "cat-file", type, oid], { maxBuffer: 1 << 28 });
      expect(read.equals(content)).toBe(true);
    }
  }
  if (git === null) return;
  const [index = ""] = readdirSync(`${gitdir}/objects/pack`).filter((name) => name.endsWith(".idx"));
  execFileSync(git, ["--git-dir", gitdir, "verify-pack", `${gitdir}/objects/pack/${index}`]);
}

/** The versions of a folder of so many files, as trees: each changes one file. */
function treesOf(files: number, versions: number): Buffer[] {
  const entries = Array.from({ length: files }, (_, n) => entryOf(n, 0));
  return Array.from({ length: versions }, (_, version) => {
    const changed = (version * 7919) % files;
    entries[changed] = entryOf(changed, version);
    return Buffer.concat(entries);
  });
}

const entryOf = (n: number, version: number) =>
  Buffer.concat([
    Buffer.from(`100644 sop-${String(n).padStart(5, "0")}.md\0`),
    Buffer.from(sha1(Buffer.from(`${n} ${version}`)), "hex"),
  ]);

describe("a pack", () => {
  test("has any change of an object, in one place or many", { timeout: 120_000 }, async () => {
    const bytes = (most: number) => fc.uint8Array({ maxLength: most }).map((one) => Buffer.from(one));
    const change = fc.record({
      start: fc.double({ min: 0, max: 1, noNaN: true }),
      gone: fc.nat(300),
      added: bytes(300),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 400, maxLength: 9_000 }).map((one) => Buffer.from(one)),
        fc.array(change, { maxLength: 6 }),
        async (first, changes) => {
          const texts = [first];
          for (const { start, gone, added } of changes) {
            const last = texts.at(-1) ?? first;
            const at = Math.floor(last.length * start);
            texts.push(Buffer.concat([last.subarray(0, at), added, last.subarray(at + gone)]));
          }
          const objects = texts.map((content) => objectOf("blob", content));
          const { gitdir } = await packed(objects);
          await expectReadable(gitdir, objects);
        },
      ),
      { numRuns: 25 },
    );
  });

  test("of a large folder's versions is small, and no chain of deltas is longer than 50", async () => {
    const objects = treesOf(3_000, 120).map((tree) => objectOf("tree", tree));
    const whole = objects[0]?.content.length ?? 0;
    const { gitdir, size } = await packed(objects);
    // three of them are whole
    expect(size).toBeLessThan(whole * 4);
    await expectReadable(
      gitdir,
      [objects[0], objects[50], objects[51], objects[119]].filter((one) => one !== undefined),
    );
    if (git === null) return;
    const [index = ""] = readdirSync(`${gitdir}/objects/pack`).filter((name) => name.endsWith(".idx"));
    const listed = execFileSync(git, ["--git-dir", gitdir, "verify-pack", "-v", `${gitdir}/objects/pack/${index}`]);
    expect(listed.toString("utf8")).toMatch(/^chain length = 50: /m);
    expect(listed.toString("utf8")).not.toMatch(/^chain length = 51: /m);
  });

  test("has objects beyond what one instruction can copy, and folders in turn", async () => {
    const large = Buffer.alloc(3_500_000, "0123456789abcdef".repeat(64));
    const [start, middle] = [Buffer.concat([Buffer.from("start"), large]), Buffer.concat([large, Buffer.from("end")])];
    const versions = [100, 200, 300].map((files) => treesOf(files, 10));
    const folders = Array.from({ length: 30 }, (_, n) =>
      objectOf("tree", versions[n % 3]?.[Math.floor(n / 3)] ?? large),
    );
    const objects = [large, start, middle].map((content) => objectOf("blob", content)).concat(folders);
    const { gitdir, size } = await packed(objects);
    await expectReadable(gitdir, objects);
    expect(size).toBeLessThan(
      3_500_000 / 100 + folders.slice(0, 3).reduce((sum, { content }) => sum + content.length, 10_000),
    );
  });
});
