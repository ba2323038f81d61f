/** Why a place should change, and what would vanish with it. */
import { lostTokens } from "#core/ai/protected-tokens.ts";
import type { ImprovedTextAnswer } from "#core/ai/schema.ts";
import type { Place } from "#core/diff/places.ts";
import { standing } from "../review/entries.ts";

/** Figures, units, links, warnings and words that forbid, which the place holds and the proposal for it doesn't. */
export function lostAt(place: Place): string[] {
  return lostTokens(standing(place, place.base), standing(place, place.theirs));
}

/** The model's own words for the blocks of the place; of rules, what they found in its lines and find no more. */
export function reasonsOf(
  { edits, findings, ai }: ImprovedTextAnswer,
  { from, to, base, line, endLine }: Place,
): string[] {
  if (ai === null) {
    const left = new Set(findings.after.map(({ rule, message }) => `${rule} ${message}`));
    const here = findings.before.filter((one) => one.line >= line && one.line <= endLine);
    return unique(here.filter(({ rule, message }) => !left.has(`${rule} ${message}`)).map(({ message }) => message));
  }
  const own = edits.filter(({ blockId, op }) => {
    const block = Number(blockId.slice(1)) - 1;
    return block >= from && block <= to && (op !== "insertAfter" || base === "" || from < to);
  });
  return unique(own.map(({ why }) => why));
}

function unique(words: readonly string[]): string[] {
  return [...new Set(words.filter((word) => word !== ""))];
}
