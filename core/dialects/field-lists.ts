/** `:param speed: value` of MyST and reStructuredText, with indented lines below a field. */
import { keptBlock } from "./boxes.ts";
import type { Block, Place } from "./construct.ts";
import { isBlank } from "../text/lines.ts";

const indented = /^[ \t]+\S/;
const field = /^:[A-Za-z][\w .-]{0,80}:(?:[ \t]|$)/;

/** Kept whole: as a paragraph, the indented lines would join the fields. Fields alone are a paragraph. */
export function readFieldList(place: Place): Block | undefined {
  const { lines, index } = place;
  if (!field.test(lines[index]?.text ?? "")) return undefined;
  let end = index + 1;
  let isNested = false;
  for (; end < lines.length; end += 1) {
    const text = lines[end]?.text ?? "";
    const isIndented = indented.test(text);
    isNested ||= isIndented;
    // a blank line is inside where an indented one follows it
    const isInside = isBlank(text) ? indented.test(lines[end + 1]?.text ?? "") : isIndented || field.test(text);
    if (!isInside) break;
  }
  if (!isNested) return undefined;
  return keptBlock(place, end, { dialect: "myst", name: "field list", code: "markup" });
}
