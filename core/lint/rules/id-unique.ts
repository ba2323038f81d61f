import type { Rule } from "../rule.ts";
import { sentences } from "#core/language/catalog.ts";

const texts = sentences("core.lint.meta/id-unique", {
  why: "If two documents share a number, people may follow the wrong one.",
  shared: "{name} is also the {key} of {others}",
});

/** No two files have the same number or id. */
export const idUnique: Rule = {
  id: "meta/id-unique",
  severity: "error",
  fixable: "no",
  source: "21 CFR 211.186; ISO 9001 §7.5.3",
  why: texts.why(),
  across: ({ file, named, report }) => {
    for (const key of ["sop", "id"] as const) {
      const name = file[key];
      const at = file.keys[key];
      if (name === undefined || at === undefined) continue;
      const others = named.get(name)?.filter((path) => path !== file.path) ?? [];
      if (others.length > 0) report(texts.shared({ name, key, others: others.join(", ") }), at);
    }
  },
  setting: {
    path: "sops/it/sop-0042-reset.md",
    others: { "sops/hr/sop-0042-leave.md": '---\nsop: "SOP-0042"\n---\n' },
  },
  good: ['---\nsop: "SOP-0043"\n---\n', "Text without front matter\n"],
  bad: [{ text: '---\ntitle: "Reset"\nsop: "SOP-0042"\n---\n', lines: [3] }],
};
