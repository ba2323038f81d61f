/** The palette's entries other than SOPs. Typed words match the beginnings of an entry's words. */
import type { ReactNode } from "react";

export interface PaletteEntry {
  id: string;
  section: string;
  text: string;
  keys?: string | null;
  icon?: ReactNode;
  /** The address to open. An entry without one has `run`. */
  to?: string;
  run?: () => void;
}

/** Says whether every word of the query begins a word of the text or its section. */
export function matchesQuery({ text, section }: Pick<PaletteEntry, "text" | "section">, query: string): boolean {
  const words = foldedWordsOf(`${section} ${text}`);
  return foldedWordsOf(query).every((typedWord) => words.some((word) => word.startsWith(typedWord)));
}

function foldedWordsOf(text: string): string[] {
  return text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}
