import type { OutlineSection } from "../outline.ts";
import { sectionKinds } from "../../markdown/section-names.ts";
import type { Rule } from "../rule.ts";
import type { Fix } from "../finding.ts";
import { sentences } from "#core/language/catalog.ts";

const texts = sentences("core.lint.struct/section-order", {
  why: "Warnings read after the procedure come too late, and everyone looks for the records at the end.",
  order: "{section} belongs before {late}",
});

/** Sections come in the standard order of SOPs. */
export const sectionOrder: Rule = {
  id: "struct/section-order",
  severity: "warning",
  fixable: "unsafe",
  source: "EPA QA/G-6",
  why: texts.why(),
  create: ({ text, outline, report }) => ({
    done() {
      const top = firstSectionsOfKinds(outline.sections);
      top.forEach((section, index) => {
        const late = top.slice(0, index).find((before) => sectionRank(before) > sectionRank(section));
        if (late === undefined) return;
        report(
          texts.order({ section: section.title, late: late.title }),
          section.heading,
          moveSectionFix(text, section, late),
        );
      });
    },
  }),
  good: [
    "## 2. Procedure\n\n1. Open it.\n\n## 3. Safety\n\nText\n",
    "## Purpose\n\nText\n\n## Procedure\n\n1. Open it.\n\n## Background\n\nText\n\n## References\n\nText\n",
  ],
  bad: [
    {
      text: "## Procedure\n\n1. Open it.\n\n## Safety\n\nText\n\n## Records\n\nText\n",
      lines: [5],
      fixed: "## Safety\n\nText\n\n## Procedure\n\n1. Open it.\n\n## Records\n\nText\n",
    },
  ],
};

/**
 * Returns the first section of each kind on the highest level, without sections of two kinds, of no kind, or with a
 * number.
 */
function firstSectionsOfKinds(sections: readonly OutlineSection[]): OutlineSection[] {
  const depth = Math.min(...sections.filter(({ kinds }) => kinds.length > 0).map(({ heading }) => heading.depth));
  const known = sections.filter(
    ({ kinds, heading, title }) => kinds.length === 1 && heading.depth === depth && !/^\d+[.)\s]/.test(title),
  );
  return known.filter(
    (section, index) => known.findIndex((other) => sectionRank(other) === sectionRank(section)) === index,
  );
}

function sectionRank({ kinds: [kind] }: OutlineSection): number {
  return kind === undefined ? -1 : sectionKinds.indexOf(kind);
}

function moveSectionFix(text: string, section: OutlineSection, before: OutlineSection): Fix {
  const words = text.slice(section.start, section.end).trimEnd();
  return {
    safe: false,
    edits: [
      { start: before.start, end: before.start, text: `${words}\n\n` },
      { start: section.start, end: section.end, text: "" },
    ],
  };
}
