import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { readMarkdownFile } from "#core/markdown/read-file.ts";
import { rankDocuments, createRanker } from "./rank.ts";

const folder = path.resolve(import.meta.dirname, "../../templates/sops");
const library = readdirSync(folder).map((name) => {
  const { frontMatter, body } = readMarkdownFile(readFileSync(path.join(folder, name), "utf8"));
  const { title = "", description = "", tags = [] } = frontMatter;
  return { name, title, description, tags, text: body };
});

describe("ranking in memory", () => {
  it.each([
    ["somebody starts on Monday, what has to be ready for the new hire", "employee-onboarding.md"],
    ["lock out a machine before maintenance", "lockout-tagout.md"],
    ["lockout", "lockout-tagout.md"],
    ["restore test of our backups", "backup-and-restore-test.md"],
    ["user forgot the passw", "password-reset.md"],
    ["invoices", "invoice-approval.md"],
    ["fire drill", "evacuation-drill.md"],
  ])("%s", (question, name) => {
    expect(
      rankDocuments(question, library)
        .slice(0, 3)
        .map(({ document }) => document.name),
    ).toContain(name);
  });

  it("puts a document with every term before those that lack one, and says what it found", () => {
    const ask = createRanker([
      { title: "Pump pump pump" },
      { title: "Other", text: "Start the pump and open the valve." },
      { title: "Nothing of it" },
    ]);
    const [first, second, ...rest] = ask("pump valve");
    expect(first).toMatchObject({ document: { title: "Other" }, found: ["pump", "valve"], coverage: 1 });
    expect(second).toMatchObject({ found: ["pump"], coverage: 0.5 });
    expect(rest).toEqual([]);
  });

  it("answers nothing to nothing", () => {
    for (const question of ["", " ", "?!", "xyzzy"]) expect(rankDocuments(question, library)).toEqual([]);
    expect(rankDocuments("pump", [])).toEqual([]);
  });
});
