import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AiProvider, AiQuestion } from "./provider.ts";
import { linkAndImageAddressesOf, numberedBlocksOf, bodyAfterEdits, sanitizedMarkdown } from "./blocks.ts";
import { enhanceText, improveText, prepareTextForModel, tidyText, tryEdits, type ProposedEdit } from "./improve.ts";
import { lostTokens, protectedTokens } from "./protected-tokens.ts";

describe("what a text must not lose", () => {
  test.each<[string, string, string[]]>([
    ["Heat to 85 °C for 5 min.", "Heat it for 5 min.", ["85°C"]],
    ["Pump 5 m³/h at 2,5 bar.", "Pump.", ["5m³/h", "2,5bar"]],
    ["Keep for 5 years (2026-10-01).", "Keep.", ["5years", "2026-10-01"]],
    ["Heat to 85 °C.", "Heat to 86 °C.", ["85°C"]],
    ["Add 1,5 ml.", "Add 1.5 ml.", ["1,5ml"]],
    ["You must never open it.", "Open it.", ["must", "never"]],
    ["Don't open it.", "Do not open it.", []],
    ["Run `sop lint`.", "Run the checker.", ["sop lint"]],
    ["See [the plan](/sop/1).", "See the plan.", ["/sop/1"]],
    ["![Valve](/api/assets/x.png)", "Valve", ["/api/assets/x.png"]],
    ["See [the plan][p].\n\n[p]: /sop/1", "See the plan.\n\n[p]: /sop/1", ["/sop/1"]],
    ["See [the plan][p].\n\n[p]: /sop/1", "See [the plan](/sop/1).", []],
    ["> [!WARNING]\n> Hot steam.", "Hot steam.", ["[!WARNING]"]],
    ["> [!DANGER]\n> Hot.", "> [!NOTE]\n> Hot.", ["[!DANGER]"]],
    ["Close 3 valves, then 3 more.", "Close 3 valves, then more.", ["3"]],
    ["1. Open.\n2. Close.", "1. Open.\n2. Close.\n3. Wait.", []],
    ["The operator opens the lid of the tank slowly.", "Open the tank's lid slowly.", []],
  ])("%j → %j loses %j", (before, after, lost) => {
    expect(lostTokens(before, after)).toEqual(lost);
  });

  test("loses nothing that stays, and counts everything that goes", () => {
    const text = fc.stringMatching(/^[a-z0-9 °C.,`*-]{0,60}$/);
    fc.assert(
      fc.property(text, (markdown) => {
        expect(lostTokens(markdown, markdown)).toEqual([]);
        expect(lostTokens(markdown, "")).toEqual([...protectedTokens(markdown).values()].map(({ raw }) => raw));
      }),
      { numRuns: 300 },
    );
  });
});

describe("blocks", () => {
  const body = "## A\n\nOne.\n\n1. x\n2. y\n\n> q\n";

  test("are the top of the tree, and put together again they are the text", () => {
    expect(numberedBlocksOf(body).map(({ id, markdown }) => [id, markdown])).toEqual([
      ["b1", "## A"],
      ["b2", "One."],
      ["b3", "1. x\n2. y"],
      ["b4", "> q"],
    ]);
    expect(bodyAfterEdits(body, [])).toBe(body);
  });

  test("are replaced, followed and deleted", () => {
    expect(
      bodyAfterEdits(body, [
        { op: "replace", blockId: "b2", markdown: "Two." },
        { op: "insertAfter", blockId: "b2", markdown: "Three." },
        { op: "delete", blockId: "b4", markdown: "" },
        { op: "delete", blockId: "b9", markdown: "" },
      ]),
    ).toBe("## A\n\nTwo.\n\nThree.\n\n1. x\n2. y\n");
  });

  const known = new Set(["/sop/1"]);
  test.each([
    ["Text <b onclick=x>bold</b>", "Text bold\n"],
    ["<!-- sop-disable-file -->\n\nText", "Text\n"],
    ["[plan](/sop/1) [evil](https://evil.example)", "[plan](/sop/1) `evil`\n"],
    ["Go to https://evil.example now", "Go to `https://evil.example` now\n"],
    ["![pixel](https://evil.example/p.png)", "pixel\n"],
    ["[x][y]\n\n[y]: https://evil.example", "\\[x]\\[y]\n"],
    ["**Bold** and `code`", "**Bold** and `code`\n"],
  ])("of a model are tamed: %j", (markdown, clean) => {
    const text = sanitizedMarkdown(markdown, known);
    expect(text.replaceAll("\\", "")).toBe(clean.replaceAll("\\", ""));
    for (const address of linkAndImageAddressesOf(text)) expect(known).toContain(address);
  });
});

const body = `## Purpose

Nobody gets hurt.

## Procedure

1. The valve should be opened as needed at 5 bar.
2. Close the valve.
`;

function answering(edits: Partial<ProposedEdit>[]): AiProvider & { asked: AiQuestion<unknown>[] } {
  const asked: AiQuestion<unknown>[] = [];
  const value = {
    summary: "Nothing changes its meaning.",
    edits: edits.map((edit) => ({ op: "replace", blockId: "b4", markdown: "", why: "clearer", ...edit })),
  };
  const ask = (question: AiQuestion<unknown>) => {
    asked.push(question);
    return Promise.resolve({ value, usage: { promptTokens: 1, completionTokens: 1 }, model: "small", calls: 1 });
  };
  return { model: "small", asked, ask: ask as AiProvider["ask"] };
}

const request = { title: "Valve", markdown: body };

describe("improving a text", () => {
  test("makes the edits that hold, in canonical form, and tells what the rules found before and after", async () => {
    const provider = answering([{ markdown: "1. Open the valve at 5 bar.\n1. Close the valve.\n" }]);
    const improved = await improveText(provider, request);
    expect(improved.markdown).toContain("1. Open the valve at 5 bar.\n2. Close the valve.\n");
    expect(improved).toMatchObject({
      summary: "1 proposed change, none marked",
      dropped: [],
      made: { prompt: "improve-sop@1", calls: 1 },
    });
    expect(improved.edits).toHaveLength(1);
    expect(improved.findings.after.length).toBeLessThan(improved.findings.before.length);
    expect(provider.asked[0]?.data).toMatchObject({ title: "Valve", blocks: numberedBlocksOf(body) });
  });

  test.each<[string, Partial<ProposedEdit>, string, string[]]>([
    ["a figure", { markdown: "1. Open the valve.\n2. Close the valve.\n" }, "loses what must stay", ["5bar"]],
    ["a block", { op: "delete" }, "loses what must stay", ["5bar"]],
    ["nothing", { blockId: "b2", markdown: "Nobody gets hurt." }, "changes nothing", []],
    ["what is not there", { blockId: "b77", markdown: "x" }, "no such block", []],
    ["nonsense", { blockId: "constructor", markdown: "x" }, "no such block", []],
    ["a secret", { op: "insertAfter", markdown: "Use AKIAIOSFODNN7EXAMPLE." }, "adds errors", []],
    ["only markup", { op: "insertAfter", markdown: "<img src=x>" }, "changes nothing", []],
  ])("drops an edit that loses or adds %s", async (_, edit, reason, lost) => {
    const improved = await improveText(answering([edit]), request);
    expect(improved.markdown).toBe(body);
    expect(improved.dropped.map((one) => [one.reason, one.lost])).toEqual([[reason, lost]]);
  });

  test("edits a block once", async () => {
    const improved = await improveText(
      answering([
        { blockId: "b2", markdown: "Nobody is hurt." },
        { blockId: "b2", markdown: "All stay safe." },
      ]),
      request,
    );
    expect(improved.markdown).toContain("Nobody is hurt.");
    expect(improved.dropped.map(({ reason }) => reason)).toEqual(["edited already"]);
  });

  const paragraphs = (count: number) => Array.from({ length: count }, (_, n) => `Paragraph of ${n}.`).join("\n\n");
  const rewording = (n: number) => ({ blockId: `b${n + 1}`, markdown: `The paragraph of ${n}.` });
  const secret = (n: number) => ({ ...rewording(n), markdown: `AKIAIOSFODNN7EXAMPLE of ${n}.` });

  test("a bad edit among many good ones is found in few readings, and alone left out", async () => {
    const edits = Array.from({ length: 64 }, (_, n) => (n === 37 ? secret(n) : rewording(n)));
    const readings: number[] = [];
    const improved = await improveText(
      answering(edits),
      { title: "T", markdown: paragraphs(64) },
      {
        read: async (markdown) => prepareTextForModel(markdown),
        attempt: async (trial) => (readings.push(trial.proposals.length), tryEdits(trial)),
        findings: async () => [],
      },
    );
    expect(improved.edits).toHaveLength(63);
    expect(improved.dropped.map(({ edit, reason }) => [edit.blockId, reason])).toEqual([["b38", "adds errors"]]);
    expect(readings.length).toBeLessThanOrEqual(2 * Math.log2(64) + 1);
  });

  test("an error that comes for another that goes is still added", async () => {
    const bad = "AKIAIOSFODNN7EXAMPLE is the key.\n\nParagraph.\n";
    const improved = await improveText(
      answering([
        { blockId: "b1", markdown: "The vault has the key." },
        { blockId: "b2", markdown: "[Paragraph](javascript:alert)\n\nghp_0123456789abcdefghijABCDEFGHIJ012345" },
      ]),
      { title: "T", markdown: bad },
    );
    expect(improved.markdown).toContain("The vault has the key.");
    expect(improved.dropped.map(({ reason }) => reason)).toEqual(["adds errors"]);
  });

  test("of nothing but bad ones the last are not tried", async () => {
    const improved = await improveText(answering(Array.from({ length: 60 }, (_, n) => secret(n))), {
      title: "T",
      markdown: paragraphs(60),
    });
    const reasons = new Set(improved.dropped.map(({ reason }) => reason));
    expect(improved.dropped).toHaveLength(60);
    expect(reasons).toEqual(new Set(["adds errors", "not tried"]));
  });

  test("detail may leave blanks, which are no errors yet", async () => {
    const added = { op: "insertAfter" as const, markdown: "[confirm: who holds the key]" };
    const improved = await enhanceText(answering([added]), "detail", request);
    expect(improved.markdown).toContain("[confirm: who holds the key]");
    expect(improved.findings.after.map(({ rule }) => rule)).toContain("text/placeholder");
    expect(improved.made?.prompt).toBe("enhance-detail@1");
  });
});

test("tidying asks no model and changes no wording", () => {
  const tidied = tidyText({ title: "T", markdown: "##  Steps\n\n* One\n\n\n* Two" });
  expect(tidied.markdown).toBe("## Steps\n\n- One\n\n- Two\n");
  expect(tidied.made).toBeNull();
  const titled = tidyText({ title: "T", markdown: "# T\n\nText\n" });
  expect(titled.markdown).toBe("# T\n\nText\n");
  expect(titled.findings.after.map(({ rule }) => rule)).toContain("struct/no-h1");
});
