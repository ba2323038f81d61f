/** Rendered HTML by the hash of its Markdown, least recently used out first. */
export interface HtmlCache {
  get(markdown: string, render: () => Promise<string>): Promise<string>;
}
/** A cache of at most `characters` of HTML; calls for the same text while it renders share one rendering. */
export declare function createHtmlCache(characters: number): HtmlCache;
