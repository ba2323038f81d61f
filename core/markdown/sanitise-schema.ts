import type { Schema } from "hast-util-sanitize";
import { alertKinds } from "./alert-grades.ts";
import { linkSchemes } from "./links.ts";
import { shownElements } from "./shown-elements.ts";

/** Ids that the renderer makes have this prefix, so that none can shadow a name of the page (DOM clobbering). */
export const idPrefix = "user-content-";

const ownId: [string, ...(string | RegExp)[]] = ["id", /^user-content-/];
const cell = ["align", "colSpan", "rowSpan"];

/**
 * The HTML allowed in rendered SOPs: everything that Markdown produces, and raw br, sub, sup, kbd, details, summary,
 * figures and tables with merged cells (`docs/spec/markdown.md`). Other elements lose their tags; script and style lose
 * their text too.
 */
export const schema: Schema = {
  // checkboxes of task lists
  tagNames: [...shownElements, "input"],
  attributes: {
    a: [
      "href",
      "title",
      "rel",
      ownId,
      "dataFootnoteRef",
      "dataFootnoteBackref",
      ["ariaDescribedBy", "footnote-label"],
      ["ariaLabel", /^Back to reference [\d-]+$/],
      ["className", "data-footnote-backref"],
    ],
    code: [["className", /^language-[\w+#.-]+$/]],
    details: ["open"],
    div: [["className", "alert", ...alertKinds.map((kind) => `alert-${kind}`)]],
    h1: [ownId],
    h2: [
      ["id", /^user-content-/, "footnote-label"],
      ["className", "sr-only"],
    ],
    h3: [ownId],
    h4: [ownId],
    h5: [ownId],
    h6: [ownId],
    img: ["src", "alt", "title", ["loading", "lazy"], ["width", /^\d{2,4}$/]],
    input: [["type", "checkbox"], ["disabled", true], "checked"],
    li: [ownId, "value", ["className", "task-list-item"]],
    ol: ["start", "reversed", ["className", "contains-task-list"]],
    p: [["className", "alert-title"]],
    section: ["dataFootnotes", ["className", "footnotes"]],
    td: cell,
    th: [...cell, ["scope", "row", "col", "rowgroup", "colgroup"]],
    ul: [["className", "contains-task-list"]],
  },
  ancestors: {
    caption: ["table"],
    figcaption: ["figure"],
    li: ["ol", "ul"],
    summary: ["details"],
    tbody: ["table"],
    td: ["table"],
    tfoot: ["table"],
    th: ["table"],
    thead: ["table"],
    tr: ["table"],
  },
  required: { input: { type: "checkbox", disabled: true } },
  protocols: { href: [...linkSchemes] },
  strip: namesInLines("script style template noscript iframe object embed title"),
  clobber: [],
  clobberPrefix: "",
};

function namesInLines(...lines: string[]): string[] {
  return lines.flatMap((line) => line.split(" "));
}
