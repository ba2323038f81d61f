import { createHash } from "node:crypto";
import { strToU8 } from "fflate";
import { describe, expect, test } from "vitest";
import { createSourceTree } from "#core/import/archive.ts";
import { limits } from "#core/limits.ts";
import { assertDocumentSize, createConverter } from "#core/import/converter.ts";
import { sortIntoDocuments } from "#core/import/layouts.ts";
import { replaceDocumentLinks } from "#core/import/link-to.ts";
import { readMarkdownDocument } from "#core/import/markdown/markdown-file.ts";
import { splitDocument } from "./split.ts";

const sha256 = (data: Uint8Array | string) => createHash("sha256").update(data).digest("hex");

/** The parts of a file as an import sends them, links shown as `→path`. */
async function split(text: string, path = "book.md", more: { split?: boolean } = {}) {
  const files = [{ path, read: () => strToU8(text) }];
  const { documents } = sortIntoDocuments(files);
  const converter = createConverter({ documents, tree: createSourceTree(files), sha256, ...more });
  for (const document of documents) await converter.examine(document);
  const [document] = documents;
  if (document === undefined) throw new Error("no document");
  const cut = splitDocument(await converter.convert(document), sha256);
  return (
    cut && {
      ...cut,
      sent: cut.parts.map((part) => replaceDocumentLinks(part.text, part.links, (target) => `→${target}`)),
    }
  );
}
const bodies = async (text: string, path?: string) =>
  Object.fromEntries(
    ((await split(text, path))?.parts ?? []).map((part) => {
      const sent = { path: part.path, text: replaceDocumentLinks(part.text, part.links, (target) => `→${target}`) };
      const { frontMatter, body } = readMarkdownDocument(sent);
      return [part.path, `${frontMatter.title}: ${body.trim()}`];
    }),
  );

describe("splitDocument", () => {
  test("reads a file that is larger than an SOP only when it is split, with the limit for each part", async () => {
    const text = `# Book\n\n${[1, 2, 3].map((part) => `## Part ${part}\n\n${"Check the pump. ".repeat(25_000)}\n\n`).join("")}`;
    await expect(split(text)).rejects.toMatchObject({ code: "too_large" });
    const { parts = [] } = (await split(text, "book.md", { split: true })) ?? {};
    expect(parts.map(({ path }) => path)).toEqual(["book.md#part-1", "book.md#part-2", "book.md#part-3"]);
    for (const part of parts) expect(() => assertDocumentSize(part.text)).not.toThrow();
    expect(() => assertDocumentSize(text)).toThrow("split it into several SOPs");
    await expect(split("x".repeat(limits.splitSource + 1), "book.md", { split: true })).rejects.toMatchObject({
      code: "too_large",
    });
  });

  test("cuts at the highest level that occurs twice, and moves the levels below up", async () => {
    const text = "# Book\n\nFor all.\n\nOf us.\n\n## One\n\nA.\n\n### Deep\n\n#### Deeper #\n\n## Two\n\nB.\n";
    expect(await bodies(text)).toEqual({
      "book.md": "Book: For all.\n\nOf us.",
      "book.md#one": "One: A.\n\n## Deep\n\n### Deeper",
      "book.md#two": "Two: B.",
    });
    expect(await bodies("## Guide 80<br>85\n\nFor all.\n\nOf us.\n\n### One\n\nA.\n\n### Two\n\nB.\n")).toEqual({
      "book.md": "Guide 80 85: For all.\n\nOf us.",
      "book.md#one": "One: A.",
      "book.md#two": "Two: B.",
    });
    expect(await bodies("# One\n\n## Deep\n\n# Two\n")).toEqual({
      "book.md#one": "One: ## Deep",
      "book.md#two": "Two: ",
    });
    expect(await bodies("One\n===\n\nA.\n\nTwo\n===\n\nB.\n")).toEqual({
      "book.md#one": "One: A.",
      "book.md#two": "Two: B.",
    });
  });

  test("adds a line before the first heading to the first part, and says which title was left out", async () => {
    const cut = await split("---\ntitle: Manual\n---\n# Book\n\nFor all.\n\n## One\n\nA.\n\n## Two\n");
    expect(cut?.sent).toEqual(['---\ntitle: "One"\n---\n\nFor all.\n\nA.\n', '---\ntitle: "Two"\n---\n\n']);
    expect(cut?.parts[0]?.notes.map(({ message }) => message)).toEqual([
      `the file's title "Manual" was left out: the title of each part is its heading`,
      `the file's title "Book" was left out: the title of each part is its heading`,
    ]);
  });

  test("gives each part the front matter, without what identifies the file", async () => {
    const id = "0198f0c2-5b7e-7c11-9a44-2f6f0a3c9d10";
    const header = `---\nid: ${id}\nsop: SOP-0001\nversion: 3\nnumber: QM-1\ntitle: T\ntags: [a]\nlang: de\nfoo: x\n---\n`;
    const cut = await split(`${header}\n# One\n\nA.\n\n# Two\n\nB.\n`);
    const front = 'tags:\n  - "a"\nlang: "de"\nx-foo: "x"\n---\n\n';
    expect(cut?.sent).toEqual([`---\ntitle: "One"\n${front}A.\n`, `---\ntitle: "Two"\n${front}B.\n`]);
    expect(cut?.parts[0]?.notes.map(({ message }) => message)).toContain(
      "left out, because each part is an SOP of its own: id, sop, number, version",
    );
  });

  test("never cuts inside code, quotes, lists and HTML elements", async () => {
    const inside =
      "```\n# Code\n```\n\n> # Quote\n\n- # Item\n\n<details>\n<summary>More</summary>\n\n# Hidden\n\n</details>\n\n<p>never closed\n\n<!-- # No <b> -->\n";
    const cut = await split(`# One\n\n${inside}\n# Two\n\nB.\n`);
    expect(cut?.parts.map(({ slug }) => slug)).toEqual(["one", "two"]);
    for (const part of ["# Code", "> # Quote", "- # Item", "# Hidden"]) expect(cut?.sent[0]).toContain(part);
    expect(await split("# One\n\n> # Two\n\n## Three\n")).toBeUndefined();
  });

  test("links headings in other parts by the names that they have there", async () => {
    const text =
      '# One\n\nTo [two](#two), [its steps](#steps-1), [mine](#steps), [me](#one), [there](#id) and [none](#none).\n\n## Steps\n\n# Two\n\n[own](#steps-1) [file](book.md#one)\n\n## Steps\n\n<a id="id"></a>Here.\n';
    const cut = await split(text);
    expect(cut?.sent[0]).toContain(
      "To [two](→book.md#two), [its steps](→book.md#two#steps), [mine](#steps), [me](→book.md#one), [there](→book.md#two#steps) and [none](#none).",
    );
    expect(cut?.sent[1]).toContain("[own](#steps) ");
    expect([cut?.target("#steps-1"), cut?.target(""), cut?.target("#none")]).toEqual([
      { path: "book.md#two", fragment: "#steps" },
      { path: "book.md#one", fragment: "" },
      { path: "book.md#one", fragment: "#none" },
    ]);
  });

  test("brings definitions and footnotes to each part that uses them", async () => {
    const text =
      "# One\n\nSee [x] and [^1].\n\n# Two\n\nSee [X] and [y][two].\n\n# Three\n\nNone.\n\n[x]: https://x.example\n[two]: #two\n[unused]: https://u.example\n\n[^1]: Note with [z].\n\n[z]: #three\n";
    expect((await split(text))?.sent).toEqual([
      '---\ntitle: "One"\n---\n\nSee [x] and [^1].\n\n[x]: https://x.example\n\n[^1]: Note with [z].\n\n[z]: →book.md#three\n',
      '---\ntitle: "Two"\n---\n\nSee [X] and [y][two].\n\n[x]: https://x.example\n\n[two]: →book.md#two\n',
      '---\ntitle: "Three"\n---\n\nNone.\n\n[unused]: https://u.example\n',
    ]);
  });

  test("gives equal headings and other scripts paths of their own, the same each time", async () => {
    const text = "# Übung\n\nA.\n\n# Übung\n\nB.\n\n# 手順\n\nC.\n\n# ?!\n\nD.\n";
    const paths = (await split(text))?.parts.map(({ path }) => path);
    expect(paths).toEqual(["book.md#übung", "book.md#übung-1", "book.md#手順", "book.md#part"]);
    const [before, after] = [await split(text), await split(text.replace("C.", "Changed."))];
    const same = before?.parts.map(({ sha256: sum }, index) => sum === after?.parts[index]?.sha256);
    expect(same).toEqual([true, true, false, true]);
  });

  test("names the lines of the file, with any line endings", async () => {
    const text =
      "\uFEFF---\r\ntags: a\r\n---\r\n# One\r\n\r\n[a](#two)\r\n\r\n# Two\r\n\r\n![gone](gone.png) [b](#one)\r\n";
    const cut = await split(text);
    expect(cut?.sent[1]).toContain("![gone](gone.png) [b](→book.md#one)");
    expect(cut?.parts[1]?.notes).toEqual([expect.objectContaining({ line: 10, path: "book.md#two" })]);
    // line 7 of the part is line 10 of the file
    expect(cut?.parts[1]?.text.split("\n")[6]).toContain("gone.png");
    expect(cut?.parts[1]?.lineShift).toBe(3);
  });
});
