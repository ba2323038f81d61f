/**
 * Brings the addresses of links and images in a text into one form, without a parser. A link to an SOP is `/sop/SOP-0042`
 * in a stored text, `../../sops/…` in an exported file, and another path in a file of another tool.
 */
import { isId } from "../ids.ts";
import { readSopAddress, sopUrl } from "./sop-links.ts";

const destination = /(\]\(\s*)(<[^<>\n]*>|(?:[^\s()\\]|\\.|\((?:[^\s()\\]|\\.)*\))+)/g;
const definition = /^( {0,3}\[[^\]\n]+\]:[ \t]*)(\S+)/gm;
const attribute = /(\b(?:src|href|poster)\s*=\s*)("[^"]*"|'[^']*')/gi;
const autolink = /()(<https?:[^<>\s]*>)/gi;

/** Web addresses are the same in files and stored texts, unless they lead to an SOP of this server. */
const elsewhere = /^[<"']?(?:[a-z][a-z0-9+.-]*:|\/\/)(?!.*\/sop\/)/i;

/** Removes the addresses of links and images that differ between a file and a stored text. */
export function withoutAddresses(markdown: string): string {
  return [destination, definition, attribute, autolink].reduce(
    (text, place) =>
      text.replace(place, (whole, before: string, address: string) => (elsewhere.test(address) ? whole : before)),
    markdown,
  );
}

/** Returns the ids of SOPs that a text links by id. */
export function linkedSopIds(markdown: string): string[] {
  return [...markdown.matchAll(destination)].flatMap(([, , url = ""]) => {
    const address = readSopAddress(url);
    return address?.kind === "sop" && isId(address.to) ? [address.to] : [];
  });
}

/**
 * The text with links to SOPs as stored texts write them, also from the paths of exported files.
 * @param numbers the numbers of SOPs by their ids
 */
export function withStoredSopLinks(markdown: string, numbers: ReadonlyMap<string, string>): string {
  return markdown.replace(destination, (whole, before: string, url: string) => {
    const address = readSopAddress(url);
    if (address === null) return whole;
    const to = address.kind === "file" ? address.names[0]?.number : (numbers.get(address.to) ?? address.to);
    return to === undefined ? whole : `${before}${sopUrl(to, address.fragment)}`;
  });
}
