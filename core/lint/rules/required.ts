import { asKind, frontMatterKinds, isKnownKey } from "#core/markdown/front-matter.ts";
import type { Rule } from "../rule.ts";

const wanted = ["title", "description", "owner"] as const;
const words = {
  string: "a text",
  integer: "a whole number",
  boolean: "true or false",
  list: "a list of texts",
} as const;

/** Title, description and owner are there, and every known key has its type. */
export const required: Rule = {
  id: "meta/required",
  severity: "error",
  fixable: "no",
  source: "EPA QA/G-6; ISO 9001 §7.5",
  why: "Whoever holds a copy must know what it is, what it is for and whom to ask.",
  create: ({ values, placeOf, report }) => ({
    done() {
      if (values === null) {
        report("Front matter is missing. Begin the file with ---, title, description and owner, ---", placeOf());
        return;
      }
      for (const key of wanted) {
        const value = values[key];
        if (value === undefined || value === null || String(value).trim() === "") {
          report(`${key} is missing from the front matter`, placeOf(key));
        }
      }
      for (const [key, value] of Object.entries(values)) {
        if (!isKnownKey(key) || value === null || value === "") continue;
        const kind = frontMatterKinds[key];
        if (asKind(kind, value) === undefined) report(`${key} must be ${words[kind]}`, placeOf(key));
      }
    },
  }),
  good: ['---\ntitle: "Reset a password"\ndescription: "How."\nowner: "ann"\n---\n\nText\n'],
  bad: [
    { text: "Text\n", lines: [1] },
    { text: '---\ntitle: "Reset"\nowner: ""\n---\n\nText\n', lines: [1, 3] },
    { text: "---\ntitle: T\ndescription: D\nowner: ann\nversion: two\n---\n", lines: [5] },
  ],
};
