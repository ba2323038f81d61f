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

const pseudoTexts = (texts: MessageTree): MessageTree =>
  Object.fromEntries(
    Object.entries(texts).map(([name, one]) => [name, typeof one === "string" ? pseudo(one) : pseudoTexts(one)]),
  );

/** @param layers the folders whose catalogs it has: "core", "server", "web" */
export function pseudoLanguage(...layers: string[]): Language {
  const program = path.join(import.meta.dirname, "../bin/texts.ts");
  const made = execFileSync(process.execPath, [program, ...layers], { encoding: "utf8", maxBuffer: 2 ** 24 });
  return { code: "en-XA", texts: pseudoTexts(JSON.parse(made) as MessageTree) as Language["texts"] };
}
