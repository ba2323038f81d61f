import { shownElements } from "#core/markdown/shown-elements.ts";
import type { Rule } from "../rule.ts";
import { sentences } from "#core/language/catalog.ts";

const tag = /<\/?([a-zA-Z][\w-]*)(?:\s[^<>]*)?\/?>/g;

const texts = sentences("core.lint.text/raw-html", {
  why: "What the writer sees in another program is not what readers, prints and exports will show.",
  hidden: "{tags} is not shown: write it in Markdown",
});

/**
 * Finds HTML that views don't show: tags, which they drop, and scripts and styles, which they drop with their content.
 */
export const rawHtml: Rule = {
  id: "text/raw-html",
  severity: "warning",
  fixable: "no",
  source: "house; OWASP (untrusted HTML)",
  why: texts.why(),
  create: ({ report }) => ({
    html: (node) => {
      if (node.value.startsWith("<!--")) return;
      const names = [...node.value.matchAll(tag)].map(([, name = ""]) => name.toLowerCase());
      const dropped = [...new Set(names.filter((name) => !shownElements.has(name)))];
      if (dropped.length > 0) report(texts.hidden({ tags: `<${dropped.join(">, <")}>` }), node);
    },
  }),
  good: [
    "H<sub>2</sub>O and <kbd>Ctrl</kbd>\n\n<!-- a note to writers -->\n\n`<iframe>`\n",
    '<p align="center"><img src="pump.png" alt="The pump"></p>\n',
  ],
  bad: [{ text: 'Text <span class="x">red</span>\n\n<iframe src="https://example.org"></iframe>\n', lines: [1, 1, 3] }],
};
