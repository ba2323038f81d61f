import type { List, ListItem } from "mdast";
import { stepOpeningOf } from "../english/opening.ts";
import { canBeVerb } from "../english/verbs.ts";
import type { Rule, RuleContext } from "../rule.ts";
import type { TextEdit, Fix } from "../finding.ts";
import type { ProcedureStep } from "../steps.ts";
import { sentences } from "#core/language/catalog.ts";

const joint =
  /(,? and then|,? then|, and| and|; then|;) (?:(?:then|also|carefully|gently|immediately|slowly) )?([a-z-]+) (?:the|a|an|it|them|this|that|these|those|its|your|their|each|every|all|both|\d[\d.,]*)\b/g;

const texts = sentences("core.lint.step/one-action", {
  why: "People forget the second of two actions in one step, and no one can tick half a step.",
  second: 'A second action begins here: make "{verb}" a step of its own',
});

/** Each step has one action: two actions joined by "and" are two steps. */
export const oneAction: Rule = {
  id: "step/one-action",
  severity: "warning",
  fixable: "unsafe",
  english: true,
  source: "ASD-STE100",
  why: texts.why(),
  create: (context) => ({
    step: (step) => {
      const { said, saidAt, prose } = step;
      if (stepOpeningOf(said) !== "verb") return;
      const sentence = /^[^]*?(?:[.!?](?=\s)|$)/.exec(said)?.[0] ?? said;
      const found = [...sentence.matchAll(joint)].find(([, , verb = ""]) => isAction(verb));
      if (found === undefined) return;
      const [phrase, connector = "", verb = ""] = found;
      const at = saidAt + found.index + phrase.indexOf(verb, connector.length);
      const place = prose.offsetsInFile(at, at + verb.length);
      const from = prose.offsetsInFile(saidAt + found.index, saidAt + found.index + connector.length);
      reportSecondAction(context, step, verb, place, from);
    },
  }),
  good: [
    "## Procedure\n\n1. Put tip and water on the table.\n2. Open the valve. Do not force it.\n3. Check that lamp and fan are on.\n",
  ],
  bad: [
    {
      text: "## Procedure\n\n1. Stop the pump and close the valve.\n2. **Operator:** Sign the log, then send it to the office.\n3. File it.\n",
      lines: [3, 4],
      fixed:
        "## Procedure\n\n1. Stop the pump.\n2. Close the valve.\n3. **Operator:** Sign the log.\n4. **Operator:** Send it to the office.\n5. File it.\n",
    },
  ],
};

function isAction(verb: string): boolean {
  return canBeVerb(verb) && !["water", "be", "have", "time", "do", "see"].includes(verb);
}

type WordRange = { start: number; end: number };

function reportSecondAction(
  context: RuleContext,
  step: ProcedureStep,
  verb: string,
  place: WordRange,
  from: WordRange,
): void {
  const fix = splitStepFix(context.text, step, place, from);
  context.report(texts.second({ verb }), place, fix);
}

/** Splits only a plain sentence on one line. Authors have to split steps with bold text and links themselves. */
function splitStepFix(
  text: string,
  { item, list, prose, saidAt, said }: ProcedureStep,
  verb: WordRange,
  from: WordRange,
): Fix | undefined {
  const start = item.position?.start.offset ?? 0;
  const [first] = item.children;
  const begin = first?.position?.start.offset ?? 0;
  const end = first?.position?.end.offset ?? 0;
  const source = text.slice(begin, end);
  const label = text.slice(begin, prose.offsetsInFile(saidAt, saidAt + 1).start);
  if (source.includes("\n") || source.slice(label.length) !== said || item.children.length > 1) return undefined;
  const stop = said.trimEnd().endsWith(".") ? "." : "";
  const column = start - (text.lastIndexOf("\n", start - 1) + 1);
  const marker = text.slice(start, begin);
  const next = `${stop}\n${" ".repeat(column)}${repeatsSameNumber(list, text) ? nextListMarker(marker, list) : marker}${label}`;
  const capital = text.charAt(verb.start).toUpperCase();
  return {
    safe: false,
    edits: [
      { start: from.start, end: verb.start + 1, text: next + capital },
      ...renumberItemsAfterEdits(text, list, item),
    ],
  };
}

/** Tells whether all items have the same number, so that Markdown counts them. */
function repeatsSameNumber({ ordered, children }: List, text: string): boolean {
  const [one, two] = children.map((child) => Number.parseInt(text.slice(child.position?.start.offset ?? 0), 10));
  return ordered === true && (two === undefined || one !== two);
}

function nextListMarker(marker: string, { ordered }: List): string {
  return ordered === true ? marker.replace(/^\d+/, (number) => String(Number(number) + 1)) : marker;
}

function renumberItemsAfterEdits(text: string, list: List, after: ListItem): TextEdit[] {
  if (!repeatsSameNumber(list, text)) return [];
  return list.children.slice(list.children.indexOf(after) + 1).flatMap((child) => {
    const start = child.position?.start.offset ?? 0;
    const digits = /^\d+/.exec(text.slice(start, start + 10))?.[0];
    return digits === undefined ? [] : [{ start, end: start + digits.length, text: String(Number(digits) + 1) }];
  });
}
