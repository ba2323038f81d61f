import type { Rule } from "../rule.ts";
import { sentences } from "#core/language/catalog.ts";

const texts = sentences("core.lint.meta/server-owned", {
  why: "Number, id and version say which document this is; a changed one would be taken for another document.",
  changed: "{key} is the server's: put back {given}",
});

/** The server owns `sop`, `id` and `version`: they may be absent, but never altered. */
export const serverOwned: Rule = {
  id: "meta/server-owned",
  severity: "error",
  fixable: "no",
  source: "21 CFR 211.100; house",
  why: texts.why(),
  create: ({ values, base, placeOf, report }) => ({
    done() {
      if (base === undefined || values === null) return;
      for (const key of ["sop", "id", "version"] as const) {
        const value = values[key];
        const given = base[key];
        if (value === undefined || value === null || given === undefined || value === given) continue;
        report(texts.changed({ key, given: JSON.stringify(given) }), placeOf(key));
      }
    },
  }),
  setting: { base: { sop: "SOP-0042", id: "x", version: 3 } },
  good: ['---\nsop: "SOP-0042"\nversion: 3\n---\n', "Text\n"],
  bad: [{ text: '---\nsop: "SOP-0043"\nversion: 4\n---\n', lines: [2, 3] }],
};
