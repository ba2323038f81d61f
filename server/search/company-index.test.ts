import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseQuery } from "#core/search/query.ts";
import { CompanyIndex } from "./company-index.ts";
import { createIndexFile, viewBits, type RowText } from "./index-file.ts";
import { questionForAllTerms, questionForMostTerms } from "./match.ts";
import type { ReadScope } from "./read-scope.ts";

const both = viewBits.latest | viewBits.published;
const position = { seq: 1, eventId: "one" };
const page = { offset: 0, limit: 10 };

const text = (sopId: string, version: number, seen: number, markdown: string, title = "A title"): RowText => ({
  sopId,
  version,
  seen,
  number: "SOP-0001",
  title,
  description: "",
  tags: [],
  lang: "en",
  markdown,
});

const readable = [
  text("pump", 1, both, "Open the zirconial valve of the pump."),
  text("filter", 3, viewBits.published, "Rinse the filter, then the pump."),
  text("ladder", 1, both, "Look at the ladder.", "Inspect ladders and pumps"),
];
const hidden = [
  text("filter", 4, viewBits.latest, "Molybdenum pump, zirconiel pump, zirconiel valve."),
  text("draft", 1, viewBits.latest, "Molybdenum and the zirconiel valve.", "The molybdenum pump"),
  text("secret", 1, both, "Zirconiel ladders, molybdenum filters.", "Secret pump"),
];
const viewer: ReadScope = {
  userId: "viewer",
  kinds: ["published"],
  passesRestrictions: false,
  seesLatest: false,
  own: [],
  restricted: ["secret"],
};
const manager: ReadScope = {
  ...viewer,
  userId: "manager",
  kinds: ["published", "revision", "draft"],
  seesLatest: true,
};
const admin: ReadScope = { ...manager, userId: "admin", passesRestrictions: true };

const questions = [
  "pump",
  "pump valve",
  "molybdenum",
  "molyb",
  "zirconial pump",
  "absent",
  "ladders filter pump",
  "inspect ladder",
];

let folder = "";
let count = 0;
beforeAll(() => void (folder = mkdtempSync(path.join(tmpdir(), "sopwright-index-"))));
afterAll(() => rmSync(folder, { recursive: true }));

async function indexOf(texts: readonly RowText[]): Promise<CompanyIndex> {
  const file = path.join(folder, `${++count}.db`);
  const made = createIndexFile(file);
  made.transaction(() => texts.forEach((one) => made.add(one)));
  made.moveTo(position);
  made.close();
  return CompanyIndex.load(file);
}

/** Everything an index tells one reader: rows, scores to the last bit, near words. */
function told(index: CompanyIndex, scope: ReadScope): unknown {
  return questions.map((question) => {
    const terms = parseQuery(question).terms ?? [];
    return [
      question,
      ...[questionForAllTerms(terms), questionForMostTerms(terms)].map((one) =>
        index.bestRows(scope, one, page).map(({ row: { sopId, version }, score }) => ({ sopId, version, score })),
      ),
      index
        .matchingRows(scope, questionForMostTerms(terms))
        .map(({ sopId }) => sopId)
        .toSorted(),
      terms.map(({ raw }) => index.nearWords(scope, raw, true)),
    ];
  });
}

function found(index: CompanyIndex, scope: ReadScope, question: string): string[] {
  const rows = index.bestRows(scope, questionForAllTerms(parseQuery(question).terms ?? []), page);
  return rows.map(({ row: { sopId, version } }) => `${sopId} ${version}`).toSorted();
}

describe("the search index of a company", () => {
  test("gives a reader the same answers with and without hidden texts in it", async () => {
    const [without, within] = [await indexOf(readable), await indexOf([...hidden, ...readable])];
    expect(told(within, viewer)).toEqual(told(without, viewer));
    expect(found(within, viewer, "molybdenum")).toEqual([]);
    expect(within.nearWords(viewer, "molybdenun", false)).toEqual([]);
    expect(within.nearWords(manager, "molybdenun", false)).toEqual([{ word: "molybdenum", distance: 2 }]);
  });

  test("reads no posting of a hidden text", async () => {
    const index = await indexOf([...hidden, ...readable]);
    const words = index.partsOf(viewer).flatMap(({ stems }) => stems.beginning(""));
    const alone = (await indexOf(readable)).partsOf(viewer).flatMap(({ stems }) => stems.beginning(""));
    const lengths = (lists: readonly Uint32Array[]) =>
      lists
        .map(({ length }) => length)
        .filter((length) => length > 0)
        .toSorted((one, other) => one - other);
    expect(lengths(words)).toEqual(lengths(alone));
  });

  test("answers with the version that each reader sees", async () => {
    const index = await indexOf([...readable, ...hidden]);
    expect(found(index, viewer, "pump")).toEqual(["filter 3", "ladder 1", "pump 1"]);
    expect(found(index, manager, "pump")).toEqual(["draft 1", "filter 4", "ladder 1", "pump 1"]);
    expect(found(index, admin, "pump")).toEqual(["draft 1", "filter 4", "ladder 1", "pump 1", "secret 1"]);
    const author = { ...viewer, userId: "author", own: [{ sopId: "filter", version: 4 }] };
    expect(found(index, author, "pump")).toEqual(["filter 4", "ladder 1", "pump 1"]);
    expect(found(index, author, "rinse")).toEqual([]);
    expect(found(index, author, "molybdenum")).toEqual(["filter 4"]);
    const owner = { ...author, own: [{ sopId: "secret", version: 1 }] };
    expect(found(index, owner, "molybdenum")).toEqual(["secret 1"]);
    expect(found(index, { ...owner, own: [] }, "molybdenum")).toEqual([]);
  });

  test("moves texts between readers when they are restricted, published or removed", async () => {
    const index = await indexOf([...readable, ...hidden]);
    expect(found(index, { ...viewer, restricted: ["secret", "pump"] }, "pump")).toEqual(["filter 3", "ladder 1"]);
    expect(found(index, { ...viewer, restricted: [] }, "secret")).toEqual(["secret 1"]);
    index.replaceRows([{ sopId: "draft", rows: [{ version: 1, seen: both }] }], [], { seq: 2, eventId: "two" });
    expect(found(index, viewer, "molybdenum")).toEqual(["draft 1"]);
    index.replaceRows([{ sopId: "draft", rows: [] }], [], { seq: 3, eventId: "three" });
    expect(found(index, manager, "draft molybdenum")).toEqual([]);
    expect(index.position()).toEqual({ seq: 3, eventId: "three" });
    const next = text("filter", 5, both, "Only tantalum.");
    const wanted = { sopId: "filter", rows: [{ version: 5, seen: both }] };
    expect(index.missingRows([wanted])).toEqual([{ sopId: "filter", version: 5, seen: both }]);
    index.replaceRows([wanted], [next], { seq: 4, eventId: "four" });
    expect([found(index, viewer, "tantalum"), found(index, viewer, "rinse")]).toEqual([["filter 5"], []]);
  });

  test("finds an author's latest text in the author's own draft", async () => {
    const index = await indexOf([...readable, ...hidden]);
    const ofAuthor = (version: number) => ({ ...viewer, userId: "author", own: [{ sopId: "note", version }] });
    for (const [version, word] of [
      [1, "tantalum"],
      [2, "vanadium"],
    ] as const) {
      const rows = [{ version, seen: viewBits.latest }];
      const saved = text("note", version, viewBits.latest, `Only ${word}.`);
      index.replaceRows([{ sopId: "note", rows }], [saved], { seq: version, eventId: "n" });
      expect(found(index, ofAuthor(version), word)).toEqual([`note ${version}`]);
    }
    expect(found(index, ofAuthor(2), "tantalum")).toEqual([]);
    expect(index.nearWords(ofAuthor(2), "tantalun", false)).toEqual([]);
  });

  test("answers the same after many changes as a new index, and after it is read again", async () => {
    const index = await indexOf(readable);
    for (let n = 0; n < 1_500; n++) {
      const rows = [{ version: n + 2, seen: both }];
      const next = text("pump", n + 2, both, `Open the valve ${n} of the pump.`);
      index.replaceRows([{ sopId: "pump", rows }], [next], { seq: n, eventId: "n" });
    }
    const last = text("pump", 1_501, both, "Open the valve 1499 of the pump.");
    const made = await indexOf([readable[1], readable[2], last].filter((one) => one !== undefined));
    expect(told(index, viewer)).toEqual(told(made, viewer));
    expect(told(index, manager)).toEqual(told(made, manager));
  });

  test("ranks a title equal to the query first, and a title above a text", async () => {
    const index = await indexOf([
      text("mention", 1, both, "Clean the pump. ".repeat(20), "Other things to clean with a pump"),
      text("same", 1, both, "Nothing of it.", "Clean the pump"),
      text("body", 1, both, "Clean the pump."),
    ]);
    const rows = index.bestRows(viewer, questionForAllTerms(parseQuery("clean the pump").terms ?? []), page);
    expect(rows.map(({ row }) => row.sopId)).toEqual(["same", "mention", "body"]);
  });
});
