/** Steps leave out background alone, and show all else at its section. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { alertKinds } from "../markdown/alert-grades.ts";
import { renderWithTree } from "../markdown/render.ts";
import { isBackgroundTitle, isDocumentControlTitle, isHelpTitle, sectionKindsOf } from "../markdown/section-names.ts";
import { sopTexts } from "../../test/corpus.ts";
import { isNightly } from "../../test/nightly.ts";
import { classesOf, isHazardBox, headingLevelOf } from "./element.ts";
import { readingSteps } from "./reading-steps.ts";
import { treeElements, type TreeElement } from "./tree-element.ts";

const words = ({ textContent }: TreeElement) => (textContent ?? "").replace(/\s+/g, " ").trim();
const elementsOf = (markdown: string) => treeElements(renderWithTree(markdown).tree().children);

/** The screens of Steps: what comes before all steps, then each step with its place. */
function screensOf(markdown: string): string[][] {
  const { steps, needs } = readingSteps(elementsOf(markdown));
  return [
    needs.map(words),
    ...steps.map(({ warnings, before, item, after }) => [...warnings, ...before, item, ...after].map(words)),
  ];
}

describe("the screens of Steps", () => {
  it.each([
    [
      "text of the procedure above its parts",
      "## Procedure\n\nWear gloves throughout.\n\n> [!IMPORTANT]\n> Never work alone.\n\n| Pressure |\n|---|\n| 5 bar |\n\n### Part A\n\n1. Open valve A.\n",
      [["Procedure", "Wear gloves throughout.", "Important Never work alone.", "Pressure 5 bar"], ["Open valve A."]],
    ],
    [
      "a part without steps before the first",
      "## 2 Procedure\n\n### 2.1 Preparation\n\nPut on the face visor.\n\n- Visor\n- Apron\n\n### 2.2 Work\n\n1. Cut\n",
      [["2.1 Preparation", "Put on the face visor.", "Visor Apron"], ["Cut"]],
    ],
    [
      "a title that says procedure",
      "# Procedure\n\nWear a visor.\n\n## Cut\n\n1. Cut\n",
      [["Procedure", "Wear a visor."], ["Cut"]],
    ],
    [
      "a title that says protocol",
      "# Protocol\n\nTwo people.\n\n## Cut\n\n1. Cut\n",
      [["Protocol", "Two people."], ["Cut"]],
    ],
    [
      "German",
      "## Vorgehen\n\nHandschuhe tragen.\n\n### A\n\n1. Öffnen\n",
      [["Vorgehen", "Handschuhe tragen."], ["Öffnen"]],
    ],
    [
      "HTML",
      "## Procedure\n\n<div>Wear a mask.</div>\n\n### A\n\n1. Open\n",
      [["Procedure", "Wear a mask."], ["Open"]],
    ],
    [
      "a procedure whose steps are elsewhere",
      "## Procedure\n\nTwo people.\n\n## Mop\n\n1. Mop\n",
      [["Procedure", "Two people."], ["Mop"]],
    ],
    [
      "text of a later section at the first step below it",
      "## Procedure\n\n### Part A\n\n1. Start A.\n\n### Part B\n\nWear a hood here.\n\n#### B1\n\n1. Start B.\n",
      [[], ["Start A."], ["Part B", "Wear a hood here.", "Start B."]],
    ],
    [
      "warnings of a later section at the first step below it",
      "## Mixer\n\n1. Start mixer.\n\n## Acid tank\n\nWear the acid suit.\n\n> [!DANGER]\n> Acid splash.\n\n### Opening\n\n1. Open the lid.\n",
      [[], ["Start mixer."], ["Danger Acid splash.", "Acid tank", "Wear the acid suit.", "Open the lid."]],
    ],
    [
      "a section without steps inside a later one with steps",
      "## Mixer\n\n1. Start\n\n## Tank\n\n### Suit\n\nWear it.\n\n### Opening\n\n1. Open\n",
      [[], ["Start"], ["Suit", "Wear it.", "Open"]],
    ],
    [
      "a section without steps at the step before it",
      "## Mixer\n\n1. Start\n\n### Clean\n\nWipe it.\n\n## Tank\n\n1. Open\n\n## End\n\nTwo people.\n",
      [[], ["Start", "Clean", "Wipe it."], ["Open", "End", "Two people."]],
    ],
    [
      "text in its order",
      "## Steps\n\n1. Open\n\nLook.\n\n> [!WARNING]\n> Hot\n\nWait for the lamp.\n\n2. Close\n",
      [[], ["Open", "Look."], ["Warning Hot", "Wait for the lamp.", "Close"]],
    ],
    [
      "a heading that protects, with nothing below it",
      "## Steps\n\n### A\n\n1. Open\n\n### Never alone\n\n#### B\n\n1. Close\n",
      [[], ["Open"], ["Never alone", "Close"]],
    ],
    [
      "footnotes, also below background",
      "## Steps\n\n1. Open[^a]\n\n## References\n\nISO 1\n\n[^a]: The blue one.\n",
      [["Footnotes The blue one. ↩"], ["Open1"]],
    ],
    [
      "what control of a document says to readers",
      "## Approval\n\nNo work without a hot work permit signed by the fire officer.\n\n| Name | Date |\n|---|---|\n| Ann | 2024-05-01 |\n\n## History\n\nNever enter.\n\n- 2024-05-01: masks are not needed\n- 1.0 (1 May 2023): never used\n\n## Steps\n\n1. Open\n",
      [
        ["Approval", "No work without a hot work permit signed by the fire officer.", "History", "Never enter."],
        ["Open"],
      ],
    ],
    [
      "a limit in a table of the control",
      "## Approval\n\n| Limit |\n|---|\n| 5 bar |\n\n## Distribution\n\n- Sign in at the gate. No one enters alone after 2026-05-01.\n\n## Steps\n\n1. Open\n",
      [
        ["Approval", "Limit 5 bar", "Distribution", "Sign in at the gate. No one enters alone after 2026-05-01."],
        ["Open"],
      ],
    ],
    [
      "background that protects, without a space between its elements",
      "## Purpose\n\n<div><p>More</p><p>Never enter.</p></div>\n\n## Steps\n\n1. Open\n",
      [["Purpose", "MoreNever enter."], ["Open"]],
    ],
    [
      "sections after the procedure in their place, with steps of their own",
      "## Procedure\n\n1. Open\n2. Close\n\n## Emergency\n\n> [!DANGER]\n> Gas\n\n1. Leave\n\n## Shutdown\n\n- [ ] Close the gas\n- [ ] Wait\n\n## Waste\n\nNever burn it.\n\n> [!WARNING]\n> Sharp\n\n## Records\n\nSign the log.\n\n1. Log it\n\n## References\n\n1. Book\n",
      [
        [],
        ["Open"],
        ["Close"],
        ["Danger Gas", "Leave"],
        ["Close the gas"],
        ["Wait", "Waste", "Never burn it.", "Warning Sharp"],
        ["Sign the log.", "Log it"],
      ],
    ],
    [
      "bullets of a procedure without numbers, before what is numbered",
      "## Procedure\n\nTwo people.\n\n- open the valve\n- wait\n\n### PPE\n\n- mask\n\n### Then\n\n* close it\n\n## Emergency stop\n\n1. hit the red button\n\n## Appendix\n\n1. form\n",
      [[], ["Two people.", "open the valve"], ["wait", "PPE", "mask"], ["close it"], ["hit the red button"], ["form"]],
    ],
    [
      "no bullets of a procedure with numbers, but those of one without",
      "## Procedure\n\n- two people\n\n1. Open\n\n## Ablauf\n\n- prüfen\n",
      [[], ["two people", "Open"], ["prüfen"]],
    ],
    [
      "a procedure of bullets, and no numbers before it",
      "## Mop\n\n1. Mop\n\n## Instructions\n\n- wipe\n\n## Rinse\n\n1. Rinse\n",
      [["Mop", "Mop"], ["wipe"], ["Rinse"]],
    ],
    [
      "safety and equipment after the procedure in their place, and before the steps",
      "## Procedure\n\n1. Open\n\n## Safety\n\n1. No fire\n\n## PPE\n\n- mask\n\n## Shutdown\n\n1. Close\n",
      [["Safety", "No fire", "PPE", "mask"], ["Open", "Safety", "No fire", "PPE", "mask"], ["Close"]],
    ],
    [
      "protecting words of background in their place",
      "## Procedure\n\n1. Open\n\n## References\n\nNever enter.\n\n## Shutdown\n\n1. Close\n",
      [[], ["Open", "References", "Never enter."], ["Close"]],
    ],
    [
      "headings with nothing below them at their place, each once",
      "## Use only the blue hose\n\n## Part A\n\n### Night shift\n\n### Cleaning\n\n1. Clean\n\n### Call 4711\n\n## Part B: by day\n\n### Checks\n\n1. Check\n\n## The end\n",
      [
        ["Use only the blue hose", "Night shift"],
        ["Clean", "Call 4711"],
        ["Check", "The end"],
      ],
    ],
    [
      "the heading around a section that is shown",
      "## Before the night shift\n\n### Equipment\n\n- mask\n\n## Steps\n\n1. Open\n",
      [["Before the night shift", "Equipment", "mask"], ["Open"]],
    ],
    ["no list of versions", "## Open it\n\n1. Open\n\n## Revision history\n\n1. First\n", [[], ["Open"]]],
    [
      "no versions of the document, with or without a procedure",
      "## Open it\n\n1. Open\n\n## Revision history\n\n| Version | Change |\n|---|---|\n| 1.0 | First |\n",
      [[], ["Open"]],
    ],
  ])("have %s", (_, markdown, expected) => {
    expect(screensOf(markdown)).toEqual(expected);
  });

  it("name all headings above a step", () => {
    const { steps, leftOut } = readingSteps(
      elementsOf("# Mixer\n\n## Purpose\n\n## Part A\n\n### Cleaning\n\n1. Clean\n\n## Part B\n\n1. Check\n"),
    );
    const headings = steps.map((step) => step.headings.map(words));
    expect([headings, leftOut.map(words)]).toEqual([
      [
        ["Mixer", "Part A", "Cleaning"],
        ["Mixer", "Part B"],
      ],
      ["Purpose"],
    ]);
  });

  it.each(["Approval", "History"])("are those of an SOP with the title %s", (title) => {
    expect(screensOf(`# ${title}\n\n1. Ask\n`)).toEqual([[], ["Ask"]]);
  });

  it("have no list of versions below a title that says procedure", () => {
    expect(screensOf("# Procedure\n\n## Work\n\n1. Open\n\n## Revision history\n\n1. First\n")).toEqual([[], ["Open"]]);
  });

  it("name a hazard of a section again at the first step of each list below it", () => {
    const text =
      "## Mixer\n\n1. Start\n\n## Tank\n\n> [!DANGER]\n> Acid\n\n### Opening\n\n1. Open\n\n### Closing\n\n1. Close\n\n## End\n\n1. Leave\n";
    const { steps } = readingSteps(elementsOf(text));
    const earlier = steps.map(({ under }) => under.flatMap(({ above }) => above).map(words));
    expect(earlier).toEqual([[], [], ["Danger Acid"], []]);
  });
});

interface Counts {
  blocks: number;
  before: number;
  atSteps: number;
  /** Before the steps, and in their place after them. */
  repeated: number;
  leftOut: number;
}

/** Where each block of a text is shown, against a reading of its headings alone. */
function checkText(markdown: string, counts: Counts): void {
  const all = elementsOf(markdown);
  const { steps, needs, leftOut } = readingSteps(all);
  if (steps.length === 0) return;
  const screens = steps.map(({ warnings, before, after }) => ({ above: [...warnings, ...before], after }));
  const lists = steps.map(({ item }) => all.findIndex(({ node }) => node.children.includes(item.node)));
  const isIn = (elements: readonly TreeElement[], { node }: TreeElement) => elements.some((one) => one.node === node);
  /** The headings that a place is below, inner first. */
  const above = (at: number) => {
    let level = 7;
    return all
      .slice(0, at)
      .flatMap((one, index) => (headingLevelOf(one) > 0 ? [index] : []))
      .toReversed()
      .filter((index) => {
        const isOuter = headingLevelOf(all[index] as TreeElement) < level;
        if (isOuter) level = headingLevelOf(all[index] as TreeElement);
        return isOuter;
      });
  };
  const first = all.findIndex((element) => headingLevelOf(element) > 0);
  const isTitled =
    all.filter((element) => headingLevelOf(element) === 1).length === 1 && headingLevelOf(all[first] as never) === 1;
  const isTitle = (at: number) => isTitled && at === first;
  const kindsOfHeading = (at: number) => {
    const title = words(all[at] as TreeElement);
    if (!isTitle(at) && isDocumentControlTitle(title)) return ["control"];
    return !isTitle(at) && isHelpTitle(title) ? ["help"] : sectionKindsOf(title);
  };
  /** From the outermost heading in: the procedure names nothing inside it, and a title counts where nothing is named. */
  const kindAt = (at: number) =>
    above(at)
      .toReversed()
      .reduce<string | null>((kind, heading, index, outer) => {
        const isBelowTitle = index > 0 && isTitle(outer[index - 1] as number);
        if (kind === "procedure" && !isBelowTitle) return kind;
        const kinds = kindsOfHeading(heading);
        if (kinds.includes("procedure")) return "procedure";
        return kinds[0] ?? (isBelowTitle && kind !== "procedure" ? null : kind);
      }, null);
  const isCounted = (element: TreeElement) =>
    element.children.length > 0 && (element.tagName === "ol" || classesOf(element).includes("contains-task-list"));
  const isProcedure = all.some((element, at) => isCounted(element) && kindAt(at) === "procedure");
  expect(lists).toEqual(lists.toSorted((a, b) => a - b));
  let last = -1;
  for (const [at, element] of all.entries()) {
    const isNote = classesOf(element).includes("footnotes");
    if (headingLevelOf(element) > 0) {
      // its words are the name of a step, or stand on a screen, or in what is left out
      const named = steps.flatMap(({ headings }) => headings);
      const onScreens = screens.flatMap(({ above, after }) => [...above, ...after]);
      const where = isIn([...named, ...onScreens, ...needs, ...leftOut], element);
      expect([words(element), where]).toEqual([words(element), true]);
    }
    if (headingLevelOf(element) > 0 || element.tagName === "hr" || lists.includes(at)) continue;
    const found = screens.flatMap((one, step) => (isIn([...one.above, ...one.after], element) ? [step] : []));
    if (isIn(needs, element)) found.unshift(-1);
    const headings = isNote ? [] : above(at);
    const where = `${words(element).slice(0, 60)} below ${headings.map((one) => words(all[one] as TreeElement)).join(" < ")}`;
    const isLater = at > (lists[0] as number);
    const kind = isNote ? null : kindAt(at);
    counts.blocks += 1;
    // each counted list after the first step is steps, unless its heading says that it informs
    const isAction = isCounted(element) && isLater && ["procedure", "records", "help", null].includes(kind);
    expect([where, isAction]).toEqual([where, false]);
    expect([where, isIn(leftOut, element)]).toEqual([where, found.length === 0]);
    if (found.length === 0) {
      counts.leftOut += 1;
      if (headings[0] !== undefined) expect(isIn(leftOut, all[headings[0]] as TreeElement)).toBe(true);
      const title = words(all[headings[0] ?? -1] ?? element);
      const isNamed = isBackgroundTitle(title) || isDocumentControlTitle(title);
      expect([where, isNamed && headings.length > 0 && kind !== "procedure" && !isHazardBox(element)]).toEqual([
        where,
        true,
      ]);
      continue;
    }
    if (isLater && ["safety", "equipment", "prerequisites"].includes(kind ?? "")) {
      expect([where, found.shift()]).toEqual([where, -1]);
      counts.repeated += 1;
    }
    expect([where, found.length]).toEqual([where, 1]);
    const [screen = -1] = found;
    counts[screen < 0 ? "before" : "atSteps"] += 1;
    if (screen < 0) {
      expect([where, isLater && !(isNote && isProcedure)]).toEqual([where, false]);
      if (isNote) continue;
    } else {
      // the innermost section around it that has a step
      const own = headings.find((heading) => lists.some((list) => above(list).includes(heading)));
      const isOwn = own === undefined || above(lists[screen] as number).includes(own);
      const isBefore = screen === 0 && isIn(screens[0]?.above ?? [], element);
      expect([where, isOwn || isBefore]).toEqual([where, true]);
      // above the steps that follow it, below those before it
      expect([where, isIn(screens[screen]?.above ?? [], element)]).toEqual([where, (lists[screen] as number) > at]);
      // hazards above all steps are repeated at each of them, so the first shows them
      if (isBefore && isHazardBox(element)) continue;
    }
    expect([where, screen >= last]).toEqual([where, true]);
    last = screen;
  }
}

const titles = [
  [
    "Procedure",
    "Steps",
    "Vorgehen",
    "Procédure",
    "Procedura",
    "2.1 Work",
    "Part A",
    "Mixer",
    "Acid tank",
    "保護具",
    "Подготовка",
  ],
  [
    "Safety",
    "Equipment",
    "Schutzausrüstung",
    "Before you start",
    "Purpose",
    "Zweck",
    "Scope",
    "Definitions",
    "References",
  ],
  [
    "Records",
    "Approval",
    "Revision history",
    "Notes",
    "Never alone",
    "Shutdown",
    "Emergency stop",
    "Emergency",
    "Contacts",
    "Appendix A",
  ],
].flat();
const bodies = [
  "Two people.",
  "Wear gloves.",
  "Look at it.\n\nThen wait.",
  "- visor\n- apron",
  "- a\n  1. b\n     - c",
  "1. do\n2. do",
  "3. do\n\n   > [!WARNING]\n   > Hot\n\n4. do",
  "1. do\n   - [ ] it\n   - [x] that",
  "- [ ] tick\n- [ ] tick",
  "* * *",
  "| A | B |\n|---|---|\n| 5 bar | c |",
  "| Name | Date |\n|---|---|\n| Ann | 2024-05-01 |",
  "```\ncode\n```",
  "> quote",
  "<div>Wear a mask.</div>",
  "<details><summary>More</summary>\n\nNever enter.\n\n</details>",
  "<details>\n\n1. in it\n\n</details>",
  "<ol><li>do</li></ol>",
  "![Valve](/a.png)",
  ...alertKinds.map((kind) => `> [!${kind}]\n> Hot`),
];
const text = fc
  .array(
    fc.tuple(
      fc.integer({ min: 1, max: 6 }),
      fc.constantFrom(...titles),
      fc.array(fc.constantFrom(...bodies), { maxLength: 4 }),
    ),
    { minLength: 1, maxLength: 9 },
  )
  .map((parts) =>
    parts.map(([level, title, own]) => [`${"#".repeat(level)} ${title}`, ...own].join("\n\n")).join("\n\n"),
  );

describe("each block but background is on one screen, of its own section or before all steps, in the order of the text", () => {
  const counted = () => ({ blocks: 0, before: 0, atSteps: 0, repeated: 0, leftOut: 0 });

  it("in generated texts", () => {
    const counts = counted();
    fc.assert(
      fc.property(text, (markdown) => checkText(markdown, counts)),
      { numRuns: isNightly ? 2_000 : 200 },
    );
    console.info("generated", counts);
    expect(counts.atSteps).toBeGreaterThan(200);
    expect(counts.leftOut).toBeGreaterThan(5);
    expect(counts.repeated).toBeGreaterThan(20);
  });

  it("in real texts", () => {
    const counts = counted();
    for (const markdown of sopTexts({ oneIn: isNightly ? 1 : 40 })) checkText(markdown, counts);
    console.info("real", counts);
    expect(counts.atSteps).toBeGreaterThan(100);
  });
});
