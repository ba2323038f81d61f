import { anyNumberPattern, compileNumberPattern } from "../settings.ts";
import type { Rule } from "../rule.ts";
import { sentences } from "#core/language/catalog.ts";

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

const texts = sentences("core.lint.meta/id-format", {
  why: "People can't find a number that doesn't fit the scheme.",
  format: "{key} is {number}; numbers look like {like}",
  examples: "SOP-0042 or QM.01-003",
  ownId: "The server sets id. Leave it out or keep it unchanged",
});

/** The number has the format of the company's numbers, and the id has the format of the server's ids. */
export const idFormat: Rule = {
  id: "meta/id-format",
  severity: "error",
  fixable: "no",
  source: "21 CFR 211.186; ISO 9001 §7.5.2",
  why: texts.why(),
  create: ({ values, settings, placeOf, report }) => ({
    done() {
      const { sop, number, id } = values ?? {};
      const { idPattern } = settings;
      const pattern = compileNumberPattern(idPattern);
      const like = idPattern === anyNumberPattern ? texts.examples() : idPattern;
      if (typeof sop === "string" && sop !== "" && !pattern.test(sop))
        report(texts.format({ key: "sop", number: sop, like }), placeOf("sop"));
      // the server stores a chosen number in capitals
      const chosen = typeof number === "number" ? String(number) : number;
      if (typeof chosen === "string" && chosen !== "" && !pattern.test(chosen.trim().toUpperCase()))
        report(texts.format({ key: "number", number: chosen, like }), placeOf("number"));
      if (typeof id === "string" && id !== "" && !uuid.test(id)) report(texts.ownId(), placeOf("id"));
    },
  }),
  good: [
    '---\nsop: "SOP-0042"\nid: "0198f0c2-5b7e-7c11-9a44-2f6f0a3c9d10"\n---\n',
    '---\nnumber: "QM.01-003"\n---\n',
    "Text\n",
  ],
  bad: [
    { text: '---\nsop: "SOP 42"\nid: "42"\n---\n', lines: [2, 3] },
    { text: "---\nnumber: 12\n---\n", lines: [2] },
  ],
};
