import fc from "fast-check";
import { expect, test } from "vitest";
import { someLife } from "../../test/some-life.ts";
import { exportTexts } from "../export/document.ts";
import { versionStateOf } from "../export/of-sop.ts";
import { shownStatus } from "./statuses.ts";

test("the status shown is Published for the version that readers have, and for no other", () => {
  let waiting = 0;
  const check = (sop: Parameters<typeof versionStateOf>[1]) => {
    const shown = shownStatus(sop);
    expect(shown === "published").toBe(sop.published?.version === sop.version);
    // the filter for it asks the database for these two
    expect(shown === "scheduled").toBe(sop.status === "published" && sop.scheduled !== null);
    if (shown === "scheduled") waiting += 1;
    for (let version = 1; version <= sop.version; version += 1) {
      const label = exportTexts.states[versionStateOf(version, sop)];
      expect([version, label === "Published"]).toEqual([version, version === sop.published?.version]);
    }
    expect(versionStateOf(sop.version, sop)).toBe(shown);
  };
  fc.assert(fc.property(someLife, check), { numRuns: 1000 });
  expect(waiting).toBeGreaterThan(50);
});
