import { describe, expect, it } from "vitest";
import { nameKey, textNamesIn } from "./names.ts";

describe("what a text names", () => {
  it("roles: of the table of responsibilities and of steps, as they are written", () => {
    const text = [
      "| Role | Responsibility |",
      "| --- | --- |",
      "| Line leader | Decides |",
      "| [insert a role] | [insert] |",
      "| Everyone | Watches |",
      "",
      "| Record | Kept in |",
      "| --- | --- |",
      "| Log | Archive |",
      "",
      "- **Line clearance:** a definition, not a role.",
      "",
      "1. **Hygiene operator:** Foam.",
      "2. **Step 4:** No role.",
      "- [ ] **Driver:** Close the door.",
    ].join("\n");
    expect(textNamesIn(text).roles).toEqual(["Line leader", "Hygiene operator", "Driver"]);
  });

  it("equipment: the items of a list below such a heading, without their purpose", () => {
    const text = [
      "## Equipment",
      "",
      "- Probe thermometer with a valid check, probe wipes",
      "- [ ] CIP station; 2 hoses of 3 m",
      "- [insert a tool]",
      "- Recall folder, printed, at the gate: contact lists",
      "",
      "## Procedure",
      "",
      "- Ladder",
    ].join("\n");
    expect(textNamesIn(text).equipment).toEqual([
      "probe thermometer",
      "probe wipes",
      "CIP station",
      "hoses",
      "recall folder",
      "printed",
    ]);
  });

  it("other SOPs: by title, by link, by file; never in code, and no address elsewhere", () => {
    const text = [
      "- SOP _Recall product_ and SOP *Hand over*",
      "- SOP template _Not one_",
      "- [Lock out](/sop/0198-a#step-2), [x](/sop/new), [law](https://example.org/a.md), ![p](b.md)",
      "- [here](../it/reset-a-password.md#top) and [Close up](close%20up.md)",
      "```",
      "SOP _In code_ [a text](a.md)",
      "```",
    ].join("\n");
    expect(textNamesIn(text).references).toEqual([
      { title: "Recall product", target: null },
      { title: "Hand over", target: null },
      { title: "Lock out", target: { kind: "id", id: "0198-a" } },
      { title: "Reset a password", target: { kind: "file", name: "reset-a-password" } },
      { title: "Close up", target: { kind: "file", name: "close up" } },
    ]);
  });

  it("reads hostile text in no time and without a throw", () => {
    for (const text of [
      "[".repeat(100_000),
      "SOP _".repeat(20_000),
      `${"| Role |".repeat(9_000)}\n|`,
      "[a](%E0%A4%A.md)",
    ]) {
      expect(() => textNamesIn(text)).not.toThrow();
    }
  });

  it("two spellings of a name have one key", () => {
    expect(nameKey("  Line-Leader ")).toBe(nameKey("line leader"));
  });
});
