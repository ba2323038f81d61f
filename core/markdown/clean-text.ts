/** Characters that no page can show and that break some readers. */

const unprintable =
  // oxlint-disable-next-line no-control-regex -- dropping them is the point
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]|\p{Cs}|\p{Co}/gu;

/** Ends of lines and pages, and vertical tabs: they keep words apart. */
// oxlint-disable-next-line no-control-regex -- they are what it looks for
const between = /[\u000b\u000c\u0085\u2028\u2029]/g;

/**
 * Removes control characters, halves of surrogate pairs, private characters, and marks that reverse the following text
 * (they could make a name look different). Tabs and line ends stay, others become spaces.
 */
export function cleanText(text: string): string {
  return text.replace(between, " ").replace(unprintable, "");
}

/** A letter of a script that is read from the right. */
export const fromRight = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** Is a text read from the right? Its first letter decides (Unicode TR9, P2). */
export function isRightToLeft(text: string): boolean {
  const [letter] = /\p{L}/u.exec(text) ?? [];
  return letter !== undefined && fromRight.test(letter);
}
