import { createHash } from "node:crypto";

/** Rendered HTML by the hash of its Markdown, least recently used out first. */
export interface HtmlCache {
  get(markdown: string, render: () => Promise<string>): Promise<string>;
  /** What was rendered along with other work. */
  keep(markdown: string, html: string): void;
}

/** A cache of at most `characters` of HTML; calls for the same text while it renders share one rendering. */
export function createHtmlCache(characters: number): HtmlCache {
  const kept = new Map<string, string>();
  const pending = new Map<string, Promise<string>>();
  let held = 0;

  function keep(key: string, html: string): void {
    kept.set(key, html);
    held += html.length;
    for (const [oldest, text] of kept) {
      if (held <= characters) return;
      kept.delete(oldest);
      held -= text.length;
    }
  }

  function touch(key: string): string | undefined {
    const html = kept.get(key);
    if (html === undefined) return undefined;
    kept.delete(key);
    kept.set(key, html);
    return html;
  }

  return {
    keep(markdown, rendered) {
      const key = keyOf(markdown);
      if (!kept.has(key)) keep(key, rendered);
    },
    async get(markdown, render) {
      const key = keyOf(markdown);
      const html = touch(key);
      if (html !== undefined) return html;
      const running = pending.get(key) ?? render().finally(() => pending.delete(key));
      if (!pending.has(key)) {
        pending.set(key, running);
        running.then(
          (rendered) => keep(key, rendered),
          () => undefined,
        );
      }
      return running;
    },
  };
}

function keyOf(markdown: string): string {
  return createHash("sha256").update(markdown).digest("base64");
}
