import { sha256 } from "../hashing.ts";

/** A cache of rendered HTML by the hash of its Markdown. The least recently used entry is removed first. */
export interface HtmlCache {
  /**
   * @param sharer the company whose calls share a running rendering. Companies share none, because one would have to
   * wait in the queue of another
   */
  get(markdown: string, sharer: string, render: () => Promise<string>): Promise<string>;
  /** Stores HTML that was rendered as part of other work. */
  keep(markdown: string, html: string): void;
}

/**
 * Creates a cache of at most `characters` of HTML. Simultaneous calls of a sharer for the same text share one
 * rendering.
 */
export function createHtmlCache(characters: number): HtmlCache {
  const kept = new Map<string, string>();
  const pending = new Map<string, Promise<string>>();
  let held = 0;

  function keepHtml(key: string, html: string): void {
    kept.set(key, html);
    held += html.length;
    for (const [oldest, text] of kept) {
      if (held <= characters) return;
      kept.delete(oldest);
      held -= text.length;
    }
  }

  function findHtml(key: string): string | undefined {
    const html = kept.get(key);
    if (html === undefined) return undefined;
    kept.delete(key);
    kept.set(key, html);
    return html;
  }

  return {
    keep(markdown, rendered) {
      const key = sha256(markdown, "base64");
      if (!kept.has(key)) keepHtml(key, rendered);
    },
    async get(markdown, sharer, render) {
      const key = sha256(markdown, "base64");
      const html = findHtml(key);
      if (html !== undefined) return html;
      const shared = `${sharer} ${key}`;
      const running = pending.get(shared) ?? render().finally(() => pending.delete(shared));
      if (!pending.has(shared)) {
        pending.set(shared, running);
        running.then(
          (rendered) => !kept.has(key) && keepHtml(key, rendered),
          () => undefined,
        );
      }
      return running;
    },
  };
}
