/** `docs/security.md` says which test holds what: the tests are there, the items of OWASP ASVS 5.0 are all there, once. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { parts } from "../bench/proof.ts";

const root = path.join(import.meta.dirname, "..");
const document = readFileSync(path.join(root, "docs", "security.md"), "utf8");

/** `1.2:1-5` = 1.2.1 … 1.2.5 */
function ids(...ranges: string[]): string[] {
  return ranges.flatMap((range) => {
    const [, section, from, to] = /^(\d+\.\d+):(\d+)(?:-(\d+))?$/.exec(range) ?? [];
    if (section === undefined) throw new Error(`${range} is no range`);
    const first = Number(from);
    return Array.from({ length: Number(to ?? from) - first + 1 }, (_, step) => `${section}.${first + step}`);
  });
}

// oxfmt-ignore
const level1 = ids("1.2:1-5", "1.3:1-2", "1.5:1", "2.1:1", "2.2:1-2", "2.3:1", "3.2:1-2", "3.3:1", "3.4:1-2", "3.5:1-3", "4.1:1", "4.4:1",
  "5.2:1-2", "5.3:1-2", "6.1:1", "6.2:1-8", "6.3:1-2", "6.4:1-2", "7.2:1-4", "7.4:1-2", "8.1:1", "8.2:1-2", "8.3:1", "9.1:1-3", "9.2:1",
  "10.4:1-5", "11.3:1-2", "11.4:1", "12.1:1", "12.2:1-2", "13.4:1", "14.2:1", "14.3:1", "15.1:1", "15.2:1", "15.3:1");

// oxfmt-ignore
const level2 = ids("1.1:1-2", "1.2:6-9", "1.3:3-11", "1.4:1-3", "1.5:2", "2.1:2-3", "2.2:3", "2.3:2-4", "2.4:1", "3.3:2-4", "3.4:3-6",
  "3.5:4-5", "3.7:1-2", "4.1:2-3", "4.2:1", "4.3:1-2", "4.4:2-4", "5.1:1", "5.2:3", "5.4:1-3", "6.1:2-3", "6.2:9-12", "6.3:3-4", "6.4:3-4",
  "6.5:1-5", "6.6:1-3", "6.8:1-4", "7.1:1-3", "7.3:1-2", "7.4:3-5", "7.5:1-2", "7.6:1-2", "8.1:2", "8.2:3", "8.4:1", "9.2:2-4",
  "10.1:1-2", "10.2:1-2", "10.3:1-4", "10.4:6-11", "10.5:1-5", "10.6:1-2", "10.7:1-3", "11.1:1-2", "11.2:1-3", "11.3:3", "11.4:2-4",
  "11.5:1", "11.6:1", "12.1:2-3", "12.3:1-4", "13.1:1", "13.2:1-5", "13.3:1-2", "13.4:2-5", "14.1:1-2", "14.2:2-4", "14.3:2-3",
  "15.1:2-3", "15.2:2-3", "15.3:2-7", "16.1:1", "16.2:1-5", "16.3:1-4", "16.4:1-3", "16.5:1-3", "17.1:1", "17.2:1-4", "17.3:1-2");

function sectionOf(text: string, heading: string): string {
  const [, rest = ""] = text.split(`\n## ${heading}\n`);
  return rest.split("\n## ")[0] ?? "";
}

/** The cells of the tables in a text, without their heads. */
function rowsOf(text: string): string[][] {
  const lines = text.split("\n");
  return lines
    .filter(
      (line, at) => line.startsWith("|") && !/^\|[-| ]+\|$/.test(line) && !/^\|[-| ]+\|$/.test(lines[at + 1] ?? ""),
    )
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

const citation = /`([\w./-]+\.test\.tsx?) › ([^`]+)`/g;

/** The titles of a file's tests and suites, as they are written. */
function titlesOf(source: string): string[] {
  const declared = /(?:\b(?:test|it|describe\w*)|\))\(\s*(["`])((?:\\.|(?!\1).)*)\1/g;
  return [...source.matchAll(declared)].map(([, , title = ""]) => title);
}

function missingTests(text: string): string[] {
  const titles = new Map<string, string[]>();
  return [...text.matchAll(citation)].flatMap(([cited, file = "", title = ""]) => {
    if (!existsSync(path.join(root, file))) return [cited];
    const known = titles.get(file) ?? titlesOf(readFileSync(path.join(root, file), "utf8"));
    titles.set(file, known);
    return title.length >= 5 && known.some((one) => one.includes(title)) ? [] : [cited];
  });
}

const reasons = /^(not held|by configuration|does not apply|by construction|by documentation): (.+)$/;

/** What is wrong with the table of a level. */
function tableFaults(text: string, wanted: readonly string[]): string[] {
  const rows = rowsOf(text);
  const found = rows.flatMap(([cell = ""]) => cell.split(", "));
  const faults = [
    ...wanted.filter((id) => !found.includes(id)).map((id) => `${id} is missing`),
    ...found.filter((id, at) => found.indexOf(id) !== at).map((id) => `${id} stands twice`),
    ...found.filter((id) => !wanted.includes(id)).map((id) => `${id} is none of this level`),
  ];
  for (const [cell = "", how = "", held = "", ...more] of rows) {
    if (more.length > 0 || how === "") faults.push(`${cell}: the row is not whole`);
    const [, kind, why = ""] = reasons.exec(held) ?? [];
    const left = held.replaceAll(citation, "").replaceAll(/[,\s]/g, "");
    if (kind === undefined && (left !== "" || held === "")) faults.push(`${cell}: ${held} names no test and no reason`);
    if (kind !== "by construction" && kind !== "by documentation") continue;
    const files = [...why.matchAll(/`([\w./-]+)`/g)].map(([, file = ""]) => file);
    if (files.length === 0 || !files.every((file) => existsSync(path.join(root, file))))
      faults.push(`${cell}: ${why} names no file`);
  }
  return faults;
}

function figureFaults(text: string): string[] {
  const rows = rowsOf(text);
  const commands = rows.map(([, command = ""]) => /^`npm run bench -- proof:(\w+)`$/.exec(command)?.[1] ?? command);
  return [
    ...rows.filter((row) => row.length !== 4 || row.includes("")).map((row) => `${row.join(" | ")}: not whole`),
    ...commands.filter((part) => !Object.hasOwn(parts, part)).map((part) => `${part} is no part of the proofs`),
    ...Object.keys(parts)
      .filter((part) => !commands.includes(part))
      .map((part) => `no figure of ${part}`),
  ];
}

const levels = [
  ["OWASP ASVS 5.0, level 1", level1, 70],
  ["OWASP ASVS 5.0, level 2", level2, 183],
] as const;

describe("docs/security.md", () => {
  test("names only tests that are there", () => {
    expect([...document.matchAll(citation)].length).toBeGreaterThan(200);
    expect(missingTests(document)).toEqual([]);
  });

  test.each(levels)("has every item of %s once, each with a test or a reason", (heading, wanted, count) => {
    expect(new Set(wanted).size).toBe(count);
    expect(tableFaults(sectionOf(document, heading), wanted)).toEqual([]);
  });

  test("has a figure of every proof, with the command that prints it", () => {
    expect(figureFaults(sectionOf(document, "Figures"))).toEqual([]);
  });

  test("shows every promise and every defence by a test", () => {
    for (const heading of ["What we promise", "Threats"]) {
      const rows = rowsOf(sectionOf(document, heading));
      expect([heading, rows.length > 10]).toEqual([heading, true]);
      for (const row of rows)
        expect([row[0], [...(row.at(-1) ?? "").matchAll(citation)].length > 0]).toEqual([row[0], true]);
    }
  });
});

describe("the check finds", () => {
  test("a test that is gone, and a title that nobody has", () => {
    const cited = ["`test/gone.test.ts › a title`", "`test/kill.test.ts › a title that nobody has`"];
    // what stands in a file is no test of it
    const text = "`test/kill.test.ts › SIGKILL`";
    expect(missingTests([...cited, text].join(", "))).toEqual([...cited, text]);
    expect(missingTests("`test/security-doc.test.ts › a test that is gone`")).toEqual([]);
  });

  test("items that are missing, doubled or of another level, and empty reasons", () => {
    const table = (...rows: string[]) => `| id | how | held by |\n|---|---|---|\n${rows.join("\n")}\n`;
    const sound = "| 1.2.1, 1.2.2 | so | does not apply: none |";
    expect(tableFaults(table(sound), ["1.2.1", "1.2.2"])).toEqual([]);
    expect(tableFaults(table(sound, "| 1.2.2 | so | not held: why |"), ["1.2.1", "1.2.2", "1.2.3"])).toEqual([
      "1.2.3 is missing",
      "1.2.2 stands twice",
    ]);
    expect(tableFaults(table("| 9.9.9 | so | surely |"), [])).toEqual([
      "9.9.9 is none of this level",
      "9.9.9: surely names no test and no reason",
    ]);
    expect(tableFaults(table("| 1.2.1 | so | by construction: `server/gone.ts` |"), ["1.2.1"])).toHaveLength(1);
  });

  test("figures whose command prints nothing", () => {
    const faults = figureFaults(
      "| figure | command | value | goal |\n|---|---|---|---|\n| a | `npm run bench -- proof:nothing` | — | 0 |\n",
    );
    expect(faults).toContain("nothing is no part of the proofs");
    expect(faults).toContain("no figure of tenancy");
  });
});
