import fc from "fast-check";
import type { Element, Nodes } from "hast";
import { describe, expect, it } from "vitest";
import { parseHtml } from "../markdown/html-tree.ts";
import { renderHtml } from "../markdown/render.ts";
import type { ReadingElement } from "./element.ts";
import { readingSteps } from "./reading-steps.ts";

interface Read extends ReadingElement<Read> {
  children: Read[];
}

const textOf = (node: Nodes): string =>
  node.type === "text" ? node.value : "children" in node ? node.children.map(textOf).join("") : "";

function read(element: Element): Read {
  const { properties } = element;
  return {
    id: String(properties["id"] ?? ""),
    tagName: element.tagName,
    textContent: textOf(element),
    children: elementsOf(element.children),
    getAttribute: (name) => {
      const value = properties[name === "class" ? "className" : name];
      return value === undefined || value === null ? null : [value].flat().join(" ");
    },
  };
}
const elementsOf = (nodes: readonly Nodes[]): Read[] =>
  nodes.flatMap((node) => (node.type === "element" ? [read(node)] : []));

const words = (element: Read | null) => (element?.textContent ?? "").replace(/\s+/g, " ").trim();

function found(markdown: string) {
  const elements = elementsOf(parseHtml(renderHtml(markdown)).children);
  const { steps, begin } = readingSteps(elements);
  return {
    begin: words(elements[begin] ?? null),
    steps: steps.map((step) => ({
      number: step.number,
      section: step.section && words(step.section),
      text: words(step.item),
      ...(step.warnings.length > 0 && { warnings: step.warnings.map(words) }),
      ...(step.before.length > 0 && { before: step.before.map(words) }),
      ...(step.after.length > 0 && { after: step.after.map(words) }),
    })),
  };
}

describe("the steps of a text", () => {
  it("are the numbered items of its procedure, through all its parts, and of what comes after it", () => {
    const text =
      "## Scope\n\n1. Kettles\n\n## Procedure\n\n### Rinse\n\n1. Open\n2. Rinse\n\n### Dry\n\n1. Wipe\n\n## Records\n\n1. Log\n";
    expect(found(text)).toEqual({
      begin: "Procedure",
      steps: [
        { number: 1, section: "Rinse", text: "Open" },
        { number: 2, section: "Rinse", text: "Rinse" },
        { number: 1, section: "Dry", text: "Wipe" },
        { number: 1, section: "Records", text: "Log" },
      ],
    });
  });

  it("are those of all other numbered lists where no heading says procedure", () => {
    const text =
      "## You need\n\n- Gloves\n\n## Clean the groups\n\n1. Knock out\n\n## Finish\n\n2. Empty\n\n## References\n\n1. Book\n";
    expect(found(text)).toEqual({
      begin: "Clean the groups",
      steps: [
        { number: 1, section: "Clean the groups", text: "Knock out" },
        { number: 2, section: "Finish", text: "Empty" },
      ],
    });
  });

  it("have the warnings that come before them, in the item, between lists and above the procedure", () => {
    const text =
      "## Safety\n\n> [!DANGER]\n> Acid\n\n## Steps\n\n1. Open\n2. Lock\n\n   > [!WARNING]\n   > Hot\n\n> [!CAUTION]\n> Slippery\n\n3. Leave\n";
    expect(found(text).steps).toEqual([
      { number: 1, section: "Steps", text: "Open", warnings: ["Danger Acid"] },
      { number: 2, section: "Steps", text: "Lock Warning Hot", warnings: ["Warning Hot"] },
      { number: 3, section: "Steps", text: "Leave", warnings: ["Caution Slippery"] },
    ]);
  });

  it("keep nested lists, images and tables within them, and what follows their list", () => {
    const text =
      "## Steps\n\nWear gloves.\n\n1. Set\n\n   1. Left\n   2. Right\n\n   | a | b |\n   | - | - |\n   | 1 | 2 |\n2. Look ![The seal](/a.png)\n\n| Check | Limit |\n| - | - |\n| pH | 7 |\n\n> [!TIP]\n> Easy\n";
    const { steps } = found(text);
    expect(steps.map(({ text: own }) => own.replaceAll(" ", ""))).toEqual(["SetLeftRightab12", "LookTheseal"]);
    expect(steps[0]?.before).toEqual(["Wear gloves."]);
    expect(steps[1]?.after).toEqual(["Check Limit pH 7", "Tip Easy"]);
  });

  it("are the items of a check list in a procedure, and none elsewhere", () => {
    expect(found("## Procedure\n\n- [ ] Doors\n- [ ] Lights\n").steps).toEqual([
      { number: null, section: "Procedure", text: "Doors" },
      { number: null, section: "Procedure", text: "Lights" },
    ]);
    expect(found("## Notes\n\n- [ ] Doors\n").steps).toEqual([]);
  });

  it("give a warning after the last list of a part to its last step", () => {
    const { steps } = found("## Procedure\n\n### A\n\n1. One\n\n> [!WARNING]\n> Hot\n\n### B\n\n1. Two\n");
    expect(steps.map(({ warnings = [], after = [] }) => [warnings, after])).toEqual([
      [[], ["Warning Hot"]],
      [[], []],
    ]);
  });

  it.each(["Procedure", "Safety", "Overview", "Scope"])("are those of the sections below the title %s", (title) => {
    const text = `# ${title}\n\n## Purpose\n\n1. Why\n\n## Rinse\n\n1. Open\n\n## Dry\n\n1. Wipe\n\n## References\n\n1. Book\n`;
    expect(found(text)).toEqual({
      begin: "Rinse",
      steps: [
        { number: 1, section: "Rinse", text: "Open" },
        { number: 1, section: "Dry", text: "Wipe" },
      ],
    });
  });

  it("are the check lists below the title Procedure, in sections that name nothing else", () => {
    const text = "# Procedure\n\n## Scope\n\n- [ ] Mills\n\n## Close\n\n- [ ] Doors\n";
    expect(found(text).steps).toEqual([{ number: null, section: "Close", text: "Doors" }]);
  });

  const before = [
    ["Emergency", "Emergency contacts", "First aid", "Contacts", "Who to call", "If it burns", "Good to know"],
    ["Equipment", "PPE", "Materials", "Definitions", "References", "Responsibilities", "Records", "Prerequisites"],
    [
      "Notfall",
      "Erste Hilfe",
      "Ansprechpartner",
      "Geräte",
      "Urgence",
      "Premiers secours",
      "Numéros utiles",
      "Matériel",
    ],
    ["Emergencias", "Primeros auxilios", "Contactos", "Emergenza", "Primo soccorso", "Recapiti", "Attrezzature"],
    [
      "Noodgeval",
      "Eerste hulp",
      "Telefoonnummers",
      "Emergências",
      "Primeiros socorros",
      "Contatos",
      "保護具",
      "Экстренные",
    ],
  ].flat();
  it.each(before)("are those of the procedure, and no list of %s before it", (title) => {
    for (const list of ["1. Call 112\n2. Leave\n", "- [ ] Call 112\n- [ ] Leave\n", "- Call 112\n- Leave\n"])
      for (const [heading, level, steps] of [
        ["Procedure", "##", "- Open\n- Close\n"],
        ["Vorgehen", "##", "1. Open\n2. Close\n"],
        ["Procédure", "##", "- [ ] Open\n- [ ] Close\n"],
        ["Steps", "#", "- Open\n- Close\n"],
      ] as const) {
        const read = found(`${level} ${title}\n\n${list}\n${level} ${heading}\n\n${steps}`);
        expect(read.begin).toBe(heading);
        expect(read.steps.map(({ text }) => text)).toEqual(["Open", "Close"]);
      }
  });

  it.each(["Emergency", "Erste Hilfe", "Contacts", "Emergenza", "PPE", "Equipment", "Begriffe", "References"])(
    "are not those of %s at the beginning of the procedure",
    (title) => {
      for (const list of ["1. Mask\n", "- Mask\n"])
        for (const steps of ["- Open\n- Close\n", "1. Open\n2. Close\n"]) {
          const read = found(`## Procedure\n\n### ${title}\n\n${list}\n### Work\n\n${steps}`);
          expect(read.steps.map(({ text, before: above = [] }) => [...above, text])).toEqual([
            expect.arrayContaining(["Open"]),
            ["Close"],
          ]);
        }
    },
  );

  it.each([
    "Cleaning procedure",
    "Operating procedure",
    "Reinigungsablauf",
    "Durchführung der Reinigung",
    "Étapes du nettoyage",
    "Procedimiento de limpieza",
    "Procedura di pulizia",
    "🔧 Procedure",
    "2 – Procedure",
    "Procedure (daily)",
  ])("are those of %s, and not the numbers of Emergency above it", (work) => {
    for (const [title, list] of [
      ["Emergency", "1. Call 112\n"],
      ["Emergency contacts", "1. Ann 112\n"],
    ]) {
      const read = found(`## ${title}\n\n${list}\n## ${work}\n\n- Open\n- Close\n`);
      expect([read.begin, read.steps.map(({ text }) => text)]).toEqual([work, ["Open", "Close"]]);
    }
  });

  it.each(["If the alarm sounds", "Before you start", "Emergency stop", "Wenn der Alarm ertönt", "⚠ In case of fire"])(
    "are also the bullets of a procedure that numbers only %s",
    (title) => {
      const read = found(`## Procedure\n\n### ${title}\n\n1. Leave\n\n### Work\n\n- Open\n- Close\n`);
      expect(read.steps.map(({ text }) => text)).toEqual(expect.arrayContaining(["Open", "Close"]));
    },
  );

  it.each(["Record", "Listen and record", "Safety", "Prepare", "Prerequisites"])(
    "are those that the procedure numbers below %s",
    (title) => {
      const read = found(`## Procedure\n\n### ${title}\n\n1. Ask\n\n### Work\n\n1. Open\n`);
      expect(read.steps.map(({ text }) => text)).toEqual(["Ask", "Open"]);
    },
  );

  it.each(["Emergency", "First aid", "Notfall", "Urgences", "Emergencias", "Emergenza", "Noodgeval", "Emergências"])(
    "are not those of %s before other work without a heading for steps",
    (title) => {
      const text = `## ${title}\n\n1. Call 112\n\n## Clean the groups\n\n1. Knock out\n\n## ${title}\n\n1. Leave\n`;
      expect(found(text).steps.map(({ text: words }) => words)).toEqual(["Knock out", "Leave"]);
    },
  );

  it("are those of an emergency in a text that has no others", () => {
    expect(found("## Emergency\n\n1. Call 112\n\n## Contacts\n\n- Ann\n").steps.map(({ text }) => text)).toEqual([
      "Call 112",
    ]);
    expect(found("# Emergency\n\n1. Call 112\n\n## Then\n\n1. Leave\n").steps.length).toBe(2);
  });

  it("are none in a text without lists", () => {
    expect(found("## Purpose\n\nWhy.\n").steps).toEqual([]);
    expect(found("").steps).toEqual([]);
  });
});

describe("what one needs before the steps", () => {
  const needs = (markdown: string) => {
    const elements = elementsOf(parseHtml(renderHtml(markdown)).children);
    return readingSteps(elements).needs.map(words);
  };

  it("is what safety, equipment and prerequisites say, without the warnings", () => {
    const text =
      "## Scope\n\nAll\n\n## Safety\n\n> [!DANGER]\n> Acid\n\n## Equipment\n\n- Gloves\n\n### Limits\n\n| A |\n|---|\n| 7 bar |\n\n## Procedure\n\n1. Open\n";
    expect(needs(text)).toEqual(["Equipment", "Gloves", "Limits", "A 7 bar"]);
  });

  it.each([
    ["inside the procedure", "## Procedure\n\n### PPE\n\n- Gloves\n\n### Steps\n\n1. Open\n", ["PPE", "Gloves"]],
    [
      "without a procedure",
      "## Schutzausrüstung\n\nHandschuhe\n\n## Reinigen\n\n1. Open\n",
      ["Schutzausrüstung", "Handschuhe"],
    ],
    ["as a numbered list", "## What you need\n\n1. Apron\n\n## Steps\n\n1. Open\n", ["What you need", "Apron"]],
    ["after the steps", "## Steps\n\n1. Open\n\n## Materiali\n\nGuanti\n", ["Materiali", "Guanti"]],
    ["of no background", "## Purpose\n\nText\n\n## Steps\n\n1. Open\n", []],
    ["in background", "## Purpose\n\nWear gloves.\n\n## Steps\n\n1. Open\n", ["Purpose", "Wear gloves."]],
    [
      "below a title that says procedure, and no background",
      "# Procedure\n\nTwo people.\n\n## Purpose\n\nWhy.\n\n## PPE\n\n- Gloves\n\n## Scope\n\nAll of it.\n\n## Cut\n\n1. Cut\n",
      ["Procedure", "Two people.", "PPE", "Gloves"],
    ],
    ["above all headings", "Text\n\nWear gloves.\n\n## Steps\n\n1. Open\n", ["Text", "Wear gloves."]],
    ["after the steps under no heading of others", "## Steps\n\n1. Open\n\n## Range\n\n2 to 8 °C\n", []],
    ["of no records", "## Steps\n\n1. Open\n\n## Records\n\nKeep the log.\n\n## References\n\nISO 1\n", []],
    ["of no history", "## Revision history\n\n| v |\n|---|\n| 1 |\n\n## Steps\n\n1. Open\n", []],
  ])("is found %s", (_, text, expected) => {
    expect(needs(text)).toEqual(expected);
  });

  // what a worker must wear or have, in words that no list of ours has
  it.each([
    ["PPE required", "Safety gear", "What to wear", "Clothing", "Before starting", "You will need", "Kit", "Chemicals"],
    ["Critical limits", "Was Sie tragen müssen", "Grenzwerte", "Avant de commencer", "Środki ochrony", "Перед началом"],
    ["Skyddsutrustning", "保護具", "防护用品", "보호구", "معدات الحماية", "Koruyucu donanım", "อุปกรณ์ป้องกัน"],
  ])("is found under %s and others", (...titles) => {
    for (const title of titles)
      for (const body of ["- gloves", "| A |\n|---|\n| b |", "Text"])
        expect([title, needs(`## Purpose\n\nWhy.\n\n## ${title}\n\n${body}\n\n## Procedure\n\n1. Open\n`)]).toEqual([
          title,
          [title, body.startsWith("|") ? "A b" : body.replace("- ", "")],
        ]);
  });

  it("loses nothing of these sections", () => {
    const sections = fc.array(
      fc.tuple(
        fc.constantFrom(
          "## Equipment",
          "### PPE",
          "## Safety",
          "## Scope",
          "## Procedure",
          "### Rinse",
          "## Voraussetzungen",
        ),
        fc.constantFrom("- gloves", "wear gloves", "1. take gloves", "> [!WARNING]\n> gloves", "> [!NOTE]\n> gloves"),
      ),
      { maxLength: 8 },
    );
    const check = (parts: [string, string][]) => {
      const text = parts.map(([heading, body], at) => `${heading}\n\n${body} ${at}`).join("\n\n");
      const elements = elementsOf(parseHtml(renderHtml(`${text}\n\n## Procedure\n\n1. Open\n`)).children);
      const read = readingSteps(elements);
      const shown = [
        ...read.needs,
        ...read.steps.flatMap(({ warnings, before, item, after }) => [...warnings, ...before, item, ...after]),
      ];
      const said = shown.map(words).join(" | ");
      for (const [at, [heading]] of parts.entries()) {
        if (/Equipment|PPE|Safety|Vorauss/.test(heading)) expect(said).toMatch(new RegExp(`gloves ${at}\\b`));
      }
    };
    fc.assert(fc.property(sections, check), { numRuns: 300 });
  });
});
