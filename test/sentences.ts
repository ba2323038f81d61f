/** The sentences of a text or page, and their lengths. */

/** The sentences of Markdown, without code, addresses and table heads. Each cell and list item is a separate text. */
export function sentencesOf(markdown: string): string[] {
  const blocks = markdown
    .replaceAll(/^---\n[^]*?\n---\n/g, "")
    .replaceAll(/^(`{3,}|~{3,})[^]*?^\1.*$/gm, "\n\n")
    .replaceAll(/<!--[^]*?-->/g, "")
    .replaceAll(/`[^`\n]*`/g, "Code")
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/^\|[-:| ]+\|$/gm, "")
    .replaceAll(/^\||\|$/gm, "\n\n")
    .replaceAll(/ \| /g, "\n\n")
    .replaceAll(/^ *(?:[-*+]|\d+\.|#{1,6}|>) /gm, "\n\n")
    .split(/\n\s*\n/);
  return blocks.flatMap((block) => split(block.replaceAll(/\s+/g, " ").trim())).filter((one) => one !== "");
}

/**
 * Splits a text at a mark followed by a space and a capital or digit. An example or list after a colon belongs to its
 * sentence.
 */
function split(text: string): string[] {
  return text.replaceAll(/[*_]{1,3}(?=\S)|(?<=\S)[*_]{1,3}/g, "").split(/(?<=[.!?…]["”)]?) (?=["“(]?[\p{Lu}\d])/u);
}

export function wordsIn(sentence: string): number {
  return sentence.split(" ").filter((word) => /[\p{L}\d]/u.test(word)).length;
}

export const longerThan = (most: number, sentences: readonly string[]): string[] =>
  sentences.filter((sentence) => wordsIn(sentence) > most);
