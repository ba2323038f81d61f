import type {
  Blockquote,
  BlockContent,
  Heading,
  List,
  ListItem,
  Nodes,
  Paragraph,
  PhrasingContent,
  Root,
  Table,
} from "mdast";
import { toString } from "mdast-util-to-string";
import { formatMarkdown, writeTree } from "#core/markdown/format.ts";
import { parseMarkdown } from "#core/markdown/parse.ts";
import { draftWords, type DraftWords } from "./draft-words.ts";
import type { DraftSection, DraftStep, SopDraft } from "./draft.ts";

/** The SOPs that a draft can refer to, by the id under which the model was shown them. */
export type ReferenceSources = ReadonlyMap<string, { title: string; href: string }>;

/**
 * Writes the body of a draft in canonical Markdown. The model's words are escaped, so they add no markup, link or HTML.
 * References to SOPs that the model wasn't shown become assumptions for the author to check.
 * @param language BCP 47, for the headings that the product adds
 */
export function draftAsMarkdown(draft: SopDraft, sources: ReferenceSources = new Map(), language = "en"): string {
  const ours = draftWords(language);
  const known = draft.references.filter(({ sourceId }) => sourceId === null || sources.has(sourceId));
  const unknown = draft.references.filter((reference) => !known.includes(reference));
  const assumptions = [...draft.assumptions, ...unknown.map(({ label }) => ours.exists(label))];
  const root: Root = {
    type: "root",
    children: [
      ...titledBlocks(ours.purpose, [paragraphNode(draft.purpose)]),
      ...titledBlocks(ours.scope, [paragraphNode(draft.scope)]),
      ...titledBlocks(
        ours.responsibilities,
        tableNodes(
          [ours.role, ours.responsibility],
          draft.roles.map(({ name, duty }) => [name, duty]),
        ),
      ),
      ...titledBlocks(
        ours.safety,
        draft.warnings.map(({ level, text }) => alertNode(level, text)),
      ),
      ...titledBlocks(ours.equipment, bulletListNodes(draft.equipment.map((item) => [plainTextNode(item)]))),
      ...titledBlocks(
        ours.procedure,
        draft.sections.flatMap((one) => draftSectionBlocks(one, ours)),
      ),
      ...titledBlocks(
        ours.records,
        tableNodes(
          [ours.record, ours.place, ours.keptFor],
          draft.records.map(({ name, place, retention }) => [name, place, retention]),
        ),
      ),
      ...titledBlocks(
        ours.references,
        bulletListNodes(known.map(({ sourceId, label }) => draftReference(sourceId, label, sources))),
      ),
      ...titledBlocks(
        ours.assumptions,
        bulletListNodes(
          assumptions.map((item) => [plainTextNode(item)]),
          false,
        ),
      ),
    ],
  };
  return formatMarkdown(writeTree(withoutUnknownAddresses(parseMarkdown(writeTree(root)), sourceAddressesOf(sources))));
}

function sourceAddressesOf(sources: ReferenceSources): Set<string> {
  return new Set([...sources.values()].map(({ href }) => href));
}

/**
 * Turns unknown bare addresses into plain text. Markdown would make links of them, and the model may have invented
 * them.
 */
function withoutUnknownAddresses<Tree extends Nodes>(tree: Tree, allowed: ReadonlySet<string>): Tree {
  if (!("children" in tree)) return tree;
  const children = tree.children.map((child) =>
    child.type === "link" && !allowed.has(child.url)
      ? { type: "inlineCode" as const, value: toString(child) }
      : withoutUnknownAddresses(child, allowed),
  );
  return { ...tree, children } as Tree;
}

function titledBlocks(title: string, content: BlockContent[]): BlockContent[] {
  return content.length === 0 ? [] : [headingNode(2, title), ...content];
}

function draftSectionBlocks({ heading: title, steps }: DraftSection, ours: DraftWords): BlockContent[] {
  return [headingNode(3, title), ...stepLists(steps, ours)];
}

/**
 * Writes steps as numbered lists. A warning comes before its step and splits the list; the next list continues the
 * numbers.
 */
function stepLists(steps: readonly DraftStep[], ours: DraftWords): BlockContent[] {
  const blocks: BlockContent[] = [];
  steps.forEach((step, index) => {
    const last = blocks.at(-1);
    if (step.warning !== null) blocks.push(alertNode("warning", step.warning));
    if (step.warning === null && last?.type === "list") last.children.push(draftStepItem(step, ours));
    else blocks.push(orderedListNode([draftStepItem(step, ours)], index + 1));
  });
  return blocks;
}

function draftStepItem({ text: words, role, verify, sub }: DraftStep, ours: DraftWords): ListItem {
  const lead: PhrasingContent[] = role === null ? [] : [strongNode(`${role}:`), plainTextNode(" ")];
  return {
    type: "listItem",
    spread: false,
    children: [
      { type: "paragraph", children: [...lead, plainTextNode(words)] },
      ...(sub.length === 0 ? [] : [orderedListNode(sub.map((one) => plainListItem([plainTextNode(one)])))]),
      ...(verify === null ? [] : bulletListNodes([[strongNode(ours.check), plainTextNode(` ${verify}`)]])),
    ],
  };
}

function draftReference(sourceId: string | null, label: string, sources: ReferenceSources): PhrasingContent[] {
  const source = sourceId === null ? undefined : sources.get(sourceId);
  return [
    source === undefined
      ? plainTextNode(label)
      : { type: "link", url: source.href, children: [plainTextNode(source.title)] },
  ];
}

function headingNode(depth: 2 | 3, words: string): Heading {
  return { type: "heading", depth, children: [plainTextNode(words)] };
}

function paragraphNode(words: string): Paragraph {
  return { type: "paragraph", children: [plainTextNode(words)] };
}

function alertNode(level: string, words: string): Blockquote {
  return {
    type: "blockquote",
    children: [
      { type: "paragraph", children: [{ type: "html", value: `[!${level.toUpperCase()}]\n` }, plainTextNode(words)] },
    ],
  };
}

function orderedListNode(children: ListItem[], start = 1): List {
  return { type: "list", ordered: true, start, spread: false, children };
}

/** @param ticked makes the items tasks: `false` for open ones */
function bulletListNodes(items: readonly PhrasingContent[][], ticked?: boolean): List[] {
  if (items.length === 0) return [];
  const children = items.map((item) => ({
    ...plainListItem(item),
    ...(ticked === undefined ? {} : { checked: ticked }),
  }));
  return [{ type: "list", ordered: false, spread: false, children }];
}

function plainListItem(children: PhrasingContent[]): ListItem {
  return { type: "listItem", spread: false, children: [{ type: "paragraph", children }] };
}

function tableNodes(head: readonly string[], body: readonly (readonly string[])[]): Table[] {
  if (body.length === 0) return [];
  const children = [head, ...body].map((cells) => ({
    type: "tableRow" as const,
    children: cells.map((cell) => ({ type: "tableCell" as const, children: [plainTextNode(cell)] })),
  }));
  return [{ type: "table", align: head.map(() => null), children }];
}

function strongNode(words: string): PhrasingContent {
  return { type: "strong", children: [plainTextNode(words)] };
}

/** Returns a text node of one line, so that a line break of the model can't begin a new block. */
function plainTextNode(words: string): PhrasingContent {
  const line = words.replace(/\s+/g, " ");
  // without the space, a link from a bare address would include the backslash that keeps `<` from being HTML
  return { type: "text", value: line.replace(/((?:https?:\/\/|www\.)[^\s<]*)</gi, "$1 <") };
}
