import type { Schema } from "hast-util-sanitize";
import { schema } from "../sanitise-schema.ts";

/** Elements that come in besides our own, because Markdown has a word for them. */
const understood =
  "b i strike s ins q dl dt dd figure figcaption span article main header footer aside nav center".split(" ");

/** What may come in: our own schema plus what the converter understands. Pictures and links are checked when rendered. */
export const inputSchema: Schema = {
  ...schema,
  tagNames: [...(schema.tagNames ?? []), ...understood],
  attributes: {
    ...schema.attributes,
    a: ["href", "title", "dataFootnoteRef", "dataFootnoteBackref"],
    div: [["className", /^alert/]],
    img: ["src", "alt", "title", ["width", /^\d{2,4}$/]],
    // The converter reads ids of footnotes only.
    li: [
      ["id", /^user-content-fn-/],
      ["className", "task-list-item"],
    ],
  },
};
