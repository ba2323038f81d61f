/** Everything that comments and pages cite is in the repository, so that readers can look it up there. */
import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { parseSync } from "vite";
import { madePages } from "../bin/pages.ts";

const root = path.resolve(import.meta.dirname, "..");
const folders = ["core", "server", "web", "cli", "test", "bench", "bin", "docs", "templates"];

// `test/architecture.test.ts` creates such folders for a moment
const exclude = (name: string) => path.basename(name).startsWith("guard-");
const files = globSync(["*.*", ...folders.map((folder) => `${folder}/**/*.*`)], { cwd: root, exclude });
const sources = files.filter((file) => /\.(tsx?|css)$/.test(file));
const pages = files.filter(
  (file) => file.endsWith(".md") && !/^(test\/corpus|test\/dialects|test\/faithful\/cases|templates)\//.test(file),
);

const read = (file: string) => readFileSync(path.join(root, file), "utf8");

function commentsOf(file: string): string {
  const source = read(file);
  if (file.endsWith(".css")) return (source.match(/\/\*[^]*?\*\//g) ?? []).join("\n");
  return parseSync(file, source)
    .comments.map(({ value }) => value)
    .join("\n");
}

/** Sections of published standards: readers can look them up anywhere. */
const standards = /\b(?:RFC|ISO|ISO\/IEC|CFR|SI brochure|EU GMP)\b[^§\n]{0,20}§ ?[\d.]+/g;
const foreign = /§ ?\d|\b(?:research|design)\/[\w-]+|\b(?:research|design) [\w-]+\.md/g;

function foreignCitations(text: string): string[] {
  return text.replaceAll(standards, "").match(foreign) ?? [];
}

/**
 * `core/limits.ts`, `docs/decisions/0055`; not a part of a longer path or address. `templates/` is left out: a writer's
 * workspace has one too.
 */
const cited = folders.filter((folder) => folder !== "templates").join("|");
const repositoryPath = new RegExp(`(?<![\\w./:@-])(?:${cited})/[\\w./-]*\\w`, "g");

/** Decisions are cited by number. */
function isDecision(named: string): boolean {
  return /\/\d{4}$/.test(named) && files.some((file) => file.startsWith(`${named}-`));
}

const made = Object.keys(madePages).map((name) => `docs/${name}`);
const isThere = (named: string) => made.includes(named) || existsSync(path.join(root, named));

function missingPaths(text: string): string[] {
  return (text.match(repositoryPath) ?? []).filter((named) => !isThere(named) && !isDecision(named));
}

function missingLinks(page: string): string[] {
  const prose = read(page).replaceAll(/^(`{3,}|~{3,})[^]*?^\1|`[^`\n]+`/gm, "");
  const targets = [...prose.matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)/g)].map(([, target = ""]) => target);
  return targets.filter((target) => !isThere(path.join(path.dirname(page), target)));
}

const faultsOf = (named: readonly string[], faults: (file: string) => string[]) =>
  named.flatMap((file) => faults(file).map((fault) => `${file}: ${fault}`));

test("a citation of a file that only its authors have is found", () => {
  const text = "(seed\u00a79), `design/web.md`, research ai-search.md, ISO 9001 §7.5.3; 21 CFR 211 §2 and RFC 8410 §7";
  expect(foreignCitations(text)).toEqual(["§9", "design/web", "research ai-search.md"]);
  expect(missingPaths("`core/limits.ts`, docs/spec/nowhere.md, https://a.example/core/x.ts")).toEqual([
    "docs/spec/nowhere.md",
  ]);
});

test("no source and no page cites a file that only its authors have", () => {
  const checked = [...sources, ...pages].filter((file) => file !== "test/citations.test.ts");
  expect(checked.length).toBeGreaterThan(500);
  expect(faultsOf(checked, (file) => foreignCitations(read(file)))).toEqual([]);
});

test("each path that a comment or a page names exists", () => {
  expect(faultsOf(sources, (file) => missingPaths(commentsOf(file)))).toEqual([]);
  expect(faultsOf(pages, (file) => missingPaths(read(file)))).toEqual([]);
  expect(faultsOf(pages, missingLinks)).toEqual([]);
});
