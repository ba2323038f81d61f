import { describe, expect, it } from "vitest";
import { fieldChanges } from "./AuditEntryDialog.tsx";
import { actionText, entityText, fieldText } from "./texts.ts";
import { fieldPathText, auditValueText } from "./AuditEntryDialog.tsx";

const nameOf = (id: string) => ({ u1: "Eve Evans", t1: "Kitchen" })[id];

describe("what an entry changed", () => {
  it("is a line for each field, with both values", () => {
    expect(fieldChanges({ title: { from: "Old", to: "New" }, format: "csv" })).toEqual([
      { path: ["title"], before: "Old", after: "New" },
      { path: ["format"], after: "csv" },
    ]);
  });

  it("goes into records, and leaves out what stayed the same in them", () => {
    const rule = { from: { kind: "all", count: null }, to: { kind: "n_of_m", count: null } };
    expect(fieldChanges({ "settings.approvalRule": rule })).toEqual([
      { path: ["settings", "approvalRule", "kind"], before: "all", after: "n_of_m" },
    ]);
  });

  it("tells values that are no change, and nothing of empty records", () => {
    expect(fieldChanges({ from: "somewhere", lost: { sops: 2 }, nothing: {} })).toEqual([
      { path: ["from"], after: "somewhere" },
      { path: ["lost", "sops"], after: 2 },
    ]);
  });

  it("keeps a value that became a record, or stopped being one", () => {
    expect(fieldChanges({ grants: { from: null, to: { a: 1 } } })).toEqual([
      { path: ["grants"], before: null, after: { a: 1 } },
    ]);
  });
});

describe("in words", () => {
  it("names people and teams by their ids", () => {
    expect(fieldPathText(["user:u1"], nameOf)).toBe("Eve Evans");
    expect(fieldPathText(["team:gone"], nameOf)).toBe("Team");
    expect(fieldPathText(["settings", "approvalRule"], nameOf)).toBe("Settings › Approval rule");
    expect(auditValueText("t1", nameOf)).toBe("Kitchen");
    expect(auditValueText(["u1", "x"], nameOf)).toBe("Eve Evans, x");
  });

  it.each([
    [null, "", "empty"],
    ["", "", "empty"],
    [[], "", "empty"],
    [true, "", "Yes"],
    [false, "", "No"],
    [0, "", "0"],
    ["company_admin", "", "Company Admin"],
    ["sop.publish", "", "Publish and unpublish"],
    ["n_of_m", "kind", "A number of approvers"],
    ["all", "", "all"],
    [{ a: 1 }, "", '{"a":1}'],
  ])("%j of '%s' is '%s'", (value, field, text) => {
    expect(auditValueText(value, nameOf, field)).toBe(text);
  });

  it("has words for what it does not know", () => {
    expect(actionText("sop.grant")).toBe("SOP shared");
    expect(actionText("robot.dance_wildly")).toBe("Robot: dance wildly");
    expect(entityText("robot_arm")).toBe("Robot arm");
    expect(fieldText("expiresAt")).toBe("Expires at");
  });
});
