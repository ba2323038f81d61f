import { findHeaderBlock, findTomlBlock } from "#core/import/markdown/header-block.ts";
import type { SourceDocument } from "./layouts.ts";
import { bodyStart } from "./rewrite-links.ts";
import { address } from "./targets.ts";

/**
 * A page's names on its site, besides its path: permalink, aliases, title. Only single lines of the header are read.
 */
export function addressesOf(text: string): string[] {
  const header = text.slice(0, bodyStart(text));
  if (header === "") return [];
  const found: string[] = [];
  for (const [, , value = ""] of header.matchAll(
    /^(permalink|url|slug|title|id)\s*[:=]\s*["']?([^"'\n{}]+?)["']?\s*$/gm,
  ))
    found.push(value);
  const [, list = ""] = /^(?:aliases|redirect_from)\s*[:=]\s*(\[[^\]\n]*\]|(?:\n[ \t]*-[^\n]*)+)/m.exec(header) ?? [];
  for (const [, item = ""] of list.matchAll(/(?:^|[\n,[])[ \t]*-?[ \t]*["']?([^"'\n,[\]]+?)["']?[ \t]*(?=[\n,\]]|$)/g))
    found.push(item);
  return [...new Set(found.map(address).filter((value) => value !== ""))];
}

/** Adds facts from the document's source, as front matter. */
export function withFacts(text: string, { id, file }: SourceDocument): string {
  const facts = [
    ...(id === undefined ? [] : [`id: "${id}"`]),
    ...(file.author === undefined ? [] : [`x-source-author: ${JSON.stringify(file.author)}`]),
    ...(file.changed === undefined ? [] : [`x-source-date: "${file.changed}"`]),
  ];
  if (facts.length === 0) return text;
  const opening = /^\uFEFF?---[ \t]*\r?\n/.exec(text)?.[0];
  if (opening !== undefined && bodyStart(text) > 0) {
    const keys = facts.filter(
      (fact) => !new RegExp(`^${fact.split(":")[0]}:`, "m").test(text.slice(0, bodyStart(text))),
    );
    return opening + keys.map((fact) => `${fact}\n`).join("") + text.slice(opening.length);
  }
  // a TOML or unmarked header below this one would become text
  if (findTomlBlock(text) !== undefined || findHeaderBlock(text) !== undefined) return text;
  return `---\n${facts.join("\n")}\n---\n\n${text}`;
}
