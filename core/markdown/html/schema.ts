import type { Schema } from "hast-util-sanitize";
import { schema } from "../sanitise-schema.ts";

/** Additional elements that the input may have, because Markdown has an equivalent. */
const understood = "b i strike s ins q dl dt dd span article main header footer aside nav center".split(" ");

/**
 * The allowed input: the product's own schema, and elements that the converter understands. Rendering checks images and
 * links.
 */
export const inputSchema: Schema = {
  ...schema,
  tagNames: [...(schema.tagNames ?? []), ...understood],
  attributes: {
    ...schema.attributes,
    a: ["href", "title", "dataFootnoteRef", "dataFootnoteBackref"],
    div: [["className", /^alert/]],
    img: ["src", "alt", "title", ["width", /^\d{2,4}$/]],
    // The converter only uses the ids of footnotes.
    li: [
      ["id", /^user-content-fn-/],
      ["className", "task-list-item"],
    ],
  },
};
