/** Writes the title of a gap, and the text of its evidence. */
const gapRules = ["template", "dangling-link", "zero-result-search", "role", "equipment", "review-overdue"] as const;
export type GapRule = (typeof gapRules)[number];

interface GapName {
  title: string;
  description: string;
}

const capitalized = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);
/** Writes a name inside a sentence: `Line leader` → `line leader`. Abbreviations keep their capitals. */
const nameInsideSentence = (words: string) =>
  /^\p{Lu}{2}/u.test(words) ? words : words.charAt(0).toLowerCase() + words.slice(1);

export function gapNameOf(rule: GapRule, words: string): GapName {
  switch (rule) {
    case "role":
      return {
        title: `Take over as ${nameInsideSentence(words)}`,
        description: `What the ${nameInsideSentence(words)} is responsible for, needs to know and hands over.`,
      };
    case "equipment":
      return {
        title: `Use and maintain: ${nameInsideSentence(words)}`,
        description: `How the ${nameInsideSentence(words)} is checked, used, cleaned and stored.`,
      };
    case "zero-result-search":
      return { title: capitalized(words), description: "Several people searched for it and found nothing." };
    default:
      return { title: capitalized(words), description: "Other SOPs refer to it." };
  }
}

/** @param count the number of people, for a search */
export function evidenceText(rule: GapRule, detail: string, count = 0): string {
  switch (rule) {
    case "template":
      return `The library has the template “${detail}”, and no SOP here is like it`;
    case "dangling-link":
      return `It refers to “${detail}”, which is not there`;
    case "zero-result-search":
      return `${count} people searched for “${detail}” and found nothing`;
    case "role":
      return `It names the role “${detail}”`;
    case "equipment":
      return `It needs “${detail}”`;
    case "review-overdue":
      return `Its review was due on ${detail}`;
  }
}

/** Writes the reason as a sentence, from the rules of the remaining evidence. */
export function reasonText(rules: readonly GapRule[]): string {
  const sopCount = (rule: GapRule) => rules.filter((one) => one === rule).length;
  const sopCountText = (rule: GapRule) => `${sopCount(rule)} ${sopCount(rule) === 1 ? "SOP" : "SOPs"}`;
  const reasons: Record<GapRule, string> = {
    "dangling-link": `${sopCountText("dangling-link")} ${sopCount("dangling-link") === 1 ? "refers" : "refer"} to it, and it is not there.`,
    "zero-result-search": "People search for it and find nothing.",
    role: `${sopCountText("role")} ${sopCount("role") === 1 ? "names" : "name"} this role, and none is about it.`,
    equipment: `${sopCountText("equipment")} ${sopCount("equipment") === 1 ? "needs" : "need"} it, and none says how it is used.`,
    "review-overdue": `${sopCountText("review-overdue")} ${sopCount("review-overdue") === 1 ? "is" : "are"} past the review, and no SOP says how reviews are kept.`,
    template: "The library has a template for work that no SOP here covers.",
  };
  return gapRules
    .toSorted((one, other) => order.indexOf(one) - order.indexOf(other))
    .filter((rule) => sopCount(rule) > 0)
    .map((rule) => reasons[rule])
    .join(" ");
}

const order: readonly GapRule[] = [
  "dangling-link",
  "zero-result-search",
  "role",
  "equipment",
  "review-overdue",
  "template",
];
