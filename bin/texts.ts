/** `node bin/texts.ts web`: the English texts of layers as one file, for translators. A language is such a file. */
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Language } from "../core/language/spoken.ts";
import { catalogsIn, literalsOf } from "./compile-messages.ts";

const root = path.join(import.meta.dirname, "..");

/** @throws Error on a second catalog of a name, and on what isn't a text */
export function englishTexts(...layers: string[]): Language["texts"] {
  interface Texts {
    [name: string]: string | Texts;
  }
  const texts: Record<string, Texts> = {};
  for (const file of globSync(
    layers.map((layer) => `${layer}/**/*.{ts,tsx}`),
    { cwd: root },
  ).toSorted()) {
    if (/\.test\.tsx?$|\/testing\//.test(file)) continue;
    for (const { name, messages } of catalogsIn(file, readFileSync(path.join(root, file), "utf8"))) {
      if (texts[name]) throw new Error(`${file}: ${name} is the name of another catalog`);
      const catalog: Texts = (texts[name] = {});
      for (const { path: keys, literal } of literalsOf(file, messages)) {
        const last = keys.pop() ?? "";
        const group = keys.reduce<Texts>((above, key) => (above[key] ??= {}) as Texts, catalog);
        group[last] = String(literal["value"]);
      }
    }
  }
  return texts;
}

if (import.meta.main) console.log(JSON.stringify(englishTexts(...process.argv.slice(2)), null, 2));
