import { readAlt } from "#core/markdown/image-alt.ts";
import type { Rule } from "../rule.ts";
import { sentences } from "#core/language/catalog.ts";

const texts = sentences("core.lint.ref/image-alt", {
  why: "Without it, a step that is only an image is missing in search and for people who can't see it.",
  noAlt: "Describe the picture: ![what it shows](…)",
});

/** Images have an alternative text. */
export const imageAlt: Rule = {
  id: "ref/image-alt",
  severity: "error",
  fixable: "no",
  source: "WCAG 1.1.1",
  why: texts.why(),
  create: ({ report }) => {
    const lacksAlt = (node: { alt?: string | null | undefined }): boolean => readAlt(node.alt ?? "").alt.trim() === "";
    return {
      image: (node) => void (lacksAlt(node) && report(texts.noAlt(), node)),
      imageReference: (node) => void (lacksAlt(node) && report(texts.noAlt(), node)),
    };
  },
  good: ["![Valve closed](valve.png)\n"],
  bad: [{ text: "Text ![](valve.png)\n\n![ ][v]\n\n[v]: valve.png\n", lines: [1, 3] }],
};
