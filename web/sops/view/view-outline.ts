export interface OutlineEntry {
  id: string;
  text: string;
  level: number;
}

/** The headings of rendered HTML that can be jumped to: the two upper levels there are. */
export function outlineOf(html: string): OutlineEntry[] {
  const parsed = new DOMParser().parseFromString(html, "text/html");
  const all = [...parsed.querySelectorAll<HTMLElement>("h2[id], h3[id], h4[id]")].flatMap((heading) => {
    const text = heading.textContent.trim();
    return text === "" || heading.classList.contains("sr-only")
      ? []
      : [{ id: heading.id, text, level: Number(heading.tagName.slice(1)) }];
  });
  const top = Math.min(...all.map(({ level }) => level));
  return all.filter(({ level }) => level <= top + 1).map((entry) => ({ ...entry, level: entry.level - top + 1 }));
}
