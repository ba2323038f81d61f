/** Fixes blocks in list items that are indented for another tool. Markdown would read them as text or code. */
import { texts } from "./texts.ts";
import type { ConstructPlace } from "./construct.ts";
import { withoutIndent, indexAfterFence, indentOf, isBlankLine, type SourceLine } from "../text/lines.ts";

interface ListMarker {
  /** The column of the item's marker. `content` is the column of the item's text. */
  indent: number;
  content: number;
}

const marker = /^[ \t]*((?:[-*+]|\d{1,9}[.)])[ \t]+)(?=\S)/;
const deep = /^[ \t]{4,}(?:`{3}|~{3}|[-*+][ \t]|\d{1,9}[.)][ \t])/;

/**
 * Reduces the indent of code fences and lists that are four or more columns deeper than the text of their list item.
 * Other tools show them inside the item, but Markdown reads the fence as text and the list as code.
 */
export function withoutDeepIndent(
  lines: readonly SourceLine[],
  { isMkDocs, add }: { isMkDocs: boolean; add: ConstructPlace["add"] },
): readonly SourceLine[] {
  if (!lines.some(({ text }) => deep.test(text))) return lines;
  const out = [...lines];
  const items: ListMarker[] = [];
  for (let index = 0; index < out.length; index += 1) {
    const line = out[index];
    if (line === undefined || isBlankLine(line.text)) continue;
    const isApart = isBlankLine(out[index - 1]?.text ?? "");
    const indent = indentOf(line.text);
    const isItem = marker.test(line.text);
    if (isApart || isItem) while (items.length > 0 && indent < (items.at(-1)?.content ?? 0)) items.pop();
    const item = items.at(-1);
    const fence = indexAfterFence(out, index);
    const beyond = item === undefined ? 0 : indent - item.content;
    const isList = isMkDocs && isApart && isItem && indent - (item?.indent ?? 0) < 8;
    if (item !== undefined && beyond >= 4 && (isList || (fence !== undefined && !isApart && !isItem))) {
      const end = isList ? indentedBlockEnd(out, index, indent) : (fence ?? index + 1);
      for (let at = index; at < end; at += 1) {
        const one = out[at];
        if (one !== undefined && !isBlankLine(one.text))
          out[at] = { ...one, text: withReducedIndent(one.text, beyond) };
      }
      add({
        dialect: "mkdocs",
        name: line.text.trim().slice(0, 40),
        line: line.origin,
        outcome: "mapped",
        code: "markup",
        what: isList ? texts.listInItem() : texts.codeInItem(),
        source: line.text.trim(),
      });
    }
    const [, mark = ""] = marker.exec(out[index]?.text ?? "") ?? [];
    if (mark !== "" && (fence === undefined || isList)) {
      const column = indentOf(out[index]?.text ?? "");
      items.push({ indent: column, content: column + mark.length });
    }
    const close = indexAfterFence(out, index);
    if (close !== undefined) index = close - 1;
  }
  return out;
}

function withReducedIndent(text: string, by: number): string {
  const rest = indentOf(text) - by;
  return " ".repeat(Math.max(0, rest)) + withoutIndent(text, indentOf(text));
}

/** Returns the index after the lines with at least this indent, without blank lines at their end. */
function indentedBlockEnd(lines: readonly SourceLine[], start: number, indent: number): number {
  let end = start + 1;
  for (let at = end; at < lines.length; at += 1) {
    const text = lines[at]?.text ?? "";
    if (isBlankLine(text)) continue;
    if (indentOf(text) < indent) break;
    end = at + 1;
  }
  return end;
}
