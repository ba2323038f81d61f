import { describe, expect, test } from "vitest";
import { AppError } from "../errors.ts";
import {
  documentControlOf,
  nextReviewDate,
  planSave,
  statusAfterSave,
  type DocumentControl,
  type SopState,
} from "./rules.ts";
import { sopStatuses, type SopStatus } from "./statuses.ts";

type State = "draft" | "published" | "draft in work" | "under review" | "archived" | "new";

const state = (status: SopStatus, version: number, published: number | null): SopState => ({
  status,
  version,
  published: published === null ? null : { version: published },
  deletedAt: null,
});
const states: Record<State, SopState | null> = {
  new: null,
  draft: state("draft", 1, null),
  published: state("published", 1, 1),
  "draft in work": state("draft", 2, 1),
  "under review": state("under_review", 1, null),
  archived: state("archived", 1, null),
};

const all = { publish: true, archive: true };
const none = { publish: false, archive: false };

function outcome(
  name: State,
  asked: SopStatus | undefined,
  changed: boolean,
  may = all,
  control: DocumentControl = "flexible",
) {
  try {
    const plan = planSave(states[name], { status: asked, changed }, may, control);
    return Object.entries(plan)
      .filter(([, does]) => does)
      .map(([step]) => step)
      .join("+");
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

/** The effect of a save with each status, without and with a change of the text (`docs/spec/statuses.md`). */
function table(may = all, control: DocumentControl = "flexible") {
  return (Object.keys(states) as State[]).map((name) => [
    name,
    ...[undefined, ...sopStatuses].map((asked) =>
      name === "new"
        ? outcome(name, asked, true, may, control)
        : `${outcome(name, asked, false, may, control)} | ${outcome(name, asked, true, may, control)}`,
    ),
  ]);
}

describe("what a save asks for", () => {
  test("of a user who can publish and archive", () => {
    expect(table()).toEqual([
      // state, then: no status given, draft, under_review, published, archived
      ["new", "newVersion", "newVersion", "conflict", "newVersion+publish", "newVersion+archive"],
      [
        "draft",
        " | newVersion",
        " | newVersion",
        "conflict | conflict",
        "publish | newVersion+publish",
        "archive | newVersion+archive",
      ],
      [
        "published",
        " | newVersion",
        "conflict | newVersion",
        "conflict | conflict",
        " | newVersion+publish",
        "archive | newVersion+archive",
      ],
      [
        "draft in work",
        " | newVersion",
        " | newVersion",
        "conflict | conflict",
        "publish | newVersion+publish",
        "archive | newVersion+archive",
      ],
      [
        "under review",
        " | newVersion",
        "conflict | newVersion",
        " | newVersion",
        "conflict | conflict",
        "archive | newVersion+archive",
      ],
      [
        "archived",
        " | conflict",
        "unarchive | unarchive+newVersion",
        "conflict | conflict",
        "conflict | conflict",
        " | conflict",
      ],
    ]);
  });

  test("of a user who can do neither", () => {
    expect(table(none)).toEqual([
      ["new", "newVersion", "newVersion", "conflict", "forbidden", "forbidden"],
      [
        "draft",
        " | newVersion",
        " | newVersion",
        "conflict | conflict",
        "forbidden | forbidden",
        "forbidden | forbidden",
      ],
      [
        "published",
        " | newVersion",
        "conflict | newVersion",
        "conflict | conflict",
        " | newVersion",
        "forbidden | forbidden",
      ],
      [
        "draft in work",
        " | newVersion",
        " | newVersion",
        "conflict | conflict",
        "forbidden | forbidden",
        "forbidden | forbidden",
      ],
      [
        "under review",
        " | newVersion",
        "conflict | newVersion",
        " | newVersion",
        "forbidden | forbidden",
        "forbidden | forbidden",
      ],
      [
        "archived",
        " | conflict",
        "forbidden | forbidden",
        "conflict | conflict",
        "forbidden | forbidden",
        " | conflict",
      ],
    ]);
  });

  test("where publication goes through approval only", () => {
    const published = table(all, "strict").map((row) => [row[0], row[4]]);
    expect(published).toEqual([
      ["new", "conflict"],
      ["draft", "conflict | conflict"],
      ["published", " | newVersion"],
      ["draft in work", "conflict | conflict"],
      ["under review", "conflict | conflict"],
      ["archived", "conflict | conflict"],
    ]);
    const others = (rows: string[][]) => rows.map((row) => row.filter((_, index) => index !== 4));
    expect(others(table(all, "strict"))).toEqual(others(table(all)));
    // a strict category has the same effect, with its own name in the message
    expect(table(all, { category: "Labs" })).toEqual(table(all, "strict"));
  });
});

test("what asks for approval is named: the company, else the category that is stricter", () => {
  const labs = { name: "Labs", requiresApproval: true };
  expect(documentControlOf("flexible", undefined)).toBe("flexible");
  expect(documentControlOf("flexible", { ...labs, requiresApproval: false })).toBe("flexible");
  expect(documentControlOf("flexible", labs)).toEqual({ category: "Labs" });
  expect(documentControlOf("strict", labs)).toBe("strict");
  const draft = state("draft", 1, null);
  const publish = (control: DocumentControl) => () =>
    planSave(draft, { status: "published", changed: true }, all, control);
  expect(publish(documentControlOf("flexible", labs))).toThrow(
    "SOPs of the category Labs are published through approval only: use Submit for Approval",
  );
  expect(publish(documentControlOf("strict", labs))).toThrow(/^This company publishes/);
});

test("a new version makes the head a draft, but never takes an SOP out of the archive", () => {
  expect(sopStatuses.map(statusAfterSave)).toEqual(["draft", "draft", "draft", "archived"]);
});

test("a review is due a year after publication, and after the 29th of February on the 1st of March", () => {
  expect(nextReviewDate("2026-06-01T08:00:00.000Z", 12)).toBe("2027-06-01");
  expect(nextReviewDate("2028-02-29T23:59:59.999Z", 12)).toBe("2029-02-28");
  expect(nextReviewDate("2026-08-31T00:00:00.000Z", 6)).toBe("2027-02-28");
  expect(nextReviewDate("2999-12-31T00:00:00.000Z", 120)).toBe("2999-12-31");
});
