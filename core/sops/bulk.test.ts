import { describe, expect, it } from "vitest";
import { bulkActions, bulkRefusalOf, tagsAfterChange } from "./bulk.ts";
import { sopStatuses } from "./statuses.ts";

describe("a bulk action", () => {
  it("leaves out what is archived, and changes that would end an approval request", () => {
    const refused = bulkActions.map((action) =>
      Object.fromEntries(
        sopStatuses.flatMap((status) => {
          const why = bulkRefusalOf(action, { status }, () => true);
          return why === null ? [] : [[status, why]];
        }),
      ),
    );
    expect(refused).toEqual([
      { under_review: "under_review", archived: "archived" },
      { under_review: "under_review", archived: "archived" },
      { archived: "archived" },
    ]);
  });

  it("needs its permission on each SOP; a new owner also the one to share", () => {
    const draft = { status: "draft" } as const;
    expect(bulkActions.map((action) => bulkRefusalOf(action, draft, (one) => one === "sop.edit"))).toEqual([
      null,
      "not_allowed",
      "not_allowed",
    ]);
  });

  it("adds each tag once, and removes tags", () => {
    expect(tagsAfterChange(["a", "b", "c"], ["c", "d"], ["a"])).toEqual(["b", "c", "d"]);
  });
});
