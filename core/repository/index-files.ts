/**
 * Writes files of `main` for people and for the company's git host: `README.md`, `index/<category>.md` and
 * `CODEOWNERS`. They follow from the files of `main` and the list of categories. A version with the same title and
 * owner as the one before changes none of them.
 */
import type { CategoryEntry } from "./event.ts";
import { uncategorizedFolder } from "./names.ts";
import { orderedCategories } from "./repo-files.ts";

export const readmePath = "README.md";
export const codeownersPath = "CODEOWNERS";

/** A published SOP, by the facts in its file. */
export interface IndexEntry {
  number: string;
  title: string;
  owner: string | null;
}

/** Tells whether a file of `main` is written by the server itself and is no document. */
export function isMadeByServer(path: string): boolean {
  return isIndexFile(path) || path.startsWith(".sop/");
}

export function isIndexFile(path: string): boolean {
  return path === readmePath || path === codeownersPath || path.startsWith("index/");
}

/** The category of a file that the index lists; null for others, such as those in `archive/`. */
export function indexedCategoryOf(path: string): string | null {
  return /^(?:sops|templates)\/([a-z0-9-]+)\/[^/]+\.md$/.exec(path)?.[1] ?? null;
}

export function indexPagePath(category: string): string {
  return `index/${category}.md`;
}

/**
 * The index of the published SOPs on `main`. It stores the written lines, so that a publication among thousands of SOPs
 * writes only one line.
 */
export class MainIndex {
  /** Category → path → line of its page. */
  readonly #pages = new Map<string, Map<string, string>>();
  /** Path → line of `CODEOWNERS`. */
  readonly #ownerOf = new Map<string, string>();
  readonly #owners: string[] = [];

  /**
   * Restores the index from the files that it wrote.
   *
   * @returns null for files that `files` would write differently
   */
  static readFrom(files: ReadonlyMap<string, string>, categories: readonly CategoryEntry[]): MainIndex | null {
    const index = new MainIndex();
    const owners = new Map<string, string>();
    for (const line of files.get(codeownersPath)?.split("\n") ?? []) owners.set(line.split("-*.md ", 1)[0] ?? "", line);
    for (const line of [...files.values()].flatMap((text) => text.split("\n"))) {
      const [, number = "", path = ""] = /^- \[([^ \]]+).*\]\(\.\.\/([^ ()]+)\)$/.exec(line) ?? [];
      if (indexedCategoryOf(path) !== null) index.#add(path, line, owners.get(number.toLowerCase()));
    }
    const written = index.files(categories);
    const isSame = written.size === files.size && [...written].every(([path, text]) => files.get(path) === text);
    return isSame ? index : null;
  }

  /**
   * Adds or replaces an SOP's file, if the index lists files of its folder. @returns the category of the file; null if no
   * line of its page and no owner changed
   */
  set(path: string, { number, title, owner }: IndexEntry): string | null {
    const category = indexedCategoryOf(path);
    if (category === null) return null;
    const isUsername = owner !== null && /^[a-z0-9._-]+$/.test(owner);
    const line = `- [${escapedForMarkdownLine(`${number} ${title}`)}](../${path})`;
    const ownerLine = isUsername ? `${number.toLowerCase()}-*.md @${owner}` : undefined;
    if (this.#pages.get(category)?.get(path) === line && this.#ownerOf.get(path) === ownerLine) return null;
    this.remove(path);
    this.#add(path, line, ownerLine);
    return category;
  }

  #add(path: string, line: string, ownerLine: string | undefined): void {
    const category = indexedCategoryOf(path) ?? "";
    const page = this.#pages.get(category) ?? new Map<string, string>();
    this.#pages.set(category, page.set(path, line));
    if (ownerLine === undefined) return;
    this.#ownerOf.set(path, ownerLine);
    this.#owners.splice(this.#indexOfLine(ownerLine), 0, ownerLine);
  }

  /** Removes an SOP's file. @returns the category whose page changes; null if the index doesn't list the file */
  remove(path: string): string | null {
    const category = indexedCategoryOf(path);
    const page = category === null ? undefined : this.#pages.get(category);
    if (category === null || page?.delete(path) !== true) return null;
    if (page.size === 0) this.#pages.delete(category);
    const line = this.#ownerOf.get(path);
    if (line !== undefined) this.#owners.splice(this.#indexOfLine(line), 1);
    this.#ownerOf.delete(path);
    return category;
  }

  /** The slugs of categories with a page. */
  categories(): string[] {
    return [...this.#pages.keys()];
  }

  /** The page of a category; null when it has no published SOP. */
  page(category: string, categories: readonly CategoryEntry[]): string | null {
    const page = this.#pages.get(category);
    if (page === undefined) return null;
    const paths = [...page.keys()].sort();
    const linesInFolder = (folder: string) =>
      paths.filter((path) => path.startsWith(folder)).map((path) => page.get(path));
    const [sops, templates] = [linesInFolder("sops/"), linesInFolder("templates/")];
    const parts = [`# ${escapedForMarkdownLine(categoryPathName(category, categories))}`];
    if (sops.length > 0) parts.push(sops.join("\n"));
    if (templates.length > 0) parts.push("## Templates", templates.join("\n"));
    return `${parts.join("\n\n")}\n`;
  }

  /** The start page, with the categories that have published SOPs, in their order. */
  readme(categories: readonly CategoryEntry[]): string {
    const known = [...orderedCategories(categories).map(({ slug }) => slug), uncategorizedFolder];
    // a folder can outlive its category
    const ordered = new Set([...known, ...[...this.#pages.keys()].sort()]);
    const list = [...ordered]
      .filter((slug) => this.#pages.has(slug))
      .map((slug) => `- [${escapedForMarkdownLine(categoryPathName(slug, categories))}](${indexPagePath(slug)})`);
    const shown = list.length > 0 ? list.join("\n") : "No SOP is published yet.";
    return `# Standard operating procedures\n\nThe published SOPs, by category:\n\n${shown}\n\n${readmeEnd}`;
  }

  /** The owners in the syntax of git hosts. A pattern only contains the number, so moving an SOP changes nothing. */
  codeowners(): string {
    return ["# The owner of each published SOP, by username. Sopwright writes this file.", ...this.#owners, ""].join(
      "\n",
    );
  }

  /** All files of the index, by path. */
  files(categories: readonly CategoryEntry[]): Map<string, string> {
    return new Map([
      [readmePath, this.readme(categories)],
      [codeownersPath, this.codeowners()],
      ...this.categories().map((one) => [indexPagePath(one), this.page(one, categories) ?? ""] as const),
    ]);
  }

  /** The index of a line in the sorted owners, or the index at which to insert it. */
  #indexOfLine(line: string): number {
    let [from, to] = [0, this.#owners.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.#owners[middle] ?? "") < line) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

const readmeEnd = `## About this repository

- \`main\` has the published versions. \`history\` has every saved version. \`archive/\` has SOPs that no longer apply.
- A tag such as \`sop-0042/v3\` marks the publication of a version.
- Who approved what: \`git fetch origin refs/notes/approvals:refs/notes/approvals\`, then \`git log --notes=approvals\`.
- Sopwright writes both branches. To propose a change, push to \`refs/for/main\` of the server.
`;

/** The name of a category with that of the category around it: `IT / Servers`. */
function categoryPathName(slug: string, categories: readonly CategoryEntry[]): string {
  const names: string[] = [];
  const seen = new Set<string>();
  for (let at: string | undefined = slug; at !== undefined && !seen.has(at);) {
    seen.add(at);
    const found = categories.find((category) => category.slug === at);
    names.unshift(found?.name.normalize("NFC") ?? (at === uncategorizedFolder ? "Uncategorized" : at));
    at = found?.parent;
  }
  return names.join(" / ");
}

/**
 * Writes a text as one line of Markdown that shows it unchanged. Only fixed character ranges are used, as in commit
 * messages.
 */
function escapedForMarkdownLine(text: string): string {
  return (
    text
      .toWellFormed()
      // oxlint-disable-next-line no-control-regex -- removing control characters is the point
      .replace(/[\u0000-\u0020\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]+/g, " ")
      .trim()
      .replace(/[\\`*_[\]<>&|~]/g, "\\$&")
  );
}
