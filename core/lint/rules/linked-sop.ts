import { isInArchiveFolder } from "../../links/paths.ts";
import type { AcrossContext, Rule } from "../rule.ts";
import { sentences } from "#core/language/catalog.ts";

const texts = sentences("core.lint.ref/sop", {
  why: "A link to a deleted or archived SOP leaves the reader without the procedure.",
  archived: "{sop} is archived",
  unseen: "{sop} doesn't exist, or you can't see it",
});

/**
 * A link by number, `/sop/SOP-0042`, leads to an SOP that exists and isn't archived. `ref/internal-link` checks paths
 * of files.
 */
export const linkedSop: Rule = {
  id: "ref/sop",
  severity: "error",
  fixable: "no",
  source: "ISO 9001 §7.5.3",
  why: texts.why(),
  across: (context) => {
    for (const { to, at } of context.file.sops) {
      const state = linkedSopState(to, context);
      if (state === "archived" && !isInArchiveFolder(context.file.path))
        context.report(texts.archived({ sop: to }), at);
      if (state === "unknown") context.report(texts.unseen({ sop: to }), at);
    }
  },
  setting: {
    path: "sops/it/sop-0042-reset.md",
    others: {
      "sops/it/sop-0043-lock.md": '---\nsop: "SOP-0043"\n---\n\nText\n',
      "archive/it/sop-0001-old.md": '---\nsop: "SOP-0001"\n---\n\nText\n',
    },
  },
  good: ["See [Unlock a user](/sop/SOP-0043#steps) and `/sop/SOP-0001`.\n"],
  bad: [
    {
      text: "See [this](/sop/SOP-0043) and\n[that](/sop/sop-1) and [more][old].\n\n[old]: /sop/SOP-0001\n",
      lines: [2, 4],
    },
  ],
};

function linkedSopState(
  to: string,
  { file, named, surroundings }: AcrossContext,
): "there" | "archived" | "unknown" | undefined {
  if (to === file.sop || to === file.id) return "there";
  const paths = named.get(to) ?? [];
  if (paths.length > 0) return paths.every(isInArchiveFolder) ? "archived" : "there";
  return surroundings.sops?.(to);
}
