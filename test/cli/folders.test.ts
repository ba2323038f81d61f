/** Which files of a folder are read, and what a run says about the others. */
import { existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { callSop, makeFolder, type Folder } from "./run-sop.ts";

const text = "# Alpha\n\nText.\n";
let folder: Folder;
beforeEach(() => {
  folder = makeFolder({
    ".gitignore": "drafts/\n",
    "docs/.sopignore": "old*\n",
    "docs/a.md": text,
    "docs/old.md": text,
    "docs/drafts/d.md": text,
    "docs/drafts/more/e.md": text,
    "docs/.github/h.md": text,
    "docs/t.md.tmpl": text,
    "docs/x.mdx": text,
    "docs/picture.png": "no document",
  });
  symlinkSync("a.md", join(folder.path, "docs/link.md"));
});
afterEach(() => folder.remove());

const sop = (...args: string[]) => callSop(args, { cwd: folder.path });
const read = async (...args: string[]) => {
  const { stdout } = await sop("fmt", "--check", "--json", ...args);
  return (JSON.parse(stdout) as { data: { files: { path: string }[] } }).data.files.map(({ path }) => path);
};
const leftOut = [
  { path: "docs/.github/", reason: "hidden" },
  { path: "docs/drafts/", reason: ".gitignore" },
  { path: "docs/link.md", reason: "symbolic link" },
  { path: "docs/old.md", reason: ".sopignore" },
  { path: "docs/t.md.tmpl", reason: "extension" },
  { path: "docs/x.mdx", reason: "extension" },
];

describe("files that are left out", () => {
  it.each(["fmt", "lint"])("%s counts them by reason, and lists them under -v and in JSON", async (command) => {
    const options = command === "fmt" ? ["--check"] : ["--fail-on", "never"];
    const short = await sop(command, ...options, "docs");
    expect(short.stderr).toContain(`4 files and 2 folders left out: 2 by extension, `);
    expect(short.stderr).toContain("(-v lists them)\n");
    const long = await sop(command, ...options, "-v", "docs");
    for (const { path, reason } of leftOut) expect(long.stderr).toContain(`  ${path} (${reason})\n`);
    expect(long.stderr).not.toContain("picture.png");
    const { stdout } = await sop(command, ...options, "--json", "docs");
    expect((JSON.parse(stdout) as { data: unknown }).data).toMatchObject({ leftOut });
    expect((await sop(command, ...options, "-q", "docs")).stderr).not.toContain("left out");
    expect((await sop(command, ...options, "docs/a.md")).stderr).not.toContain("left out");
  });

  it("import counts them too, and refuses links", async () => {
    const ran = await sop("import", "docs", "--to-dir", "out", "-n", "--json");
    expect((JSON.parse(ran.stdout) as { data: unknown }).data).toMatchObject({
      // the pages of Docusaurus are Markdown to an import
      leftOut: leftOut.filter(({ path, reason }) => reason !== "symbolic link" && path !== "docs/x.mdx"),
      totals: { create: 2, refused: 1 },
    });
    expect(ran.stderr).toContain("2 files and 2 folders left out: 1 hidden, 1 by .gitignore, ");
  });

  it("a folder without documents says what it has", async () => {
    folder.write({ "site/a.mdx": text, "site/b.rst": text });
    expect((await sop("lint", "site")).stderr).toBe(
      "error: site: no Markdown file matches (2 files left out: 2 by extension)\n",
    );
  });
});

describe("a clone of a company's repository", () => {
  it("has a start page and an index that are no documents", async () => {
    folder.write({ ".sop/repo.yml": "format: 1\n", "README.md": text, "index/it.md": text, "docs/README.md": text });
    expect(await read(".")).toEqual(["docs/README.md", "docs/a.md"]);
    expect(await read("README.md")).toEqual(["README.md"]);
  });
});

describe("a folder that is named", () => {
  it("is read even if an ignore file lists it or a folder above it", async () => {
    expect(await read("docs")).toEqual(["docs/a.md"]);
    expect(await read("docs/drafts")).toEqual(["docs/drafts/d.md", "docs/drafts/more/e.md"]);
    expect(await read("docs/drafts/more")).toEqual(["docs/drafts/more/e.md"]);
    expect(await read("docs/.github")).toEqual(["docs/.github/h.md"]);
    expect((await sop("import", "docs/drafts", "--to-dir", "out")).stdout).toContain("2 created");
  });

  it("keeps its own ignore files, and those above that don't list it", async () => {
    folder.write({ "docs/drafts/.sopignore": "more/\n", ".sopignore": "*.tmp.md\n", "docs/sub/b.tmp.md": text });
    folder.write({ "docs/sub/b.md": text });
    expect(await read("docs/drafts")).toEqual(["docs/drafts/d.md"]);
    expect(await read("docs/sub")).toEqual(["docs/sub/b.md"]);
  });
});

describe("--ext", () => {
  it.each([[".md.tmpl,.mdx"], ["mdx,MD.TMPL"], ["*.mdx, .md.tmpl"]])("%s reads more files as Markdown", async (ext) => {
    expect(await read("docs", "--ext", ext)).toEqual(["docs/a.md", "docs/t.md.tmpl", "docs/x.mdx"]);
  });

  it("holds for a named file, for lint, and for an import", async () => {
    expect((await sop("lint", "docs/x.mdx")).stderr).toContain(
      "only Markdown files (.md, .markdown) are read\n  --ext",
    );
    expect(await read("docs/x.mdx", "--ext", ".mdx")).toEqual(["docs/x.mdx"]);
    expect((await sop("lint", "--ext", ".mdx", "docs/x.mdx")).stdout).toContain("docs/x.mdx");
    const ran = await sop(
      "import",
      "docs/t.md.tmpl",
      "docs/x.mdx",
      "--to-dir",
      "out",
      "--ext",
      ".tmpl",
      "--ext",
      "mdx",
    );
    expect(ran.stdout).toContain("2 created");
    expect(["t.md", "x.md"].map((name) => existsSync(join(folder.path, "out/docs", name)))).toEqual([true, true]);
  });

  it.each(["", ",", "a/b", ".md,,", "*", "."])("refuses %j", async (ext) => {
    const ran = await sop("fmt", "docs", "--ext", ext);
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining("It must be file endings, such as .mdx")]);
  });
});
