import { isSentence, joinedByCommas, sentences, type MessageWithId } from "#core/language/catalog.ts";
import type { Element, Nodes, Root } from "hast";
import { assetUrl, hrefIfSafe } from "../links.ts";
import { descendantsNamed, textProperty } from "./elements.ts";
import { inputSchema } from "./schema.ts";

export const lossTexts = sentences("core.markdown.losses", {
  times: "{what} ({times} times)",
  examples: "{what}: {examples}",
  removed: "<{tag}> was removed",
  textKept: "<{tag}> was removed, its text kept",
  styles: "style attributes were removed",
  handlers: "event handlers were removed",
  unsafeLink: "an unsafe link target was removed",
  explanation: "the explanation of <{tag}> was removed",
  linkedImage: "an image that isn't stored here is shown as a link",
  letters: "letters or Roman numbers of a list became numbers",
  uncounted: "an item's number that Markdown can't count became text",
  jump: "the numbers of a list jump, so a new list begins there",
  wordlessLink: "a link without words was removed",
  headingContent: "a heading with a list, a table or code inside: they are below it now",
  codeLink: "a link inside code became its words",
  codeRaised: "raised or lowered text inside code became plain",
  oneCell: "a table of one cell with a table in it became its content",
  innerTable: "a table inside a table became lines of its cell",
  symbol: "a sign of a symbol font stays as its letter",
  headerless: "a table without a header row: its first row became the header",
  comment: "a comment was left out",
  trackedChanges: "tracked changes were accepted, without",
  lastNumber: "a step number of several levels became its last number",
  headingNumber: "the number of a heading is not part of the text",
  macro: "the text of a macro was kept alone",
  hiddenText: "hidden text was left out",
  formula: "a formula became text: check it",
  drawing: "a drawing was removed, its words kept",
  readingAids: "reading aids above words are in brackets now",
  hiddenField: "a hidden form field was left out",
  button: "a button was removed, its words kept",
  fieldType: "a form field of type {type} was left out",
  emptyField: "an empty form field became ____",
  field: "a form field became its value as text",
  dropDown: "a drop-down list became its selected option",
  chosen: "{value} (not: {others})",
  mediaLink: "<{tag}> became a link",
  noAddress: "an image without an address became its alternative text",
});

/** The id of a kind of loss. */
export const lossId = (key: keyof typeof lossTexts): string => `core.markdown.losses.${key}`;

/** The kind of a loss, without its count and examples. */
export function lossWithoutCount(loss: MessageWithId): MessageWithId {
  const { what } = loss.values;
  return isSentence(what) ? lossWithoutCount(what) : loss;
}

/** Collects what a conversion drops or changes: each kind of loss once, with its count and a few examples. */
export interface Losses {
  add(what: MessageWithId, example?: string | MessageWithId): void;
  lines(): MessageWithId[];
}

const harmless = new Set(
  (
    "html head body meta link title wbr colgroup col font small big label base style bdi tbody address form fieldset " +
    "legend hgroup search menu dir map picture source param track data time output optgroup option nobr rp rb rtc " +
    "input select textarea datalist noscript template dialog svg math " +
    "ruby rt video audio iframe embed object canvas"
  ).split(" "),
);

export function createLossCollector(): Losses {
  interface FoundLoss {
    what: MessageWithId;
    times: number;
    /** Examples by their text. */
    examples: Map<string, string | MessageWithId>;
  }
  const found = new Map<string, FoundLoss>();
  return {
    add(what, example) {
      const kind = found.get(what.text) ?? { what, times: 0, examples: new Map() };
      kind.times += 1;
      const shown = typeof example === "string" ? shortenedLine(example) : example;
      if (shown !== undefined && kind.examples.size < 3)
        kind.examples.set(typeof shown === "string" ? shown : shown.text, shown);
      found.set(what.text, kind);
    },
    lines: () =>
      [...found.values()].map(({ what, times, examples }) => {
        const counted = times === 1 ? what : lossTexts.times({ what, times });
        if (examples.size === 0) return counted;
        return lossTexts.examples({ what: counted, examples: joinedByCommas([...examples.values()]) });
      }),
  };
}

export function shortenedLine(text: string, most = 60): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}

/** Walks the original HTML and notes what Markdown will not keep. */
export function reportHtmlLosses(root: Root, losses: Losses): void {
  const noteLosses = (node: Nodes): void => {
    if (node.type === "element") {
      noteElementLosses(node, losses);
      // Drawings and formulas are reported as a whole.
      if (node.tagName === "svg" || node.tagName === "math") return;
    }
    if ("children" in node) node.children.forEach(noteLosses);
  };
  noteLosses(root);
}

function noteElementLosses(node: Element, losses: Losses): void {
  const { tagName, properties } = node;
  // Word's own elements (`o:p`) only surround words.
  if (!inputSchema.tagNames?.includes(tagName) && !harmless.has(tagName) && !tagName.includes(":")) {
    const withContent = inputSchema.strip?.includes(tagName);
    losses.add(lossTexts[withContent ? "removed" : "textKept"]({ tag: tagName }));
  }
  if (properties["style"] !== undefined) losses.add(lossTexts.styles());
  if (Object.keys(properties).some((name) => /^on/i.test(name))) losses.add(lossTexts.handlers());
  const { href, title } = properties;
  if (tagName === "a" && typeof href === "string" && hrefIfSafe(href) === undefined)
    losses.add(lossTexts.unsafeLink(), href);
  if ((tagName === "abbr" || tagName === "dfn") && typeof title === "string" && title.trim() !== "")
    losses.add(lossTexts.explanation({ tag: tagName }), title);
}

/**
 * Returns a note on images that aren't stored on this server, which views show as links.
 * @param isOther tells whether to count an image, by its address; by default, every image counts
 */
export function linkedImages(page: Root, isOther: (address: string) => boolean = () => true): MessageWithId[] {
  const losses = createLossCollector();
  for (const image of descendantsNamed(page, "img")) {
    const address = textProperty(image, "src");
    if (!assetUrl.test(address) && isOther(address)) losses.add(lossTexts.linkedImage(), address);
  }
  return losses.lines();
}
