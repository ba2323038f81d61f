import { expect, it } from "vitest";
import { openTypesetter } from "../../server/export/typst.ts";
import { canReadPdfs } from "../pdf-text.ts";
import { paperFaults, pdfDifferences } from "./pdf.ts";
import { large } from "./tables.ts";

it.skipIf(!canReadPdfs)("printed tables have the words of the text, each in its column and on its page", async () => {
  const typesetter = await openTypesetter();
  const fromLeft = pdfDifferences(0, 25, { typesetter });
  const fromRight = pdfDifferences(1_000, 10, { typesetter, fromRight: true });
  expect([...fromLeft, ...fromRight]).toEqual([]);
});

const many = (count: number, make: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => make(at)).join("");
const name = (at: number) =>
  `q${[...String(at).padStart(3, "0")].map((digit) => "abcdefghik"[Number(digit)]).join("")}`;
const long = many(60, () => "mnoprst");
const indented = (text: string) => text.replaceAll("\n", "\n   ");
const table = (count: number, cell = "") =>
  `| A | B |\n| --- | --- |\n${many(count, (at) => `| ${name(at)} | ${cell}end |\n`)}`;

it.skipIf(!canReadPdfs).each([
  ["a box taller than a page", `> [!WARNING]\n${many(90, (at) => `> ${name(at)} is hot\n>\n`)}`],
  ["a table in a step", `1. First\n\n   ${indented(table(80))}\n2. Second`],
  ["a table in a box", `> [!NOTE]\n> ${table(80).replaceAll("\n", "\n> ")}`],
  ["code longer and wider than a page", `\`\`\`\n${many(25, (at) => `${name(at)} ${long}\n`)}\`\`\``],
  ["code in a step", `1. First\n\n   \`\`\`\n   ${long} end\n   \`\`\``],
  ["notes in a table", `${table(40, "noted[^n] ")}\n[^n]: The note ${long}`],
  [
    "details with a long summary",
    `<details><summary>${many(50, (at) => `${name(at)} `)}</summary>\n\nHidden ${long}\n\n</details>`,
  ],
  ["a long heading", `## ${many(80, (at) => `${name(at)} `)}${long}\n\nText`],
  ["a caption", `![p](/api/assets/${large} "${many(80, (at) => `${name(at)} `)}${long}")`],
  ["images in cells", `| A | B |\n|---|---|\n${many(4, (at) => `| ${name(at)} ![p](/api/assets/${large}) | end |\n`)}`],
  ["lists below lists", many(14, (at) => `${"   ".repeat(at)}1. ${name(at)} step\n`)],
  [
    "a table below lists",
    `${many(4, (at) => `${"   ".repeat(at)}1. ${name(at)}\n`)}\n${"   ".repeat(4)}${table(5, `${long} `).replaceAll("\n", `\n${"   ".repeat(4)}`)}`,
  ],
  [
    "a head taller than a page",
    `<table><thead><tr><th>${many(90, (at) => `${name(at)}<br>`)}</th></tr></thead><tr><td>cell</td></tr></table>`,
  ],
  [
    "a table of 40 columns",
    `|${many(40, (at) => ` ${name(at)} |`)}\n|${many(40, () => " --- |")}\n|${many(40, (at) => ` ${name(at + 40)} |`)}`,
  ],
  [
    "raw HTML",
    `<kbd>${long}</kbd> H<sub>2</sub>O x<sup>2</sup> <ins>inserted</ins> <dl><dt>term</dt><dd>meaning ${long}</dd></dl>`,
  ],
])("paper has all words of %s, on the page and apart", async (_, markdown) => {
  expect(paperFaults(markdown, await openTypesetter())).toEqual([]);
});
