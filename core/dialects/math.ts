/** Reads formulas on separate lines, as MkDocs and MyST write them. */
import { texts, withOmitted } from "./texts.ts";
import { withBlankLineBelow, linesInFence, indentedLines, leadingSpaceOf } from "./boxes.ts";
import type { RecognizedBlock, ConstructPlace } from "./construct.ts";
import { isBlankLine, linesAsText } from "../text/lines.ts";

/** Patterns for the start and end of a formula, and for a formula on one line. MyST can add a name after the end. */
const forms = [
  {
    begin: /^[ \t]*\$\$/,
    end: /\$\$[ \t]*(?:\(([\w:.-]+)\))?[ \t]*$/,
    one: /^[ \t]*\$\$.*\S.*\$\$[ \t]*(?:\([\w:.-]+\))?[ \t]*$/,
  },
  // an escaped bracket can also be ordinary Markdown text
  {
    begin: /^[ \t]*\\\[[ \t]*$/,
    end: /^[ \t]*\\\][ \t]*$/,
    one: /^[ \t]*\\\[(?=.*(?:\\[A-Za-z]|[^\\][\^_={}])).*\\\][ \t]*$/,
  },
] as const;

export function readMath(place: ConstructPlace): RecognizedBlock | undefined {
  const { lines, index, add } = place;
  const line = lines[index];
  const form = forms.find(({ begin, one }) => begin.test(line?.text ?? "") || one.test(line?.text ?? ""));
  if (line === undefined || form === undefined) return undefined;
  const isOne = form.one.test(line.text);
  const last = isOne
    ? index
    : index + 1 + lines.slice(index + 1, index + 200).findIndex(({ text }) => form.end.test(text));
  if ((last === index && !isOne) || lines.slice(index, last).some(({ text }) => isBlankLine(text))) return undefined;
  const text = linesAsText(lines.slice(index, last + 1)).trim();
  const [, label] = form.end.exec(text) ?? [];
  const written = label === undefined ? text : text.slice(0, text.lastIndexOf("(")).trimEnd();
  const body = written.slice(2, -2).replace(/^[ \t]*\n|\n[ \t]*$/g, "");
  const what = withOmitted(texts.math(), label === undefined ? "" : `label: ${label}`);
  const origin = line.origin;
  const name = text.slice(0, 2);
  add({ dialect: "mkdocs", name, line: origin, outcome: "mapped", code: "markup", what, source: text });
  const out = linesInFence(
    "math",
    body.split("\n").map((part) => ({ text: isOne ? part.trim() : part, origin })),
  );
  return { end: last + 1, out: withBlankLineBelow(indentedLines(leadingSpaceOf(line.text), out), lines[last + 1]) };
}
