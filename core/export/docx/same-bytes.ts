import { strFromU8, strToU8, unzipSync } from "fflate";
import { zipFiles } from "../zip-files.ts";

/**
 * Removes random and time-dependent parts from a Word file, so that equal documents give equal bytes. Relations and
 * shapes are numbered in the order of the text. @param at the date of the file, ISO 8601 in UTC
 */
export function withReproducibleBytes(file: Uint8Array, at: string): Uint8Array {
  const files = unzipSync(file);
  const moment = `${at.slice(0, 19)}Z`;
  const out: Record<string, Uint8Array> = {};
  const names = createIdRenamer();
  // rename ids in the main text first, because its order gives the numbers
  const order = Object.keys(files).sort(
    (a, b) => Number(b === "word/document.xml") - Number(a === "word/document.xml") || (a < b ? -1 : 1),
  );
  for (const name of order) {
    const bytes = files[name] as Uint8Array;
    if (!/\.(xml|rels)$/.test(name)) {
      out[name] = bytes;
      continue;
    }
    const text = names(strFromU8(bytes));
    const dated =
      name === "docProps/core.xml" ? text.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, moment) : text;
    out[name] = strToU8(dated);
  }
  return zipFiles(out);
}

/** Creates a function that replaces random names, and numbers that the docx package counts across files. */
function createIdRenamer(): (xml: string) => string {
  const relations = sequentialNames("rIdx");
  const bookmarks = sequentialNames("");
  const drawings = sequentialNames("");
  return (xml) =>
    xml
      .replace(/(["{])(rId[\w-]{12,})(?=["}])/g, (_, open: string, id: string) => open + relations(id))
      .replace(/(<w:bookmark(?:Start|End)\b[^>]*?w:id=")(\d+)/g, (_, open: string, id: string) => open + bookmarks(id))
      .replace(/(<wp:docPr\b[^>]*?\bid=")(\d+)/g, (_, open: string, id: string) => open + drawings(id))
      .replace(/PowerPlusWaterMarkObject[\w-]+/g, "PowerPlusWaterMarkObject1");
}

function sequentialNames(prefix: string): (id: string) => string {
  const known = new Map<string, string>();
  return (id) => {
    const name = known.get(id) ?? `${prefix}${known.size + 1}`;
    known.set(id, name);
    return name;
  };
}
