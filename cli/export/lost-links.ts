/** Reports links and images of an exported page that lead to nothing in the export. */
import { lineNumbersOfAddress, nameWithLines } from "#core/links/link-lines.ts";
import { percentDecoded } from "#core/text/percent-decoded.ts";

/** Returns one note for links and one for images, each with their lines in the text. */
export function lostLinkNotes(text: string, links: ReadonlySet<string>, images: ReadonlySet<string>): string[] {
  const addressesWithLines = (urls: ReadonlySet<string>) =>
    [...urls].map((url) => {
      const lines = lineNumbersOfAddress(text, url);
      return nameWithLines(
        percentDecoded(url),
        lines.length > 0 ? lines : lineNumbersOfAddress(text, percentDecoded(url)),
      );
    });
  const lostLinkNote = (urls: ReadonlySet<string>, one: string, many: string) =>
    urls.size === 0 ? [] : [`${urls.size} ${urls.size === 1 ? one : many}: ${addressesWithLines(urls).join(", ")}`];
  return [
    ...lostLinkNote(links, "link leads to nothing in this export", "links lead to nothing in this export"),
    ...lostLinkNote(images, "image isn't there", "images aren't there"),
  ];
}
