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

/** The possible targets of references: the company's SOPs that the model saw, by the id that it got for them. */
export type Sources = ReadonlyMap<string, { title: string; href: string }>;

/**
 * The body of a draft in canonical Markdown. The model's words stay plain text: they can add no markup, no link and no
 * HTML. References to SOPs that the model wasn't shown become assumptions for the author to check.
 * @param language BCP 47, for the headings of the program
 */
export function writeDraft(draft: SopDraft, sources: Sources = new Map(), language = "en"): string {
  const ours = draftWords(language);
  const known = draft.references.filter(({ sourceId }) => sourceId === null || sources.has(sourceId));
  const unknown = draft.references.filter((reference) => !known.includes(reference));
  const assumptions = [...draft.assumptions, ...unknown.map(({ label }) => ours.exists(label))];
  const root: Root = {
    type: "root",
    children: [
      ...part(ours.purpose, [paragraph(draft.purpose)]),
      ...part(ours.scope, [paragraph(draft.scope)]),
      ...part(
        ours.responsibilities,
        rows(
          [ours.role, ours.responsibility],
          draft.roles.map(({ name, duty }) => [name, duty]),
        ),
      ),
      ...part(
        ours.safety,
        draft.warnings.map(({ level, text }) => alert(level, text)),
      ),
      ...part(ours.equipment, bullets(draft.equipment.map((item) => [text(item)]))),
      ...part(
        ours.procedure,
        draft.sections.flatMap((one) => section(one, ours)),
      ),
      ...part(
        ours.records,
        rows(
          [ours.record, ours.place, ours.keptFor],
          draft.records.map(({ name, place, retention }) => [name, place, retention]),
        ),
      ),
      ...part(ours.references, bullets(known.map(({ sourceId, label }) => reference(sourceId, label, sources)))),
      ...part(
        ours.assumptions,
        bullets(
          assumptions.map((item) => [text(item)]),
          false,
        ),
      ),
    ],
  };
  return formatMarkdown(writeTree(withoutAddresses(parseMarkdown(writeTree(root)), hrefsOf(sources))));
}

function hrefsOf(sources: Sources): Set<string> {
  return new Set([...sources.values()].map(({ href }) => href));
}

/** GFM turns every bare address into a link. An address that the model made up is shown as text instead. */
function withoutAddresses<Tree extends Nodes>(tree: Tree, allowed: ReadonlySet<string>): Tree {
  if (!("children" in tree)) return tree;
  const children = tree.children.map((child) =>
    child.type === "link" && !allowed.has(child.url)
      ? { type: "inlineCode" as const, value: toString(child) }
      : withoutAddresses(child, allowed),
  );
  return { ...tree, children } as Tree;
}

function part(title: string, content: BlockContent[]): BlockContent[] {
  return content.length === 0 ? [] : [heading(2, title), ...content];
}

function section({ heading: title, steps }: DraftSection, ours: DraftWords): BlockContent[] {
  return [heading(3, title), ...stepLists(steps, ours)];
}

/** A warning comes before its step, outside the list. The list after it continues the step numbers. */
function stepLists(steps: readonly DraftStep[], ours: DraftWords): BlockContent[] {
  const blocks: BlockContent[] = [];
  steps.forEach((step, index) => {
    const last = blocks.at(-1);
    if (step.warning !== null) blocks.push(alert("warning", step.warning));
    if (step.warning === null && last?.type === "list") last.children.push(item(step, ours));
    else blocks.push(ordered([item(step, ours)], index + 1));
  });
  return blocks;
}

function item({ text: words, role, verify, sub }: DraftStep, ours: DraftWords): ListItem {
  const lead: PhrasingContent[] = role === null ? [] : [strong(`${role}:`), text(" ")];
  return {
    type: "listItem",
    spread: false,
    children: [
      { type: "paragraph", children: [...lead, text(words)] },
      ...(sub.length === 0 ? [] : [ordered(sub.map((one) => plainItem([text(one)])))]),
      ...(verify === null ? [] : bullets([[strong(ours.check), text(` ${verify}`)]])),
    ],
  };
}

function reference(sourceId: string | null, label: string, sources: Sources): PhrasingContent[] {
  const source = sourceId === null ? undefined : sources.get(sourceId);
  return [source === undefined ? text(label) : { type: "link", url: source.href, children: [text(source.title)] }];
}

function heading(depth: 2 | 3, words: string): Heading {
  return { type: "heading", depth, children: [text(words)] };
}

function paragraph(words: string): Paragraph {
  return { type: "paragraph", children: [text(words)] };
}

function alert(level: string, words: string): Blockquote {
  return {
    type: "blockquote",
    children: [{ type: "paragraph", children: [{ type: "html", value: `[!${level.toUpperCase()}]\n` }, text(words)] }],
  };
}

function ordered(children: ListItem[], start = 1): List {
  return { type: "list", ordered: true, start, spread: false, children };
}

/** @param ticked makes the items tasks: `false` for open ones */
function bullets(items: readonly PhrasingContent[][], ticked?: boolean): List[] {
  if (items.length === 0) return [];
  const children = items.map((item) => ({ ...plainItem(item), ...(ticked === undefined ? {} : { checked: ticked }) }));
  return [{ type: "list", ordered: false, spread: false, children }];
}

function plainItem(children: PhrasingContent[]): ListItem {
  return { type: "listItem", spread: false, children: [{ type: "paragraph", children }] };
}

function rows(head: readonly string[], body: readonly (readonly string[])[]): Table[] {
  if (body.length === 0) return [];
  const children = [head, ...body].map((cells) => ({
    type: "tableRow" as const,
    children: cells.map((cell) => ({ type: "tableCell" as const, children: [text(cell)] })),
  }));
  return [{ type: "table", align: head.map(() => null), children }];
}

function strong(words: string): PhrasingContent {
  return { type: "strong", children: [text(words)] };
}

/** Makes one line of a text, so that a line break of the model can't begin a block. */
function text(words: string): PhrasingContent {
  const line = words.replace(/\s+/g, " ");
  // without the space, a link from a bare address would include the backslash that keeps `<` from being HTML
  return { type: "text", value: line.replace(/((?:https?:\/\/|www\.)[^\s<]*)</gi, "$1 <") };
}
