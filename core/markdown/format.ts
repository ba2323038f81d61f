import type { Root } from "mdast";
import { recordWrittenNumbers } from "./list-numbers.ts";
import { cleanMarkdown } from "./clean-markdown.ts";
import { parseMarkdown } from "./parse.ts";
import { isSameTree } from "./same-tree.ts";
import { blockSeparator, writeBlocks } from "./write/blocks.ts";
import { makeRepresentable, type ReportLoss } from "./write/tidy.ts";

export { isSameTree as sameTree } from "./same-tree.ts";

/**
 * Writes a Markdown body in canonical form, the only form ever stored: LF, NFC, no byte order mark, `-` and `---`
 * (`***` in the first line), hard breaks `\`, the fewest backslashes, one LF at the end. The syntax tree never changes,
 * and the form is stable: `formatMarkdown(formatMarkdown(x)) === formatMarkdown(x)`. A text that can't be rewritten
 * keeps its bytes. Throws `unprocessable` for a text that can't be parsed.
 *
 * @param numbers `counted` numbers the items of each list from its first number. `written` keeps the author's numbers,
 *   except that equal numbers are counted up.
 */
export function formatMarkdown(body: string, numbers: "written" | "counted" = "written"): string {
  const text = normaliseText(body);
  const tree = parseMarkdown(text);
  if (numbers === "written") recordWrittenNumbers(tree, text);
  return formatTree(tree, text) ?? text;
}

/**
 * Like `formatMarkdown`, for a file that another program also shows: the content of list items gets at least `indent`
 * spaces. Python-Markdown, which MkDocs uses, needs 4.
 */
export function formatIndented(body: string, indent: number): string {
  const text = normaliseText(body);
  const tree = parseMarkdown(text);
  recordWrittenNumbers(tree, text);
  return formatTree(tree, text, indent) ?? formatMarkdown(body);
}

/**
 * Normalizes a text: LF, NFC, whole characters, no control characters, no byte order mark, no blank lines at either
 * end, one LF at the end. A blank text becomes empty.
 */
export function normaliseText(text: string): string {
  const lines = cleanMarkdown(text.toWellFormed())
    .replace(/^\uFEFF/, "")
    .replace(/\r\n?/g, "\n")
    .normalize("NFC");
  let last = lines.length;
  while (last > 0 && /[ \t\n]/.test(lines.charAt(last - 1))) last -= 1;
  if (last === 0) return "";
  // spaces at the end of the last line are kept, because they can be code or HTML
  const end = lines.indexOf("\n", last);
  const first = lines.lastIndexOf("\n", lines.search(/[^ \t\n]/)) + 1;
  return `${lines.slice(first, end === -1 ? lines.length : end)}\n`;
}

/**
 * Writes a tree from another source, such as an editor or HTML, as Markdown. The result may parse slightly differently,
 * so format it.
 * @param note gets the nodes that Markdown has no form for; their words stay
 */
export function writeTree(tree: Root, note: ReportLoss = () => {}): string {
  const tidied = makeRepresentable(tree, note);
  return joinBlocks(tidied, writeBlocks(tidied));
}

/**
 * Writes a tree in canonical form that was parsed from `source` and then changed (headings moved, blocks dropped).
 * Undefined if no written form parses to the same tree, not even with the source's own bytes.
 * @param source absent for a tree whose positions belong to several texts
 */
export function formatEdited(tree: Root, source?: string): string | undefined {
  return formatTree(tree, source) ?? (source === undefined ? undefined : withOriginalBytes(tree, source));
}

function formatTree(tree: Root, source?: string, indent = 0): string | undefined {
  const blocks = writeBlocks(tree, { source, indent });
  const minimal = joinBlocks(tree, blocks);
  if (minimal === source || parsesToTree(minimal, tree)) return minimal;
  return formatBlockByBlock(tree, blocks, { source, indent });
}

/**
 * Writes each block separately, if the whole text would be parsed differently: in the minimal form, with addresses in
 * `<…>`, with every backslash, or with its original bytes. The first form that keeps the tree counts.
 */
function formatBlockByBlock(
  tree: Root,
  minimal: readonly string[],
  { source, indent }: { source: string | undefined; indent: number },
): string | undefined {
  const angled = writeBlocks(tree, { angled: true, source, indent });
  const plain = writeBlocks(tree, { plain: true, source, indent });
  const readsAlone = createBlockCheck(tree, source);
  const chosen = tree.children.map((node, index) => {
    const options = [minimal[index] ?? "", angled[index] ?? "", plain[index] ?? ""];
    return options.find((text) => readsAlone(text, node)) ?? sourceAtPosition(node.position, source);
  });
  const text = joinBlocks(tree, chosen);
  return parsesToTree(text, tree) ? text : undefined;
}

/**
 * Writes unchanged blocks with their original bytes, for texts in which canonical blocks would change each other, such
 * as a list above indented HTML.
 */
function withOriginalBytes(tree: Root, source: string): string | undefined {
  const readsAlone = createBlockCheck(tree, source);
  const minimal = writeBlocks(tree, { source });
  const kept = tree.children.map((node, index) => {
    const bytes = sourceAtPosition(node.position, source);
    return readsAlone(bytes, node) ? bytes : (minimal[index] ?? bytes);
  });
  const text = joinBlocks(tree, kept);
  return parsesToTree(text, tree) ? text : undefined;
}

/**
 * Returns a function that tells whether a text parses to one block of the tree, with the definitions that its
 * references need.
 */
function createBlockCheck(tree: Root, source = ""): (text: string, block: Root["children"][number]) => boolean {
  const definitions = tree.children
    .filter((node) => node.type === "definition" || node.type === "footnoteDefinition")
    .map((node) => sourceAtPosition(node.position, source))
    .join("\n\n");
  return (text, block) => {
    const alone = parseMarkdown(definitions === "" ? text : `${text}\n\n${definitions}\n`).children[0];
    return alone !== undefined && isSameTree(alone, block);
  };
}

function sourceAtPosition(position: Root["position"], source = ""): string {
  return source.slice(position?.start.offset ?? 0, position?.end.offset ?? 0).trimEnd();
}

function parsesToTree(text: string, tree: Root): boolean {
  return isSameTree(parseMarkdown(text), tree);
}

function joinBlocks(tree: Root, blocks: readonly string[]): string {
  let out = "";
  tree.children.forEach((node, index) => {
    const above = tree.children[index - 1];
    if (above !== undefined) out += blockSeparator(above, node);
    out += blocks[index] ?? "";
  });
  // HTML without a closing tag includes its line end.
  return out === "" || out.endsWith("\n") ? out : `${out}\n`;
}
