import { readAlt } from "#core/markdown/image-alt.ts";
import type { Rule } from "../rule.ts";

/** Images have an alternative text. */
export const imageAlt: Rule = {
  id: "ref/image-alt",
  severity: "error",
  fixable: "no",
  source: "WCAG 1.1.1",
  why: "Without it, a step that is only an image is missing in search and for people who can't see it.",
  create: ({ report }) => {
    const lacksAlt = (node: { alt?: string | null | undefined }): boolean => readAlt(node.alt ?? "").alt.trim() === "";
    const message = "Describe the picture: ![what it shows](…)";
    return {
      image: (node) => void (lacksAlt(node) && report(message, node)),
      imageReference: (node) => void (lacksAlt(node) && report(message, node)),
    };
  },
  good: ["![Valve closed](valve.png)\n"],
  bad: [{ text: "Text ![](valve.png)\n\n![ ][v]\n\n[v]: valve.png\n", lines: [1, 3] }],
};
