/** Texts on links that an import can't keep. */
import { sentences, type MessageWithId } from "#core/language/catalog.ts";

export const linkTexts = sentences("core.import.links", {
  file: "{count, plural, one {{links} is not there} other {{count} images or files are not there: {links}}}",
  link: "{count, plural, one {the link {links} leads to no document of this import} other {{count} links lead to no document of this import: {links}}}",
  refused:
    "{count, plural, one {the link {links} leads to a document that can't be imported} other {{count} links lead to documents that can't be imported: {links}}}",
  heading:
    "{count, plural, one {the link {links} leads to no heading} other {{count} links lead to no heading: {links}}}",
  wiki: "{count, plural, one {{links} leads to nothing in this import and stays as text} other {{count} links lead to nothing in this import and stay as text: {links}}}",
  embed:
    "{count, plural, one {{links} became a link: the text it shows is another document} other {{count} embedded texts of other documents became links: {links}}}",
});

const places = sentences("core.import.places", {
  place: "{name} (line {lines})",
});

/** Writes a name with its lines: `a.md (line 4, 9)`. */
export function nameWithLines(name: string, lines: readonly number[]): string | MessageWithId {
  return lines.length === 0 ? name : places.place({ name, lines: lines.join(", ") });
}
