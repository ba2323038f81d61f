/** The page `docs/security-tests.md`: promises, threats and requirements of OWASP, each with the tests that prove it. */
import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { parse, parseDocument, visit } from "yaml";
import { z } from "zod";

const root = path.join(import.meta.dirname, "..");
const dataFile = path.join(root, "test/security-tests.yaml");

/** A reference to tests: `file › part of a title`. */
const cited = z.string().regex(/^[\w./-]+\.test\.tsx? › .{5,}$/);
const row = z.strictObject({ what: z.string(), how: z.string(), tests: z.array(cited).min(1) });
const item = z.strictObject({
  items: z.string(),
  how: z.string(),
  tests: z.array(cited).min(1).optional(),
  /** The reason why there is no test. */
  unless: z.string().optional(),
});
const figure = z.strictObject({ what: z.string(), proof: z.string(), value: z.string(), goal: z.string() });
const evidenceShape = z.strictObject({
  promises: z.array(row),
  threats: z.array(row),
  figures: z.array(figure),
  level1: z.array(item),
  level2: z.array(item),
});
export type Evidence = z.output<typeof evidenceShape>;
export type Item = z.output<typeof item>;

export const readEvidenceText = (): string => readFileSync(dataFile, "utf8");
export const readEvidence = (text = readEvidenceText()): Evidence => evidenceShape.parse(parse(text));

interface Titled {
  title: string;
  /** The titles of the suites around the test, outermost first. */
  suites: string[];
}

/**
 * The tests and suites of a file with their titles as written. Indentation shows the nesting, because the formatter
 * sets it.
 */
function titlesOf(source: string): Titled[] {
  const declared = /(?:\b(?:test|it|describe\w*)|\))\(\s*(["`])((?:\\.|(?!\1).)*)\1/g;
  const around: { indent: number; title: string }[] = [];
  return [...source.matchAll(declared)].map(({ index, 2: title = "" }) => {
    const line = source.slice(source.lastIndexOf("\n", index) + 1, index + 1);
    const indent = line.length - line.trimStart().length;
    while ((around.at(-1)?.indent ?? -1) >= indent) around.pop();
    const suites = around.map((suite) => suite.title);
    around.push({ indent, title });
    return { title, suites };
  });
}

function titlesIn(file: string): Titled[] {
  return existsSync(path.join(root, file)) ? titlesOf(readFileSync(path.join(root, file), "utf8")) : [];
}

const partsOf = (one: string): [file: string, title: string] => {
  const [file = "", ...title] = one.split(" › ");
  return [file, title.join(" › ")];
};

/** The suites and title of a test, found by its file and a part of its title; null if it doesn't exist. */
export function wholeTitle(one: string): string | null {
  const [file, part] = partsOf(one);
  const found = titlesIn(file).find(({ title }) => title.includes(part));
  return found === undefined ? null : [...found.suites, found.title].join(" › ");
}

/** All tests that the data names, including those in reasons. */
export function citedTests({ promises, threats, level1, level2 }: Evidence): string[] {
  const listed = [...promises, ...threats, ...level1, ...level2].flatMap(({ tests = [] }) => tests);
  const reasons = [...level1, ...level2].map(({ unless = "" }) => unless);
  const inReasons = [...reasons.join("\n").matchAll(/`([\w./-]+\.test\.tsx? › [^`]+)`/g)].map(([, one = ""]) => one);
  return [...new Set([...listed, ...inReasons])];
}

export const missingTests = (evidence: Evidence): string[] =>
  citedTests(evidence).filter((one) => wholeTitle(one) === null);

/** The data with tests renamed. */
export function withNames(text: string, names: ReadonlyMap<string, string>): string {
  const document = parseDocument(text);
  visit(document, {
    Scalar: (_key, node) => {
      if (typeof node.value !== "string") return;
      for (const [old, name] of names) node.value = (node.value as string).replaceAll(old, name);
    },
  });
  return document.toString({ lineWidth: 0 });
}

const wordsOf = (title: string) => new Set(title.toLowerCase().match(/[\p{L}\d]+/gu));

/** The likeliest new name of a test. Its file may have moved, and most words of its title are the same. */
export function newName(one: string): string | null {
  const [file, part] = partsOf(one);
  const moved = globSync(`{core,server,cli,web,test}/**/${path.basename(file)}`, { cwd: root });
  const wanted = wordsOf(part);
  const likeness = (title: string) => {
    const words = wordsOf(title);
    const shared = [...wanted].filter((word) => words.has(word));
    return (2 * shared.length) / (wanted.size + words.size);
  };
  const [best] = (existsSync(path.join(root, file)) ? [file] : moved)
    .flatMap((at) => titlesIn(at).map(({ title }) => ({ name: `${at} › ${title}`, likeness: likeness(title) })))
    .toSorted((a, b) => b.likeness - a.likeness);
  return best === undefined || best.likeness === 0 ? null : best.name;
}

const cell = (text: string) => text.replaceAll("|", "\\|");

function testsOf(tests: readonly string[]): string {
  const shown = tests.map((one) => `\`${partsOf(one)[0]} › ${(wholeTitle(one) ?? "missing").replaceAll("`", "'")}\``);
  return shown.join(", ");
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => "---"), ...rows.map((cells) => cells.map(cell))];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

const levelTable = (items: readonly Item[]) =>
  table(
    ["Item", "In Sopwright", "Shown by"],
    items.map(({ items, how, tests, unless }) => [items, how, tests === undefined ? (unless ?? "") : testsOf(tests)]),
  );

export function securityTestsPage({ promises, threats, figures, level1, level2 }: Evidence): string {
  const rowsOf = (rows: typeof promises) => rows.map(({ what, how, tests }) => [what, how, testsOf(tests)]);
  const paragraphs = [
    "# Security tests",
    "For auditors: which test shows which promise of [security.md](security.md). Its source is\n`test/security-tests.yaml` with the names of the tests.",
    "## Promises",
    table(["About", "Promise", "Shown by"], rowsOf(promises)),
    "## Threats",
    table(["Threat", "Defence", "Shown by"], rowsOf(threats)),
    "## Figures",
    "`npm test` tries smaller counts of the same. These commands try the full counts and print what they found.",
    table(
      ["Figure", "Command", "Value", "Goal"],
      figures.map(({ what, proof, value, goal }) => [what, `\`npm run bench -- proof:${proof}\``, value, goal]),
    ),
    "## OWASP ASVS 5.0, level 1",
    "Every item of level 1 by its number; OWASP has the texts. The last column names a test, code or a document.\nOr it says that the item is not held, does not apply, or is for the operator to configure.",
    levelTable(level1),
    "## OWASP ASVS 5.0, level 2",
    levelTable(level2),
  ];
  return `${paragraphs.join("\n\n")}\n`;
}
