/** All of the seed's texts and constants are listed, and the named test proves each of them. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it, test } from "vitest";
import { constants } from "./seed-constants.ts";
import { pending, quotedTexts, replacedTexts, type Section, type SeedText } from "./seed-texts.ts";
import { readTests, type ReadTest } from "./test-source.ts";

const root = path.resolve(import.meta.dirname, "..");
const seedFile = path.join(root, "..", "shared", "spec", "seed.md");
const isHere = existsSync(seedFile);
if (!isHere) console.warn("the list of the seed's texts is not held against it: ../shared/spec/seed.md is not there");

const shown: readonly SeedText[] = [...quotedTexts, ...constants];
const files = new Map<string, ReadTest[]>();
function testsOf(file: string): ReadTest[] {
  const known = files.get(file) ?? readTests(path.join(root, file));
  files.set(file, known);
  return known;
}

/** The values allowed for `{n}`, `...`, `create/update` and a date. A sentence may continue after the text. */
function shapeOf(text: string): RegExp {
  const escaped = text.replace(/[.*+?^$()|[\]\\]/g, "\\$&");
  const filled = escaped
    .replace("MMM d, yyyy", "[A-Z][a-z]{2} \\d{1,2}, \\d{4}")
    .replace(/\{\w+\}| \\\.\\\.\\\. /g, (blank) => (blank.startsWith("{") ? ".+" : " .+ "))
    .replace(/(\w+)\/(\w+)/g, "($1|$2)");
  return new RegExp(`(^|\\b)${filled}(?!\\w)`);
}

/** The fault of this row; null if it has none. */
function faultOf({ section, text, shownBy: { file, test: title, as } }: SeedText): string | null {
  if (!existsSync(path.join(root, file))) return "the file is not there";
  const named = testsOf(file).filter((one) => one.title === title);
  if (named.length === 0) return "the file has no test of this title";
  const found = named.some(({ strings, code }) => (section === 9 ? code.includes(as) : strings.has(as)));
  if (!found) return `the test does not look for ${as}`;
  if (section !== 9 && as !== text && !shapeOf(text).test(as)) return `${as} is not this text`;
  return null;
}

describe("each listed text", () => {
  it.each([...new Set(shown.map(({ shownBy }) => shownBy.file))])("that %s shows is shown there", (file) => {
    const rows = shown.filter(({ shownBy }) => shownBy.file === file);
    const faults = rows.flatMap((row) => {
      const fault = faultOf(row);
      return fault === null ? [] : [`${row.section}: ${row.text} (${row.shownBy.test}): ${fault}`];
    });
    expect(faults).toEqual([]);
  });

  it("is shown, or replaced for a reason", () => {
    for (const { text, replaced } of replacedTexts) expect([text, replaced.length > 20]).toEqual([text, true]);
    if (pending.length > 0) console.warn(`texts without a test:\n  ${pending.join("\n  ")}`);
    expect(pending).toEqual([]);
  });
});

describe("a row is refused", () => {
  const [row] = quotedTexts as [SeedText];
  const broken = (shownBy: Partial<SeedText["shownBy"]>, text = row.text) =>
    faultOf({ ...row, text, shownBy: { ...row.shownBy, ...shownBy } });

  it("whose file, test or text is not there", () => {
    expect(broken({})).toBeNull();
    expect(broken({ file: "web/nowhere.test.tsx" })).toBe("the file is not there");
    expect(broken({ test: "is nothing" })).toBe("the file has no test of this title");
    expect(broken({ as: "Nobody says this" })).toBe("the test does not look for Nobody says this");
    expect(broken({}, "Page Lost")).toBe("Page Not Found is not this text");
  });

  it("whose text is in the title, in a faked answer, in typed text or in text that must be absent", () => {
    const inForgotten = (test: string) =>
      testsOf("web/sign-in/forgotten.test.tsx").find(({ title }) => title === test)?.strings;
    const refused = inForgotten("shows why a password was refused");
    expect(refused?.has("Password is too common")).toBe(true);
    expect(refused?.has("no")).toBe(false);
    expect(refused?.has("123456{Enter}")).toBe(false);
    expect(refused?.has("shows why a password was refused")).toBe(false);
    const sopsPage = testsOf("web/sops/list/sops-page.test.tsx");
    const cleared = sopsPage.find(({ title }) => title === "flag templates, drafts in work, and what an AI wrote");
    expect(cleared?.strings.has("v1 published")).toBe(true);
    const fallback = sopsPage.find(({ title }) => title.startsWith("show title, description"));
    expect(fallback?.strings.has("Template")).toBe(false);
  });
});

describe.skipIf(!isHere)("of the seed", () => {
  const seed = isHere ? readFileSync(seedFile, "utf8") : "";
  const section = (number: Section) =>
    seed.split(/^## /m).find((part) => part.startsWith(`${number}. `)) ?? expect.fail(`no section ${number}`);
  const listed = [...shown, ...replacedTexts];

  test.each([2, 5, 7, 8] as const)("every quoted text of section %i has a row for each of its places", (number) => {
    const quoted = [...section(number).matchAll(/(?<!\w)'((?:[^']|(?<=[a-z])'(?=[a-z]))+)'(?!\w)/g)];
    const places = Map.groupBy(quoted, ([, text]) => text ?? "");
    expect(places.size).toBeGreaterThan(1);
    const forgotten = [...places].flatMap(([text, at]) => {
      const rows = listed.filter((row) => row.section === number && row.text === text);
      return rows.length < at.length ? [`${text}: ${rows.length} of ${at.length}`] : [];
    });
    expect(forgotten).toEqual([]);
  });

  test("every word of section 9 is in a row", () => {
    const phrases = constants.map(({ text }) => text).toSorted((a, b) => b.length - a.length);
    const [, ...bullets] = section(9).split(/^- /m);
    const left = bullets.map((bullet) =>
      phrases.reduce((rest, phrase) => rest.replace(phrase, ""), bullet).replace(/[\s,;.]/g, ""),
    );
    expect(left).toEqual(bullets.map(() => ""));
  });

  test("nothing is listed that the seed does not say", () => {
    const strange = listed.filter((row) => !section(row.section).includes(row.text));
    expect(strange.map(({ section: number, text }) => `${number}: ${text}`)).toEqual([]);
  });
});
