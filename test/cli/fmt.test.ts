import { chmodSync, readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeFolder, runSop, type Folder } from "./run-sop.ts";

let folder: Folder;
beforeEach(() => {
  folder = makeFolder();
});
afterEach(() => folder.remove());

const sop = (args: string[], input: string | Uint8Array = "") => runSop(args, { cwd: folder.path, input });
const read = (name: string) => readFileSync(join(folder.path, name), "utf8");

const messy = '---\ntitle: Reset\nid: "0198f0c2-5b7e-7c11-9a44-2f6f0a3c9d10"\n---\n* one\n* two  \n';
const clean = '---\nid: "0198f0c2-5b7e-7c11-9a44-2f6f0a3c9d10"\ntitle: "Reset"\n---\n\n- one\n- two\n';

describe("sop fmt", () => {
  it("rewrites what is not canonical, whole files only, and keeps their mode", async () => {
    folder.write({ "a/messy.md": messy, "a/clean.md": clean });
    chmodSync(join(folder.path, "a/messy.md"), 0o640);
    expect(await sop(["fmt", "a"])).toEqual({ code: 0, stdout: "a/messy.md\n", stderr: "1 of 2 files changed\n" });
    expect(read("a/messy.md")).toBe(clean);
    expect(statSync(join(folder.path, "a/messy.md")).mode & 0o777).toBe(0o640);
    expect(readdirSync(join(folder.path, "a"))).toEqual(["clean.md", "messy.md"]);
    expect(await sop(["fmt", "-q"])).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("leaves front matter alone that waits for its values", async () => {
    const waits = '---\ntitle: "Reset"\ndescription: ""\nreview_by:\n---\n\n- one\n';
    folder.write({ "waits.md": waits });
    expect(await sop(["fmt"])).toEqual({ code: 0, stdout: "", stderr: "0 of 1 file changed\n" });
    expect(read("waits.md")).toBe(waits);
  });

  it("--check changes nothing and exits 1", async () => {
    folder.write({ "messy.md": messy, "clean.md": clean });
    expect(await sop(["fmt", "--check"])).toEqual({
      code: 1,
      stdout: "messy.md\n",
      stderr: "1 of 2 files would change\n",
    });
    expect(read("messy.md")).toBe(messy);
    expect((await sop(["fmt", "--check", "clean.md"])).code).toBe(0);
  });

  it("--diff shows what would change", async () => {
    folder.write({ "a.md": "* one\n* two\n" });
    const { code, stdout } = await sop(["fmt", "--diff"]);
    expect(code).toBe(0);
    expect(stdout).toContain("--- a/a.md\n+++ b/a.md\n@@ -1,2 +1,2 @@\n-* one\n-* two\n+- one\n+- two\n");
    expect(read("a.md")).toBe("* one\n* two\n");
  });

  it("formats stdin", async () => {
    expect(await sop(["fmt", "-"], messy)).toEqual({ code: 0, stdout: clean, stderr: "1 of 1 file changed\n" });
    expect((await sop(["fmt", "-", "--check"], clean)).code).toBe(0);
    expect((await sop(["fmt", "-", "x.md"])).stderr).toContain("- reads stdin and can't be used with other paths");
  });

  it.each([
    ["comments", "---\ntitle: x # why\n---\n\n- one\n"],
    ["mappings", "---\ntitle: x\nx-limits:\n  low: 1.10\n---\n\n- one\n"],
    ["keys of another tool", "---\nlayout: post\ntitle: x\n---\n\n- one\n"],
    ["a header without an opening line", "name: x\nacronym: y\n---\n\n- one\n"],
    ["a TOML header", '+++\ntitle = "x"\n+++\n\n- one\n'],
  ])("leaves front matter with %s as it is", async (_, text) => {
    expect((await sop(["fmt", "-"], text)).stdout).toBe(text);
    expect((await sop(["fmt", "-"], text.replaceAll("\n", "\r\n").replace("- one", "* one"))).stdout).toBe(text);
  });

  it("refuses what is written for another tool, and does the others", async () => {
    const admonition = "!!! note\n    Mind the gap.\n";
    folder.write({ "mkdocs.md": admonition, "messy.md": messy });
    const ran = await sop(["fmt"]);
    expect(ran.code).toBe(3);
    expect(ran.stdout).toBe("messy.md\n");
    expect(ran.stderr).toBe(
      "1 of 1 file changed\n" +
        "error: mkdocs.md: left as it is, it is written for another tool (!!! note, line 1)\n" +
        "  `sop import --to-dir <dir>` converts it\n",
    );
    expect(read("mkdocs.md")).toBe(admonition);
    // A refused file also exits with 3 if it is the only one, on stdin too: it is not "nothing to do".
    expect((await sop(["fmt", "mkdocs.md", "--check"])).code).toBe(3);
    expect(await sop(["fmt", "-"], admonition)).toMatchObject({ code: 3, stdout: "" });
  });

  it("names cells that no reader sees and control characters, and keeps the words", async () => {
    folder.write({ "a.md": "---\ntitle: A\n---\n\n\n| Part | Limit |\n|---|---|\n| Oil | 40\u0007 l | blue |\n" });
    const { stderr } = await sop(["fmt"]);
    expect(stderr).toBe(
      "a.md: line 8: the control character U+0007 was dropped\n" +
        'a.md: line 8: the row has 3 cells and the table 2 columns: "blue" isn\'t shown\n' +
        "1 of 1 file changed\n",
    );
    expect(read("a.md")).toContain("| Oil | 40 l | blue |\n");
  });

  it("names bold that readers see as stars", async () => {
    folder.write({ "a.md": "---\ntitle: A\n---\n\n**Achtung:**sofort\n" });
    expect((await sop(["fmt", "--check"])).stderr).toContain(
      "a.md: markup that readers see as text: “**Achtung:**” (line 5)\n",
    );
  });

  it("indents lists in lists by 4 below a folder of MkDocs, or where the settings say so", async () => {
    const nested = "1. a\n\n    * b\n        * c\n\n    d\n\n2. e\n";
    const wide = "1. a\n\n    - b\n        - c\n\n    d\n\n2. e\n";
    const narrow = "1. a\n\n   - b\n     - c\n\n   d\n\n2. e\n";
    folder.write({ "site/mkdocs.yml": "", "site/docs/a.md": nested, "b.md": nested, "c/d.md": nested });
    folder.write({ "c/sop.config.yaml": "dialect: mkdocs\n" });
    await sop(["fmt"]);
    expect([read("site/docs/a.md"), read("b.md"), read("c/d.md")]).toEqual([wide, narrow, wide]);
    expect((await sop(["fmt", "--check"])).code).toBe(0);
  });

  it("keeps the bytes of braces in code", async () => {
    const text = "Use `{HASH}` and `x`, or `{NAME}`.\n";
    expect((await sop(["fmt", "-"], text)).stdout).toBe(text);
  });

  it("never makes front matter of text", async () => {
    const text = "***\n\nConfidential: yes\n\n---\n";
    expect((await sop(["fmt", "-"], text)).stdout).toBe(text);
  });

  it("names files from the working folder", async () => {
    folder.write({ "sop.config.yaml": "{}\n", "it/a.md": messy });
    expect((await sop(["-C", "it", "fmt"])).stdout).toBe("a.md\n");
  });

  it.each([
    ["broken.md", "---\ntitle: [\n---\n\nx\n", "broken.md:"],
    ["script.md", "---js\n{ title: process.exit(99) }\n---\n\nx\n", 'Front matter in "js" is not read'],
    ["empty.md", "", "empty.md: the file is empty"],
    ["latin1.md", Uint8Array.of(0xe4), "latin1.md: the file is not UTF-8"],
    ["huge.md", "x".repeat(1_200_000), "huge.md: 1,172 KiB are too much"],
  ])("names what is wrong with %s", async (name, data, says) => {
    folder.write({ [name]: data });
    const ran = await sop(["fmt", name]);
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(ran.stderr).toContain(says);
  });

  it("a path that matches nothing is 2", async () => {
    expect(await sop(["fmt", "nowhere"])).toEqual({
      code: 2,
      stdout: "",
      stderr: "error: nowhere: no Markdown file matches\n",
    });
  });
});

describe("sop import --to-dir", () => {
  it("writes converted files, and overwrites none", async () => {
    folder.write({ "docs/a.md": "# Alpha\n\n!!! note\n    Mind the gap.\n", "docs/b.markdown": "---js\n1\n---\n" });
    const first = await sop(["import", "docs", "--to-dir", "out"]);
    expect(first.code).toBe(3);
    expect(first.stdout).toContain("+ create   docs/a.md        Alpha\nx refused  docs/b.markdown");
    expect(read("out/docs/a.md")).toBe(
      '---\ntitle: "Alpha"\ndescription: "Mind the gap."\n---\n\n> [!NOTE]\n> Mind the gap.\n',
    );
    expect((await sop(["import", "docs/a.md", "--to-dir", "out"])).stdout).toContain("Import: 1 unchanged.");
    // the written file was changed there as well
    folder.write({ "docs/a.md": "# Alpha\n\nNew.\n", "out/docs/a.md": `${read("out/docs/a.md")}\nMine.\n` });
    const conflict = await sop(["import", "docs/a.md", "--to-dir", "out"]);
    expect(conflict.code).toBe(6);
    expect(conflict.stdout).toContain(
      "already exists with another text; --on-conflict theirs overwrites it, copy writes a second file",
    );
    await sop(["import", "docs/a.md", "--to-dir", "out", "--on-conflict", "copy"]);
    expect(read("out/docs/a-2.md")).toContain("New.");
    await sop(["import", "docs/a.md", "--to-dir", "out", "--on-conflict", "theirs", "--dry-run"]);
    expect(read("out/docs/a.md")).toContain("Mine.");
    await sop(["import", "docs/a.md", "--to-dir", "out", "--on-conflict", "theirs"]);
    expect(read("out/docs/a.md")).toContain("New.");
    // if only its source changed, it is updated
    folder.write({ "docs/a.md": "# Alpha\n\nNewer.\n" });
    expect((await sop(["import", "docs/a.md", "--to-dir", "out"])).code).toBe(0);
    expect(read("out/docs/a.md")).toContain("Newer.");
  });
});
