/** Reads field lists of MyST and reStructuredText: `:param speed: value`, with indented lines below a field. */
import { texts } from "./texts.ts";
import { keepAsFencedBlock } from "./boxes.ts";
import type { RecognizedBlock, ConstructPlace } from "./construct.ts";
import { isBlankLine } from "../text/lines.ts";

const indented = /^[ \t]+\S/;
const field = /^:[A-Za-z][\w .-]{0,80}:(?:[ \t]|$)/;

/**
 * Keeps a field list with indented lines as code, because a paragraph would join these lines with the fields. A list of
 * fields alone stays a paragraph.
 */
export function readFieldList(place: ConstructPlace): RecognizedBlock | undefined {
  const { lines, index } = place;
  if (!field.test(lines[index]?.text ?? "")) return undefined;
  let end = index + 1;
  let isNested = false;
  for (; end < lines.length; end += 1) {
    const text = lines[end]?.text ?? "";
    const isIndented = indented.test(text);
    isNested ||= isIndented;
    // a blank line belongs to the list if an indented line follows it
    const isInside = isBlankLine(text) ? indented.test(lines[end + 1]?.text ?? "") : isIndented || field.test(text);
    if (!isInside) break;
  }
  if (!isNested) return undefined;
  return keepAsFencedBlock(place, end, { dialect: "myst", name: texts.fieldList(), code: "markup" });
}
