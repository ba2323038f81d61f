import type { OutlineSection } from "../outline.ts";
import { sectionKindsOf, hasSectionNamesIn, sectionKinds } from "../../markdown/section-names.ts";
import type { Rule, RuleContext } from "../rule.ts";
import type { Fix } from "../finding.ts";
import { sentences } from "#core/language/catalog.ts";

const texts = sentences("core.lint.struct/sections", {
  why: "Readers who look for the scope or the roles must find them in the same place of every document.",
  missing: "The section {name} is missing",
});

/** A document has the sections that its kind requires. Other words for a section's name count too. */
export const sections: Rule = {
  id: "struct/sections",
  severity: "error",
  fixable: "unsafe",
  source: "EPA QA/G-6; ISO 9001 §7.5",
  why: texts.why(),
  create: (context) => ({
    done() {
      for (const name of requiredSectionNames(context)) {
        if (context.outline.sections.some((section) => isSectionNamed(section, name))) continue;
        const place = context.values === null ? { start: 0, end: 1 } : context.placeOf("title");
        context.report(texts.missing({ name }), place, missingSectionFix(context, name));
      }
    },
  }),
  setting: { settings: { sections: { default: ["Purpose", "Procedure"], policy: ["Purpose", "Principles"] } } },
  good: [
    "## 1. Objectives\n\nText\n\n## Work instruction\n\n1. Open it.\n",
    "---\nx-type: policy\n---\n\n## Purpose\n\nText\n\n## Principles\n\nText\n",
    "---\nlang: de\n---\n\n## Zweck\n\nText\n\n## Ablauf\n\n1. Öffnen\n",
  ],
  bad: [
    {
      text: "---\ntitle: T\n---\n\n## Procedure\n\n1. Open it.\n",
      lines: [2],
      fixed: "---\ntitle: T\n---\n\n## Purpose\n\n[insert the purpose]\n\n## Procedure\n\n1. Open it.\n",
    },
    {
      text: "## Purpose\n\nText\n",
      lines: [1],
      fixed: "## Purpose\n\nText\n\n## Procedure\n\n[insert the procedure]\n",
    },
  ],
};

function requiredSectionNames({ settings, sections: preset, values, path }: RuleContext): readonly string[] {
  if (settings.sections === undefined) return hasSectionNamesIn(values?.["lang"] ?? settings.lang) ? preset : [];
  const kinds = [values?.["x-type"], values?.["type"], path.split("/").at(-2), "default"];
  const kind = kinds.find((one): one is string => typeof one === "string" && hasSectionKind(settings.sections, one));
  return settings.sections[kind ?? "default"] ?? [];
}

function hasSectionKind(sections: object | undefined, kind: string): boolean {
  return sections !== undefined && Object.hasOwn(sections, kind);
}

function isSectionNamed({ title, kinds }: OutlineSection, name: string): boolean {
  const wanted = sectionKindsOf(name);
  return title.toLowerCase() === name.toLowerCase() || wanted.some((kind) => kinds.includes(kind));
}

/** Inserts the missing section before the first section that comes later in the standard order, or at the end. */
function missingSectionFix({ text, outline }: RuleContext, name: string): Fix {
  const rank = standardRankOf(sectionKindsOf(name));
  const depth = Math.min(2, ...outline.sections.map(({ heading }) => heading.depth));
  const next = outline.sections.find(({ kinds, heading }) => heading.depth <= 2 && standardRankOf(kinds) > rank);
  const words = `${"#".repeat(Math.max(2, depth))} ${name}\n\n[insert the ${name.toLowerCase()}]\n`;
  const at = next?.start ?? text.length;
  const before = next !== undefined || text === "" ? "" : text.endsWith("\n") ? "\n" : "\n\n";
  return { safe: false, edits: [{ start: at, end: at, text: `${before}${words}${next === undefined ? "" : "\n"}` }] };
}

function standardRankOf(kinds: readonly (typeof sectionKinds)[number][]): number {
  return kinds[0] === undefined ? -1 : sectionKinds.indexOf(kinds[0]);
}
