/** Writes titles of suggested SOPs (gaps), and texts with the evidence for each of them. */
import { catalog, sentences, type MessageWithId } from "../language/catalog.ts";

/** Rules that find gaps, in the order in which a text lists their reasons. */
const order = ["dangling-link", "zero-result-search", "role", "equipment", "review-overdue", "template"] as const;
export type GapRule = (typeof order)[number];

const texts = catalog("core.assistant.gaps", {
  role: "Take over as {role}",
  roleText: "What the {role} is responsible for, needs to know and hands over.",
  equipment: "Use and maintain: {equipment}",
  equipmentText: "How the {equipment} is checked, used, cleaned and stored.",
  searchableTextOf: "Several people searched for it and found nothing.",
  linkText: "Other SOPs refer to it.",
});
const evidence = sentences("core.assistant.gap-evidence", {
  template: "The library has the template “{detail}”, and no SOP here is like it",
  "dangling-link": "It refers to “{detail}”, which is not there",
  "zero-result-search": "{count} people searched for “{detail}” and found nothing",
  role: "It names the role “{detail}”",
  equipment: "It needs “{detail}”",
  "review-overdue": "Its review was due on {detail}",
}) as Readonly<Record<GapRule, (values: { detail: string; count: number }) => MessageWithId>>;
const reasons = sentences("core.assistant.gap-reasons", {
  "dangling-link": "{count, plural, one {# SOP refers} other {# SOPs refer}} to it, and it is not there.",
  "zero-result-search": "People search for it and find nothing.",
  role: "{count, plural, one {# SOP names} other {# SOPs name}} this role, and none is about it.",
  equipment: "{count, plural, one {# SOP needs} other {# SOPs need}} it, and none says how it is used.",
  "review-overdue":
    "{count, plural, one {# SOP is} other {# SOPs are}} past the review, and no SOP says how reviews are kept.",
  template: "The library has a template for work that no SOP here covers.",
}) as Readonly<Record<GapRule, (values: { count: number }) => MessageWithId>>;
const joined = sentences("core.assistant.gap-sentences", { two: "{before} {next}" });

interface GapTexts {
  title: string;
  description: string;
}

const capitalized = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);
/** Writes a name inside a sentence: `Line leader` → `line leader`. Abbreviations keep their capitals. */
const nameInsideSentence = (words: string) =>
  /^\p{Lu}{2}/u.test(words) ? words : words.charAt(0).toLowerCase() + words.slice(1);

export function gapTextsOf(rule: GapRule, words: string): GapTexts {
  switch (rule) {
    case "role":
      return {
        title: texts.role({ role: nameInsideSentence(words) }),
        description: texts.roleText({ role: nameInsideSentence(words) }),
      };
    case "equipment":
      return {
        title: texts.equipment({ equipment: nameInsideSentence(words) }),
        description: texts.equipmentText({ equipment: nameInsideSentence(words) }),
      };
    case "zero-result-search":
      return { title: capitalized(words), description: texts.searchableTextOf };
    default:
      return { title: capitalized(words), description: texts.linkText };
  }
}

/** Writes one piece of evidence as a sentence. @param count the number of people who searched for these words */
export function evidenceSentence(rule: GapRule, detail: string, count = 0): MessageWithId {
  return evidence[rule]({ detail, count });
}

/** Writes why an SOP seems to be missing; null without evidence. */
export function reasonSentence(rules: readonly GapRule[]): MessageWithId | null {
  const parts = order.flatMap((rule) => {
    const count = rules.filter((one) => one === rule).length;
    return count === 0 ? [] : [reasons[rule]({ count })];
  });
  return parts.length === 0 ? null : parts.reduce((before, next) => joined.two({ before, next }));
}
