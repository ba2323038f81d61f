/** A made-up language: each message of a catalog in brackets, with accents, so that a text elsewhere is seen. */
import { execFileSync } from "node:child_process";
import path from "node:path";
import type { Language, MessageTree } from "#core/language/spoken.ts";

const accents: Readonly<Record<string, string>> = { a: "á", e: "é", i: "í", o: "ó", u: "ú", A: "Á", E: "É", O: "Ó" };

/** `Team {name}` → `⟦Téám {name}⟧`: longer, and each text has its brackets. Letters of parameters stay. */
export function pseudo(message: string): string {
  let depth = 0;
  const letters = [...message].map((letter) => {
    depth += letter === "{" ? 1 : letter === "}" ? -1 : 0;
    return depth % 2 === 0 ? (accents[letter] ?? letter) : letter;
  });
  return `⟦${letters.join("")}⟧`;
}

/** The language file that a translator would write. */
export const pseudoTree = (texts: MessageTree): MessageTree =>
  Object.fromEntries(
    Object.entries(texts).map(([name, one]) => [name, typeof one === "string" ? pseudo(one) : pseudoTree(one)]),
  );

/** The text with the letters that are neither in brackets nor data; empty if there are none. */
export function untranslatedPart(text: string, data: readonly string[]): string {
  let left = text;
  while (/⟦[^⟦⟧]*⟧/.test(left)) left = left.replaceAll(/⟦[^⟦⟧]*⟧/g, "");
  for (const value of data.toSorted((a, b) => b.length - a.length)) if (value !== "") left = left.replaceAll(value, "");
  return /\p{L}/u.test(left) ? left : "";
}

/** @param layers the folders whose catalogs it has: "core", "server", "web" */
export function pseudoLanguage(...layers: string[]): Language {
  const program = path.join(import.meta.dirname, "../bin/texts.ts");
  const made = execFileSync(process.execPath, [program, ...layers], { encoding: "utf8", maxBuffer: 2 ** 24 });
  return { code: "en-XA", texts: pseudoTree(JSON.parse(made) as MessageTree) as Language["texts"] };
}
