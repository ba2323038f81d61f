/** What the palette offers besides SOPs: an entry is found by the beginnings of its words. */
import type { ReactNode } from "react";

export interface Entry {
  id: string;
  section: string;
  text: string;
  keys?: string | null;
  icon?: ReactNode;
  /** Goes there; or does it. */
  to?: string;
  run?: () => void;
}

/** Every word of the question begins a word of the text or its section. */
export function matches({ text, section }: Pick<Entry, "text" | "section">, asked: string): boolean {
  const words = wordsOf(`${section} ${text}`);
  return wordsOf(asked).every((begun) => words.some((word) => word.startsWith(begun)));
}

function wordsOf(text: string): string[] {
  return text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}
