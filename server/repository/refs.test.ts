import { mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { realDisk } from "./disk.ts";
import { addTags, moveRefIfUnchanged, readPackedRefs, readRef } from "./refs.ts";
import { scratchFolder } from "./testing/scratch.ts";

const name = "refs/heads/main";
const [a, b, c] = ["a".repeat(40), "b".repeat(40), "c".repeat(40)];

describe("moveRefIfUnchanged", () => {
  it("moves a ref only from where it is expected", async () => {
    const dir = scratchFolder();
    expect(await moveRefIfUnchanged(realDisk, dir, name, null, a)).toBe(a);
    expect(await moveRefIfUnchanged(realDisk, dir, name, b, c)).toBe(a);
    expect(await moveRefIfUnchanged(realDisk, dir, name, null, a)).toBe(a);
    expect(await moveRefIfUnchanged(realDisk, dir, name, a, b)).toBe(b);
    expect(await readRef(realDisk, dir, name)).toBe(b);
  });

  it("has one winner among many", async () => {
    const dir = scratchFolder();
    await moveRefIfUnchanged(realDisk, dir, name, null, a);
    const oids = Array.from({ length: 8 }, (_, index) => String(index).repeat(40));
    const seen = await Promise.all(oids.map((oid) => moveRefIfUnchanged(realDisk, dir, name, a, oid)));
    const winner = await readRef(realDisk, dir, name);
    expect(new Set(seen)).toEqual(new Set([winner]));
  });

  it("starts from packed-refs when the ref is packed", async () => {
    const dir = scratchFolder();
    writeFileSync(`${dir}/packed-refs`, `# pack-refs with: peeled fully-peeled sorted \n${a} ${name}\n`);
    expect(await moveRefIfUnchanged(realDisk, dir, name, a, b)).toBe(b);
    expect(await readRef(realDisk, dir, name)).toBe(b);
  });

  it("takes over the lock of a crash, and waits for a live one", async () => {
    const dir = scratchFolder();
    mkdirSync(`${dir}/refs/heads`, { recursive: true });
    writeFileSync(`${dir}/${name}.lock`, "");
    const waiting = moveRefIfUnchanged(realDisk, dir, name, null, a);
    const first = await Promise.race([waiting, new Promise((resolve) => setTimeout(resolve, 60, "waits"))]);
    expect(first).toBe("waits");
    const old = new Date(Date.now() - 11_000);
    utimesSync(`${dir}/${name}.lock`, old, old);
    expect(await waiting).toBe(a);
  });
});

describe("addTags", () => {
  it("keeps existing tags, annotated ones included, and never moves a tag", async () => {
    const dir = scratchFolder();
    writeFileSync(`${dir}/packed-refs`, `# pack-refs with: peeled \n${a} refs/tags/release/audit\n^${b}\n`);
    await addTags(realDisk, dir, [{ name: "sop-0002/v1", oid: b }]);
    await addTags(realDisk, dir, [
      { name: "sop-0002/v1", oid: c },
      { name: "sop-0001/v1", oid: c },
    ]);
    expect(readFileSync(`${dir}/packed-refs`, "utf8")).toBe(
      `# pack-refs with: peeled fully-peeled sorted \n${a} refs/tags/release/audit\n^${b}\n${c} refs/tags/sop-0001/v1\n${b} refs/tags/sop-0002/v1\n`,
    );
    expect([...(await readPackedRefs(realDisk, dir, "refs/tags/sop-0001/")).values()]).toEqual([c]);
  });
});
