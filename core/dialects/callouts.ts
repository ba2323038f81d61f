/** Reads Notion's `<aside>` and Obsidian's `> [!kind]- Title`. */
import { texts } from "./texts.ts";
import { alertKinds } from "#core/markdown/alert-grades.ts";
import { alertKindOrNote, titleFromKindWord } from "../markdown/alert-kinds.ts";
import { alertLines, withBlankLineBelow, boldMarkdown } from "./boxes.ts";
import type { RecognizedBlock, ConstructPlace } from "./construct.ts";
import type { SourceLine } from "../text/lines.ts";

export function readAside(place: ConstructPlace): RecognizedBlock | undefined {
  const { lines, index } = place;
  const line = lines[index];
  if (line === undefined || place.searches.left <= 0 || !/^<aside>[ \t]*$/.test(line.text)) return undefined;
  const close = lines.findIndex(({ text }, at) => at > index && /^<\/aside>[ \t]*$/.test(text));
  if (close === -1) {
    place.searches.left -= 1;
    return undefined;
  }
  const out = alertLines("NOTE", {
    title: undefined,
    body: place.convert(lines.slice(index + 1, close)),
    origin: line.origin,
  });
  place.add({
    dialect: "html",
    name: "<aside>",
    line: line.origin,
    outcome: "mapped",
    code: "admonition",
    what: texts.alert({ kind: "NOTE" }),
    source: "<aside>",
  });
  return { end: close + 1, out: withBlankLineBelow(out, lines[close + 1]) };
}

const ours = new Set(alertKinds.map((kind) => kind.toUpperCase()));
const callout = /^\[!([A-Za-z][\w-]*)(?:\|[^\]]*)?\]([-+]?)(.*)$/;

/**
 * Converts an Obsidian callout to an alert. The lines are those of a quote without `>`; GitHub's alerts stay unchanged.
 */
export function mapCallout(lines: readonly SourceLine[], add: ConstructPlace["add"]): SourceLine[] {
  const [first, ...rest] = lines;
  const found = first === undefined ? null : callout.exec(first.text);
  if (first === undefined || found === null) return [...lines];
  const [, word = "", fold = "", words = ""] = found;
  const title = words.replace(/\\$/, "").trim();
  if (ours.has(word) && fold === "" && title === "") return [...lines];
  const kind = ours.has(word) ? word : alertKindOrNote(word);
  add({
    dialect: "obsidian",
    name: `[!${word}]`,
    line: first.origin,
    outcome: "mapped",
    code: "admonition",
    what: texts.alert({ kind }),
    source: first.text.trim(),
  });
  const head = { text: `[!${kind}]`, origin: first.origin };
  const shown = title === "" && word.toLowerCase() !== kind.toLowerCase() ? titleFromKindWord(word) : title;
  if (shown === "") return [head, ...rest];
  const named = [{ text: boldMarkdown(shown), origin: first.origin }];
  return [head, ...named, ...(rest.length > 0 ? [{ text: "", origin: first.origin }] : []), ...rest];
}
