/** Merges three texts of one document: the front matter by keys, the body by lines. */
import { conflictBlock, mergeTexts, type MergedText, type SideNames } from "#core/diff/merge.ts";
import { fileTextOf, type FrontMatter } from "#core/markdown/front-matter.ts";
import { readMarkdownFile } from "#core/markdown/read-file.ts";

const serverOwned = ["sop", "id", "version"];

/**
 * Merges two texts with their common base, the front matter by keys. Merged by lines, each changed title would be a
 * conflict, because the line of the version is beside it and changes with each save.
 * @throws AppError if front matter can't be read
 */
export function mergeDocuments(base: string, mine: string, theirs: string, names: SideNames): MergedText {
  const [was, own, other] = [readMarkdownFile(base), readMarkdownFile(mine), readMarkdownFile(theirs)] as const;
  const header = mergeHeaders(was.frontMatter, own.frontMatter, other.frontMatter, names);
  const body = mergeTexts(was.body, own.body, other.body, names);
  return { text: `---\n${header.text}---\n\n${body.text}`, conflicts: header.conflicts + body.conflicts };
}

/** Returns the local text with the server's number, id and version. */
export function withServerIdentity(mine: string, theirs: string): string {
  const [own, other] = [readMarkdownFile(mine), readMarkdownFile(theirs)];
  const { sop, id, version } = other.frontMatter;
  const owned = { ...(sop && { sop }), ...(id && { id }), ...(version && { version }) };
  return fileTextOf({ ...own.frontMatter, ...owned }, own.body);
}

function mergeHeaders(base: FrontMatter, mine: FrontMatter, theirs: FrontMatter, names: SideNames): MergedText {
  // The keys of all three headers, in the order in which a file lists them.
  const keys = [...fileTextOf({ ...base, ...mine, ...theirs }, "").matchAll(/^([a-z][a-z0-9_-]*):/gm)].map(
    ([, key]) => key ?? "",
  );
  let text = "";
  let conflicts = 0;
  for (const key of keys) {
    const [was, own, other] = [
      frontMatterLineOf(base, key),
      frontMatterLineOf(mine, key),
      frontMatterLineOf(theirs, key),
    ] as const;
    if (serverOwned.includes(key) || own === was) text += other;
    else if (other === was || other === own) text += own;
    else {
      conflicts += 1;
      text += conflictBlock(own, other, names);
    }
  }
  return { text, conflicts };
}

/** Returns the line of a key as in the front matter of a saved file; empty if the key is missing. */
function frontMatterLineOf(front: FrontMatter, key: string): string {
  const one: FrontMatter = Object.fromEntries(Object.entries(front).filter(([name]) => name === key));
  return fileTextOf(one, "").replace(/^---\n|---\n\n$/g, "");
}
