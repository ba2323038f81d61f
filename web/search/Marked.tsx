import type { ReactNode } from "react";

interface MarkedProps {
  text: string;
  /** From and up to, in UTF-16 units; in their order and apart. */
  ranges: readonly (readonly number[])[];
}

/** A text with the words that were asked for standing out. */
export function Marked({ text, ranges }: MarkedProps) {
  const parts: ReactNode[] = [];
  let at = 0;
  for (const [start = 0, end = 0] of ranges) {
    parts.push(
      text.slice(at, start),
      <mark key={start} className="rounded-sm bg-warning-soft text-text">
        {text.slice(start, end)}
      </mark>,
    );
    at = end;
  }
  return [...parts, text.slice(at)];
}
