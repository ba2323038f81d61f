import { anyNumber, compilePattern } from "../settings.ts";
import type { Rule } from "../rule.ts";

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** The number has the format of the company's numbers, and the id that of the server's ids. */
export const idFormat: Rule = {
  id: "meta/id-format",
  severity: "error",
  fixable: "no",
  source: "21 CFR 211.186; ISO 9001 §7.5.2",
  why: "People can't find a number that doesn't fit the scheme.",
  create: ({ values, settings, placeOf, report }) => ({
    done() {
      const { sop, number, id } = values ?? {};
      const { idPattern } = settings;
      const pattern = compilePattern(idPattern);
      const like = idPattern === anyNumber ? "SOP-0042 or QM.01-003" : idPattern;
      if (typeof sop === "string" && sop !== "" && !pattern.test(sop))
        report(`sop is ${sop}; numbers look like ${like}`, placeOf("sop"));
      // the server stores a chosen number in capitals
      const chosen = typeof number === "number" ? String(number) : number;
      if (typeof chosen === "string" && chosen !== "" && !pattern.test(chosen.trim().toUpperCase()))
        report(`number is ${chosen}; numbers look like ${like}`, placeOf("number"));
      if (typeof id === "string" && id !== "" && !uuid.test(id))
        report("The server sets id. Leave it out or keep it unchanged", placeOf("id"));
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
