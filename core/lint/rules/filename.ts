import { isSpelledBySlug, latinSlug } from "#core/repository/names.ts";
import { readNumber } from "#core/numbers/numbers.ts";
import { baseName } from "../../links/paths.ts";
import type { Rule } from "../rule.ts";
import { sentences } from "#core/language/catalog.ts";

const texts = sentences("core.lint.meta/filename", {
  why: "People and links find the file by its number. The words after it can stay as they were.",
  otherName: "The file is called {name}; its number asks for {wanted}",
});

/** The name of a file with a number begins with that number: `sop-0042-reset-a-password.md`. */
export const filename: Rule = {
  id: "meta/filename",
  severity: "warning",
  fixable: "no",
  source: "ISO 9001 §7.5.2; format v1",
  why: texts.why(),
  create: ({ values, path, placeOf, report }) => ({
    done() {
      const sop = values?.["sop"];
      if (typeof sop !== "string" || sop === "") return;
      const name = baseName(path);
      const start = readNumber(sop)?.toLowerCase() ?? latinSlug(sop);
      if (new RegExp(`^${start.replaceAll(".", "\\.")}-[a-z0-9]+(?:-[a-z0-9]+)*\\.md$`).test(name)) return;
      const known = values?.["title"];
      const title = typeof known === "string" && isSpelledBySlug(known) ? latinSlug(known) : "title";
      report(texts.otherName({ name, wanted: `${start}-${title}.md` }), placeOf("sop"));
    },
  }),
  setting: { path: "sops/it/sop-0042-reset-a-password.md" },
  good: ['---\nsop: "SOP-0042"\ntitle: "Reset passwords"\n---\n', '---\ntitle: "Without a number yet"\n---\n'],
  bad: [{ text: '---\nsop: "SOP-0043"\ntitle: "Lock a machine"\n---\n', lines: [2] }],
};
