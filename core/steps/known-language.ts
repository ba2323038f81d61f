/** Tells whether a text is in a language whose words of protection we know. */

/** Frequent words of these languages that are rare in Scandinavian, Slavic, Romanian and Finnish texts. */
const frequent = new Set(
  [
    "the of and to in is are this that with by it",
    "die das und ist sind für des dem ein eine von zu mit im",
    "le la les des et du de une est pour dans",
    "el los las del que por para con",
    "il gli di della che per al",
    "het een van voor zijn met",
    "os as do da dos das em para com",
  ].flatMap((words) => words.split(" ")),
);

/** Names and lists of terms have few frequent words, so they count as unknown. */
const leastShare = 1 / 8;

export function isInKnownLanguage(text: string): boolean {
  const words =
    text
      .normalize("NFC")
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  return words.filter((word) => frequent.has(word)).length > words.length * leastShare;
}
