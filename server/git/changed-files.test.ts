import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { git, gitFolder } from "../../test/git.ts";
import { count } from "../../test/proof.ts";
import { findChangedFiles, TooManyFiles, type ChangedFilesLimits, type ReadTrees } from "./changed-files.ts";

const bounds: ChangedFilesLimits = { files: 2_000, depth: 40, bytes: 100_000 };
const { dir, remove } = gitFolder();
beforeAll(() => git(dir, "init", "-q"));
afterAll(remove);

const env = { PATH: process.env["PATH"] ?? "", LC_ALL: "C", HOME: dir };
function run(args: string[], input: string): Buffer {
  return spawnSync("git", args, { cwd: dir, input, env }).stdout;
}

const read: ReadTrees = async (names) => names.map((name) => run(["cat-file", "tree", name], ""));

/** Path → mode and content. A path can't be a file and a folder, so later ones win. */
type Files = Record<string, { mode: string; text: string }>;

function treeOf(files: Files): string {
  const blobs = new Map<string, string>();
  const blobOf = (text: string) => {
    if (!blobs.has(text)) blobs.set(text, run(["hash-object", "-w", "--stdin"], text).toString().trim());
    return blobs.get(text) ?? "";
  };
  const level = (prefix: string): string => {
    const names = new Map<string, string>();
    for (const [path, { mode, text }] of Object.entries(files)) {
      if (!path.startsWith(prefix)) continue;
      const [name = "", ...below] = path.slice(prefix.length).split("/");
      if (below.length === 0) names.set(name, `${mode} blob ${blobOf(text)}\t${name}`);
      else if (!names.has(name)) names.set(name, `040000 tree ${level(`${prefix}${name}/`)}\t${name}`);
    }
    return run(["mktree", "-z"], [...names.values()].map((line) => `${line}\0`).join(""))
      .toString()
      .trim();
  };
  return level("");
}

/** As git says it. */
function gitSays(before: string, after: string) {
  const out = run(["diff-tree", "-r", "-z", "--no-renames", "--raw", "--no-abbrev", before, after], "").toString();
  const fields = out.split("\0").filter((field) => field !== "");
  return fields.flatMap((field, at) => {
    if (!field.startsWith(":")) return [];
    const [, mode = "", old = "", oid = ""] = field.split(" ");
    const idOf = (id: string) => (/^0+$/.test(id) ? null : id);
    return { path: fields[at + 1] ?? "", oid: idOf(oid), before: idOf(old), mode: idOf(oid) === null ? "0" : mode };
  });
}

const names = fc.constantFrom("a", "a.b", "a-b", "a0", "b", "é", "z");
const files = fc.dictionary(
  fc.array(names, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/")),
  fc.record({ mode: fc.constantFrom("100644", "100755", "120000"), text: fc.constantFrom("1", "2", "3") }),
  { maxKeys: 12 },
);

describe("files that differ between two trees", () => {
  test("are those that git diff-tree names, in its order", async () => {
    await fc.assert(
      fc.asyncProperty(files, files, async (one, other) => {
        const [before, after] = [treeOf(one), treeOf(other)];
        expect(await findChangedFiles(read, before, after, bounds)).toEqual(gitSays(before, after));
      }),
      { numRuns: count({ usual: 15, nightly: 200, proof: 200 }), seed: 20_261_129 },
    );
  }, 120_000);

  test("end at each bound", async () => {
    const text = { mode: "100644", text: "1" };
    const three = treeOf({ "a/b/c": text, "a/b/d": text, e: text });
    const none = treeOf({});
    const all = (own: Partial<ChangedFilesLimits>) => findChangedFiles(read, none, three, { ...bounds, ...own });
    expect(await all({ files: 3, depth: 2 })).toHaveLength(3);
    await expect(all({ files: 2 })).rejects.toThrow(new TooManyFiles("files"));
    await expect(all({ depth: 1 })).rejects.toThrow(new TooManyFiles("depth"));
    await expect(all({ bytes: 5 })).rejects.toThrow(new TooManyFiles("files"));
  });
});
