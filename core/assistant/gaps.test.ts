import { describe, expect, it } from "vitest";
import { defaultNumberLabel } from "#core/repository/names.ts";
import { findGaps, type GapSources, type ReadableSop } from "./gaps.ts";
import { textNamesIn } from "./names.ts";
import { createLikenessRanking } from "./similar.ts";

let ids = 0;
function sop(title: string, markdown = "", fields: Partial<ReadableSop> = {}): ReadableSop {
  const names = textNamesIn(markdown);
  const id = ++ids;
  return {
    id: `s${id}`,
    number: defaultNumberLabel(id),
    version: 1,
    title,
    categoryId: null,
    reviewBy: null,
    names,
    topics: names.topics,
    ...fields,
  };
}
const sources = (fields: Partial<GapSources>): GapSources => ({
  sops: [],
  retired: [],
  templates: [],
  searches: [],
  today: "2026-06-01",
  unwanted: [],
  ...fields,
});
const titles = (fields: Partial<GapSources>) => findGaps(sources(fields)).map(({ title }) => title);

describe("gaps", () => {
  it("a title that is there is no gap, however its link is written; one that is out of use is known", () => {
    const there = sop("Recall product");
    const links = `[that](/sop/${there.id}), [this](/sop/${there.number.toLowerCase()}#steps), [old](/sop/SOP-9000)`;
    const reader = sop(
      "Hold product",
      `SOP _Recall Product_, ${links}, [Recall](recall-product.md), SOP _Old way_, SOP _Fresh way_\n`,
    );
    const retired = [{ id: "r", number: "SOP-9000", title: "Old way" }];
    expect(titles({ sops: [there, reader], retired })).toEqual(["Fresh way"]);
  });

  it("a role is one when three SOPs name it and the title of none has it", () => {
    const steps = "1. **Line leader:** Look.\n2. **Shift planner:** Plan.\n";
    const three = ["Cook", "Cool", "Pack"].map((title) => sop(title, steps));
    expect(titles({ sops: three })).toEqual(["Take over as line leader", "Take over as shift planner"]);
    expect(titles({ sops: three.slice(0, 2) })).toEqual([]);
    expect(titles({ sops: [...three, sop("What line leaders do")] })).toEqual(["Take over as shift planner"]);
  });

  it("a template is one when no SOP is like it in its words or its text", () => {
    const drill = {
      id: "drill",
      title: "Hold an evacuation drill",
      topics: textNamesIn("alarm gather floor warden").topics,
    };
    expect(titles({ templates: [drill] })).toEqual(["Hold an evacuation drill"]);
    expect(titles({ templates: [drill], sops: [sop("Evacuation drill")] })).toEqual([]);
    expect(titles({ templates: [drill], sops: [sop("Hold a meeting", "Agenda, minutes\n")] })).toEqual([drill.title]);
  });

  it("reviews that are overdue stand by the template that would keep them, where nothing does", () => {
    const late = sop("Cook", "", { reviewBy: "2026-05-31" });
    const [gap] = findGaps(
      sources({
        sops: [late, sop("Cool", "", { reviewBy: "2026-06-01" })],
        templates: [{ id: "document-control", title: "Control documents" }],
      }),
    );
    expect(gap?.evidence).toEqual([
      { rule: "review-overdue", sopId: late.id, version: 1, detail: "2026-05-31" },
      { rule: "template", sopId: null, version: null, detail: "Control documents" },
    ]);
  });

  it("what two rules find is one gap with the evidence of both; what is not wanted is none", () => {
    const reader = sop("Hold product", "SOP _Evacuation drill_\n");
    const searches = [
      { words: "evacuation drill", people: 4 },
      { words: "badge", people: 2 },
    ];
    const found = findGaps(sources({ sops: [reader], searches }));
    expect(found.map(({ title, evidence }) => [title, evidence.map(({ rule }) => rule)])).toEqual([
      ["Evacuation drill", ["dangling-link", "zero-result-search"]],
    ]);
    expect(titles({ sops: [reader], searches, unwanted: ["Evacuation drills"] })).toEqual([]);
  });

  it("keeps gaps apart from each other and from existing SOPs, for any input", () => {
    const sops = Array.from({ length: 40 }, (_, at) =>
      sop(
        `Check pump ${at}`,
        `## Tools\n\n- Gauge ${"abcde"[at % 5]}\n\nSOP _Check pump ${at + 3}_, SOP _Repair valve ${at % 7}_\n`,
      ),
    );
    const found = findGaps(sources({ sops }));
    for (const gap of found) {
      expect(createLikenessRanking(sops)(gap)[0]?.score ?? 0).toBeLessThan(1);
      expect(gap.evidence.length).toBeGreaterThan(0);
      expect(found.filter(({ title }) => title === gap.title)).toHaveLength(1);
    }
  });
});
