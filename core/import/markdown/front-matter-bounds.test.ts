import { expect, it } from "vitest";
import { limits } from "#core/limits.ts";
import { frontMatterKinds } from "#core/markdown/front-matter.ts";
import { categoryNamedIn } from "#core/sops/import-rules.ts";
import { AppError } from "#core/errors.ts";
import { assertHeaderReadable, readMarkdownDocument } from "./markdown-file.ts";
import { isAlwaysShown } from "./report.ts";

const read = (text: string) => readMarkdownDocument({ path: "it/a.md", text });

/** Has the value an effect, or what do people see of it without -v? */
function fate(key: string, header: string): string {
  try {
    const { frontMatter, report } = read(header);
    const notes = report.filter(isAlwaysShown).filter(({ message }) => message.startsWith(`${key}: `));
    const [note] = notes;
    if (note !== undefined) return note.line === 2 && /\. [A-Z].+/.test(note.message) ? "named" : JSON.stringify(note);
    const used = key === "category" ? categoryNamedIn(frontMatter) : frontMatter[key as keyof typeof frontMatterKinds];
    return used === undefined ? "ignored" : "counts";
  } catch (error) {
    return error instanceof AppError && error.message.includes(`line 2: ${key}: `) ? "named" : String(error);
  }
}

const values = {
  text: "some words",
  list: "[a]",
  "nested list": "[[a]]",
  "list of null": "[null]",
  mapping: "{a: 1}",
  "empty mapping": "{}",
  "whole number": "7",
  zero: "0",
  number: "1.5",
  negative: "-3",
  true: "true",
  false: "false",
};
const keys = [...Object.keys(frontMatterKinds), "category", "Review-By", "Owner", "language", "x-category"];

it.each(keys)("each value of %s counts, or people see a note with its line and what to write", (key) => {
  const own = { "Review-By": "review_by", Owner: "owner", language: "lang", "x-category": "category" }[key] ?? key;
  for (const [kind, value] of Object.entries(values)) {
    for (const header of [`---\n${key}: ${value}\n---\n\nText\n`, `---\n"${key}": ${value}\nfoo: 1\n---\n\nText\n`]) {
      const notedAs = fate(key, header);
      expect([kind, notedAs === "ignored" ? fate(own, header) : notedAs]).toEqual([
        kind,
        expect.stringMatching(/^(?:named|counts)$/),
      ]);
    }
  }
});

it.each(Object.keys(frontMatterKinds))("a table of TOML under %s is named", (key) => {
  const { report } = read(`+++\nfoo = "x"\n[${key}]\na = "b"\n+++\n\nText\n`);
  expect(report.filter(isAlwaysShown)).toMatchObject([{ line: 4, message: expect.stringContaining(`${key}.a: b `) }]);
});

it.each(["", "null", "~", "''", "' '", "[]", "['']"])("an empty value is as none: %s", (value) => {
  for (const key of keys) {
    const { report } = read(`---\n${key}: ${value}\n---\n\nText\n`);
    expect([key, report.filter(isAlwaysShown)]).toEqual([key, []]);
  }
});

const tags = (count: number, length: number) =>
  `[${Array.from({ length: count }, (_, at) => `t${at}`.padEnd(length, "x")).join(", ")}]`;

it.each([
  ["read_minutes", limits.readMinutes, limits.readMinutes + 1, "Read time must be at most 10000 minutes"],
  ["read_minutes", 1, "'0000000099999'", "Read time must be at most 10000 minutes"],
  ["tags", tags(limits.tags, 4), tags(limits.tags + 1, 4), "An SOP can have at most 50 tags"],
  ["tags", tags(2, limits.tagCharacters), tags(2, limits.tagCharacters + 1), "A tag can have at most 60 characters"],
])("a file has the bounds of the API: %s", (key, most, more, message) => {
  const file = (value: unknown) => `---\ntitle: T\n${key}: ${value}\n---\n\nText\n`;
  expect(read(file(most)).frontMatter).toHaveProperty(key);
  expect(() => assertHeaderReadable(file(most))).not.toThrow();
  const { frontMatter, report } = read(file(more));
  expect(frontMatter).not.toHaveProperty(key);
  expect(report.filter(isAlwaysShown)).toMatchObject([{ line: 3, message: expect.stringContaining(`. ${message}`) }]);
  expect(() => assertHeaderReadable(file(more))).toThrow(`. ${message}`);
});

it.each([
  ["title", limits.titleCharacters],
  ["Description", limits.descriptionCharacters],
])("%s is cut, and people see that with its line", (key, most) => {
  const { frontMatter, report } = read(`---\nfoo: x\n${key}: ${"x".repeat(most + 1)}\n---\n\nText\n`);
  expect(frontMatter[key.toLowerCase() as "title"]).toHaveLength(most);
  expect(report.filter(isAlwaysShown)).toMatchObject([{ line: 3, message: expect.stringContaining(`cut to ${most}`) }]);
});
