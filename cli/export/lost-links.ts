/** Reports links and images of an exported page that lead to nothing in the export. */
import { linesOf, placeText } from "#core/links/link-lines.ts";
import { decoded } from "#core/links/link-targets.ts";

/** Returns one note for links and one for images, each with their lines in the text. */
export function lostTexts(text: string, links: ReadonlySet<string>, images: ReadonlySet<string>): string[] {
  const places = (urls: ReadonlySet<string>) =>
    [...urls].map((url) => {
      const lines = linesOf(text, url);
      return placeText(decoded(url), lines.length > 0 ? lines : linesOf(text, decoded(url)));
    });
  const note = (urls: ReadonlySet<string>, one: string, many: string) =>
    urls.size === 0 ? [] : [`${urls.size} ${urls.size === 1 ? one : many}: ${places(urls).join(", ")}`];
  return [
    ...note(links, "link leads to nothing in this export", "links lead to nothing in this export"),
    ...note(images, "image isn't there", "images aren't there"),
  ];
}
