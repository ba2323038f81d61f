import type { Root } from "mdast";
import { keepNumbers } from "./list-numbers.ts";
import { changesDirection, withoutControls } from "../text/clean-text.ts";
import { eachNode, parseMarkdown } from "./parse.ts";
import { sameTree } from "./same-tree.ts";
import { separator, writeBlocks } from "./write/blocks.ts";
import { tidy, type Note } from "./write/tidy.ts";

export { sameTree } from "./same-tree.ts";

/**
 * The canonical form of a Markdown body, the only one ever stored: LF, NFC, no byte order mark, `-` and `---`
 * (`***` in the first line), hard breaks `\`, the fewest backslashes, one LF at the end. Never changes the syntax tree, and is stable:
 * `formatMarkdown(formatMarkdown(x)) === formatMarkdown(x)`; a text that can't be rewritten keeps its bytes. Throws `unprocessable` where the text can't be parsed.
 *
 * @param numbers `counted` makes the numbers of each list count up from its first. As `written` they stay as the author
 *   wrote them, and only those that are all the same count up.
 */
export function formatMarkdown(body: string, numbers: "written" | "counted" = "written"): string {
  const text = normaliseText(body);
  const tree = parseMarkdown(text);
  if (numbers === "written") keepNumbers(tree, text);
  return canonical(tree, text) ?? text;
}

/**
 * The same for a file that a program of another dialect shows, too: what items of lists hold has at least so many spaces before it.
 * Python-Markdown, which MkDocs uses, needs 4.
 */
export function formatIndented(body: string, indent: number): string {
  const text = normaliseText(body);
  const tree = parseMarkdown(text);
  keepNumbers(tree, text);
  return canonical(tree, text, indent) ?? formatMarkdown(body);
}

/** LF, NFC, whole characters, no control characters, no byte order mark, no blank lines at either end, one LF at the end; blank text is empty. */
export function normaliseText(text: string): string {
  const lines = withoutControls(withoutReferences(text.toWellFormed()))
    .replace(/^\uFEFF/, "")
    .replace(/\r\n?/g, "\n")
    .normalize("NFC");
  let last = lines.length;
  while (last > 0 && /[ \t\n]/.test(lines.charAt(last - 1))) last -= 1;
  if (last === 0) return "";
  // spaces at the end of the last line are kept: they can be code or HTML
  const end = lines.indexOf("\n", last);
  const first = lines.lastIndexOf("\n", lines.search(/[^ \t\n]/)) + 1;
  return `${lines.slice(first, end === -1 ? lines.length : end)}\n`;
}

/** `&rlm;`, `&#8238;`, `&#x202E;`, and the backslashes before it. In HTML, numbers need no semicolon. */
const references = /(?<=(?<!\\)(\\*))&(?:(lrm|rlm);|#(\d+);?|#[xX]([\da-fA-F]+);?)/g;
const maybeReference = /&(?:lrm|rlm|#[\dxX])/;

/** References to characters that change the direction of others, as these characters. In code, they are words. */
export function withoutReferences(text: string): string {
  if (!maybeReference.test(text)) return text;
  const apart: { type: string; start: number; end: number }[] = [];
  eachNode(parseMarkdown(text), ({ type, position }) => {
    if (type !== "code" && type !== "inlineCode" && type !== "html") return;
    apart.push({ type, start: position?.start.offset ?? 0, end: position?.end.offset ?? 0 });
  });
  let next = 0;
  return text.replace(references, (written: string, slashes: string, name?: string, decimal?: string, ...more) => {
    const [hex, at] = more as [string | undefined, number];
    while ((apart[next]?.end ?? Infinity) <= at) next += 1;
    const { type, start } = apart[next] ?? { type: "", start: Infinity };
    const kind = start <= at ? type : "text";
    const isWords = slashes.length % 2 === 1 || !written.endsWith(";");
    if (kind !== "html" && (kind !== "text" || isWords)) return written;
    const mark = name === "lrm" ? 0x20_0e : name === "rlm" ? 0x20_0f : Number(decimal ?? `0x${hex}`);
    const character = mark <= 0x10_ff_ff ? String.fromCodePoint(mark) : "";
    return changesDirection.test(character) ? character : written;
  });
}

/**
 * A tree that came from elsewhere (an editor, HTML) as Markdown; may read back slightly differently: format the result.
 * @param note is told of nodes that Markdown has no form for; their words stay
 */
export function writeTree(tree: Root, note: Note = () => {}): string {
  const tidied = tidy(tree, note);
  return join(tidied, writeBlocks(tidied));
}

/**
 * A tree that was parsed from `source` and then changed (headings moved, blocks dropped), in canonical form.
 * Undefined where no way of writing it reads back as the same tree, not even with the source's own bytes.
 * @param source left out for a tree whose positions are those of several texts
 */
export function formatEdited(tree: Root, source?: string): string | undefined {
  return canonical(tree, source) ?? (source === undefined ? undefined : withOwnBytes(tree, source));
}

function canonical(tree: Root, source?: string, indent = 0): string | undefined {
  const blocks = writeBlocks(tree, { source, indent });
  const minimal = join(tree, blocks);
  if (minimal === source || reads(minimal, tree)) return minimal;
  return formatCarefully(tree, blocks, { source, indent });
}

/**
 * Something reads back differently. Each block is tried alone: with addresses in `<…>`, with every backslash, and if that doesn't help
 * it keeps its own bytes. So the tree never changes.
 */
function formatCarefully(
  tree: Root,
  minimal: readonly string[],
  { source, indent }: { source: string | undefined; indent: number },
): string | undefined {
  const angled = writeBlocks(tree, { angled: true, source, indent });
  const plain = writeBlocks(tree, { plain: true, source, indent });
  const readsAlone = readerAlone(tree, source);
  const chosen = tree.children.map((node, index) => {
    const options = [minimal[index] ?? "", angled[index] ?? "", plain[index] ?? ""];
    return options.find((text) => readsAlone(text, node)) ?? own(node.position, source);
  });
  const text = join(tree, chosen);
  return reads(text, tree) ? text : undefined;
}

/** Where canonical blocks change each other, such as a list above indented HTML: blocks that weren't changed keep their bytes. */
function withOwnBytes(tree: Root, source: string): string | undefined {
  const readsAlone = readerAlone(tree, source);
  const minimal = writeBlocks(tree, { source });
  const kept = tree.children.map((node, index) => {
    const bytes = own(node.position, source);
    return readsAlone(bytes, node) ? bytes : (minimal[index] ?? bytes);
  });
  const text = join(tree, kept);
  return reads(text, tree) ? text : undefined;
}

/** Whether a text reads as a block of the tree, with the definitions that its references need. */
function readerAlone(tree: Root, source = ""): (text: string, block: Root["children"][number]) => boolean {
  const definitions = tree.children
    .filter((node) => node.type === "definition" || node.type === "footnoteDefinition")
    .map((node) => own(node.position, source))
    .join("\n\n");
  return (text, block) => {
    const alone = parseMarkdown(definitions === "" ? text : `${text}\n\n${definitions}\n`).children[0];
    return alone !== undefined && sameTree(alone, block);
  };
}

function own(position: Root["position"], source = ""): string {
  return source.slice(position?.start.offset ?? 0, position?.end.offset ?? 0).trimEnd();
}

function reads(text: string, tree: Root): boolean {
  return sameTree(parseMarkdown(text), tree);
}

function join(tree: Root, blocks: readonly string[]): string {
  let out = "";
  tree.children.forEach((node, index) => {
    const above = tree.children[index - 1];
    if (above !== undefined) out += separator(above, node);
    out += blocks[index] ?? "";
  });
  // Unclosed HTML keeps its line end.
  return out === "" || out.endsWith("\n") ? out : `${out}\n`;
}
