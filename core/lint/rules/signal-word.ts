import type { Blockquote } from "mdast";
import { writesSignalWords } from "../declared-changes.ts";
import { alertKinds, hazardKinds, isHazard, type AlertKind } from "#core/markdown/alert-grades.ts";
import { alertMark, readAlertMark } from "#core/markdown/alerts.ts";
import { stepOpeningOf } from "../english/opening.ts";
import { sentencesOf } from "../english/words.ts";
import { rangeOfNode } from "../positions.ts";
import { readProse } from "../prose.ts";
import type { Rule, RuleContext } from "../rule.ts";
import { sentences } from "#core/language/catalog.ts";

const ranks: readonly AlertKind[] = [...hazardKinds, "note"];
const avoids = /\b(?:never|do not|don't|must|only|always|no one|nobody)\b/i;

const texts = sentences("core.lint.safety/signal-word", {
  why: "DANGER is death or serious injury, WARNING injury, CAUTION minor injury, NOTICE damage. Readers must also know what to do about the hazard.",
  unknown: "{word} isn't a signal word. Use {known}",
  capitals: "Write {word}: signal words are capitals",
  order: "{word} comes before {above}",
  hazard: "Say the hazard and how to avoid it",
});

/** A warning begins with a known signal word, comes before less grave ones, and says the hazard and how to avoid it. */
export const signalWord: Rule = {
  id: "safety/signal-word",
  severity: "warning",
  fixable: "safe",
  declares: writesSignalWords,
  source: "ANSI Z535.6; ASD-STE100",
  why: texts.why(),
  create: (context) => {
    let above: { kind: AlertKind; end: number } | undefined;
    return {
      blockquote: (quote, parents) => {
        const mark = readAlertMark(quote);
        // an unknown word that is followed by text can be part of a sentence
        if (mark === undefined || (mark.kind === undefined && !mark.isAlone)) return;
        const { kind } = mark;
        const word = signalWordRange(context.text, mark);
        if (kind === undefined) {
          const known = alertKinds.join(", ").toUpperCase();
          context.report(texts.unknown({ word: word.text, known }), word);
          return;
        }
        if (word.text !== word.text.toUpperCase()) {
          const edits = [{ start: word.start, end: word.end, text: word.text.toUpperCase() }];
          // a mark with a title or with an addition of another tool stays as it is
          const fix = mark.isAlone && word.isWritten ? { safe: true, edits } : undefined;
          context.report(texts.capitals({ word: word.text.toUpperCase() }), word, fix);
        }
        const { start, end } = rangeOfNode(quote);
        const follows = above !== undefined && context.text.slice(above.end, start).trim() === "";
        if (parents.length === 1 && follows && above !== undefined && isMoreSevere(kind, above.kind))
          context.report(texts.order({ word: kind.toUpperCase(), above: above.kind.toUpperCase() }), word);
        above = { kind, end };
        if (isHazard(kind)) checkHazardText(context, quote, word);
      },
    };
  },
  good: [
    "> [!WARNING]\n> The lid is hot. Wear gloves.\n\n> [!CAUTION]\n> Hold the lid with both hands because it is heavy.\n\n> A quotation.\n",
  ],
  bad: [
    { text: "> [!ALERT]\n> Hot. Wear gloves.\n\nText\n\n> [!WARNING]\n> The lid is hot.\n", lines: [1, 6] },
    { text: "> [!CAUTION]\n> Heavy. Use both hands.\n\n> [!DANGER]\n> Live parts. Never open it.\n", lines: [4] },
    { text: "> [!warning|note]\n> Hot.\n\n>\n> [!caution]\n> Heavy.\n", lines: [1, 1, 5, 5] },
    { text: "> &#91;!warning]\n> The warning: never open it.\n", lines: [1] },
    { text: "> [!danger]- Oil\n> The oil is hot.\n\n> [!CAUTION] Hot.\n", lines: [1, 1, 4] },
    {
      text: "> [!Warning]\n> The lid is hot. Wear gloves.\n",
      lines: [1],
      fixed: "> [!WARNING]\n> The lid is hot. Wear gloves.\n",
    },
  ],
};

function isMoreSevere(kind: AlertKind, than: AlertKind): boolean {
  return ranks.includes(kind) && ranks.includes(than) && ranks.indexOf(kind) < ranks.indexOf(than);
}

/** Returns the offsets of the signal word, or of the whole mark if it is written with character references. */
function signalWordRange(text: string, { word, text: node }: NonNullable<ReturnType<typeof readAlertMark>>) {
  const range = rangeOfNode(node);
  const [before] = /^\\?\[\\?!/.exec(text.slice(range.start, range.end)) ?? [];
  const start = range.start + (before?.length ?? 0);
  const isWritten = before !== undefined && text.startsWith(word, start);
  return isWritten ? { text: word, start, end: start + word.length, isWritten } : { text: word, ...range, isWritten };
}

/** Reports a warning that has only one sentence, without an instruction that tells how to avoid the hazard. */
function checkHazardText(
  { text, isEnglish, report }: RuleContext,
  quote: Blockquote,
  word: { start: number; end: number },
): void {
  if (!isEnglish) return;
  const words = quote.children.map((child) => readProse(child, text).text).join("\n");
  const sentences = sentencesOf(words.trimStart().replace(alertMark, ""));
  if (sentences.length > 1 || sentences.some((one) => avoids.test(one.text) || stepOpeningOf(one.text) === "verb"))
    return;
  report(texts.hazard(), word);
}
