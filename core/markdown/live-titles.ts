/** Shows the current titles of SOPs in the links of rendered HTML. */
import { escapeHtml } from "#core/text/escape-html.ts";
import { sopKeyOf, type SopLink } from "./sop-links.ts";

const link = /(<a\b[^>]*?\shref="\/sop\/([^"/?#]+)(?:#[^"]*)?"[^>]*>)([^<]*)(?=<\/a>)/g;

/** The SOPs that rendered HTML links, by number or id, each once. */
export function sopKeysLinkedInHtml(html: string): string[] {
  if (!html.includes('href="/sop/')) return [];
  return [...new Set([...html.matchAll(link)].flatMap(([, , name = ""]) => sopKeyOf(name) ?? []))];
}

/**
 * Replaces the words of links to SOPs by the current titles, if the words were a title or a number. If the reader can't
 * see the SOP, an unpublished title in the link is replaced by the number.
 * @param html from `renderHtml`, or marked by a comparison
 * @param links the stored links of the versions in the HTML
 * @param titles by number or id, of the SOPs that the reader can see
 */
export function withLiveTitles(html: string, links: readonly SopLink[], titles: ReadonlyMap<string, string>): string {
  // the path is null if the linked SOP was not published
  const following = new Map(
    links.flatMap(({ to, text, path }) => (text === null ? [] : [[`${to} ${text}`, path] as const])),
  );
  return html.replace(link, (whole, opening: string, name: string, words: string) => {
    const key = sopKeyOf(name);
    if (key === null) return whole;
    const text = decodeHtmlReferences(words);
    const path = following.get(`${key} ${text}`);
    const title = titles.get(key) ?? (path === null ? key : undefined);
    if (title === undefined || (sopKeyOf(text) !== key && path === undefined)) return whole;
    return `${opening}${escapeHtml(title)}`;
  });
}

/**
 * Adds the server's address to links to SOPs and stored files, for files that are read outside of the app.
 * @param address such as `https://sops.example.com`
 * @param files false if the stored files are exported too
 */
export function withServerAddress(html: string, address: string, { files = true } = {}): string {
  const inApp = files ? /(<a\b[^>]*?\shref=")(?=\/(?:sop|api\/assets)\/)/g : /(<a\b[^>]*?\shref=")(?=\/sop\/)/g;
  return html.replace(inApp, (opening) => opening + escapeHtml(address));
}

const named: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function decodeHtmlReferences(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex?: string, digits?: string, name?: string) => {
    if (name !== undefined) return named[name] ?? whole;
    return String.fromCodePoint(hex === undefined ? Number(digits) : Number.parseInt(hex, 16));
  });
}
