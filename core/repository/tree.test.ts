import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { commitBytes, objectId, treeContentBytes, createTreeLine, type Sha1 } from "./objects.ts";
import { emptyFolder, blobIdAt, hashTree, putFile, removeFile } from "./tree.ts";

const sha1: Sha1 = (...parts) => {
  const hash = createHash("sha1");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
};
const empty = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
const blob = (letter: string): string => letter.repeat(40);

describe("objects", () => {
  it("hashes as git does", () => {
    expect(objectId("blob", new TextEncoder().encode("hello\n"), sha1)).toBe(
      "ce013625030ba8dba906f756967f9e9ca394464a",
    );
    expect(objectId("tree", treeContentBytes([]), sha1)).toBe(empty);
  });

  it.each(["..", ".", ".git", ".GIT", "a/b", "", "a\0", "é"])("refuses the name %j", (name) => {
    expect(() => createTreeLine(name, blob("1"), false)).toThrow("not a file name");
  });

  it("writes one committer and whole seconds", () => {
    const bytes = commitBytes({
      tree: empty,
      parent: null,
      author: "Ada <u@users.invalid>",
      seconds: 7,
      message: "m\n",
    });
    expect(Buffer.from(bytes).toString()).toBe(
      `tree ${empty}\nauthor Ada <u@users.invalid> 7 +0000\ncommitter SOP Server <server@sop.invalid> 7 +0000\n\nm\n`,
    );
  });
});

describe("tree", () => {
  it("sorts a folder as if its name ended in a slash", () => {
    const root = emptyFolder();
    for (const file of ["a.md", "a/x", "a-b", "b", "b/x", "c/x", "c"]) putFile(root, file, blob("1"));
    putFile(root, "a/x", blob("2"));
    removeFile(root, "a-b");
    putFile(root, "a-b", blob("1"));
    let content = new Uint8Array();
    hashTree(root, sha1, (_type, _oid, made) => void (content = Uint8Array.from(made)));
    const names = Buffer.from(content)
      .toString("latin1")
      .match(/\d+ [a-z.-]+(?=\0)/g);
    expect(names).toEqual(["100644 a-b", "100644 a.md", "40000 a", "40000 b", "100644 c"]);
  });

  it("keeps the ids of folders that did not change", () => {
    const root = emptyFolder();
    putFile(root, "a/x/1.md", blob("1"));
    putFile(root, "b/2.md", blob("2"));
    hashTree(root, sha1);
    const written: string[] = [];
    expect(putFile(root, "b/2.md", blob("2"))).toBe(false);
    hashTree(root, sha1, (type) => written.push(type));
    expect(written).toEqual([]);
    putFile(root, "b/2.md", blob("3"));
    hashTree(root, sha1, (type) => written.push(type));
    expect(written).toEqual(["tree", "tree"]);
  });

  it("equals the tree built from what is left, after any puts and removals", () => {
    const path = fc.constantFrom("a/1", "a/2", "a/b/1", "b/1", "c", "a-b", "a.c/1");
    const step = fc.tuple(path, fc.constantFrom("1", "2", null), fc.boolean());
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const root = emptyFolder();
        const left = new Map<string, string>();
        for (const [at, letter, hashNow] of steps) {
          if (letter === null) expect(removeFile(root, at)).toBe(left.delete(at));
          else {
            putFile(root, at, blob(letter));
            left.set(at, blob(letter));
          }
          if (hashNow) hashTree(root, sha1);
        }
        const fresh = emptyFolder();
        for (const [at, oid] of left) {
          putFile(fresh, at, oid);
          expect(blobIdAt(root, at)).toBe(oid);
        }
        expect(hashTree(root, sha1)).toBe(hashTree(fresh, sha1));
      }),
    );
  });
});
