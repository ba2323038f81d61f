/** Quotes a text for YAML: a JSON string, in which characters that YAML can't print are escaped too. */
export function quotedForYaml(text: string): string {
  return JSON.stringify(text.normalize("NFC")).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
