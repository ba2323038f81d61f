/** Style and step rules know English; any other language turns them off (`en`, `en-GB`, `eng` are English). */
export function isEnglish(lang: unknown): boolean {
  return typeof lang !== "string" || lang.trim() === "" || /^(?:en|eng|english)(?:[-_].*)?$/i.test(lang.trim());
}
