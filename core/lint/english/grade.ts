/** Flesch-Kincaid grade: the school year whose readers understand the text (Kincaid et al. 1975). */
export function gradeOf(text: string, sentences: number): number {
  const words = text.toLowerCase().match(/[a-z]+(?:['’][a-z]+)?/g) ?? [];
  if (words.length === 0 || sentences === 0) return 0;
  const syllables = words.reduce((sum, word) => sum + syllablesOf(word), 0);
  return 0.39 * (words.length / sentences) + 11.8 * (syllables / words.length) - 15.59;
}

/** Counts groups of vowels without a silent e. This is right for most English words, and off by one for the rest. */
export function syllablesOf(word: string): number {
  const plain = word.replace(/[^a-z]/g, "").replace(/(?:[^laeiouy]es|[^td]ed|[^laeiouy]e)$/, (end) => end.charAt(0));
  return Math.max(1, plain.match(/[aeiouy]{1,2}/g)?.length ?? 1);
}
