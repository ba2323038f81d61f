/** What a page of an export leads to and the export doesn't have. */
import { linesOf, placeText } from "#core/links/link-lines.ts";
import { decoded } from "#core/links/link-targets.ts";

/** One note for each kind, with the places in the text. */
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
