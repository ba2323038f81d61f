import { describe, expect, it } from "vitest";
import { empty } from "../../test/editing-server.ts";
import { valuesToSaveAfterPause } from "./editing-automatic.ts";
import { startEditing } from "./editing.ts";
import {
  asStoredForm,
  formValuesForCopy,
  saveBodyOf,
  formValuesOfDraft,
  haveSameValues,
  sopFormValuesOf,
} from "./form-values.ts";
import { SopForm, type Sop } from "./schema.ts";

const sop: Sop = { ...empty, number: "SOP-0042" };
const typed = (number: string, base: Sop | null = sop) => ({ ...sopFormValuesOf(base), number });

describe("the number in the form", () => {
  it("is empty for a new SOP, and the stored one of another", () => {
    expect([sopFormValuesOf(null).number, sopFormValuesOf(sop).number]).toEqual(["", "SOP-0042"]);
    expect(SopForm.safeParse(sopFormValuesOf(sop)).success).toBe(true);
  });

  it.each<[string, string, Sop | null, string | undefined]>([
    ["of a new SOP is sent as typed", "sop-7", null, "sop-7"],
    ["left empty is not sent", "", null, undefined],
    ["of spaces alone is not sent", "  ", null, undefined],
    ["that changed is sent", "SOP-0043", sop, "SOP-0043"],
    ["that was not touched is not sent", "SOP-0042", sop, undefined],
    ["that was cleared is not sent: the SOP keeps its own", "", sop, undefined],
  ])("%s", (_, number, base, sent) => {
    expect(saveBodyOf(typed(number, base), base).number).toBe(sent);
  });

  it("that changed is unsaved", () => {
    expect(haveSameValues(typed("SOP-0043"), sopFormValuesOf(sop))).toBe(false);
  });

  it.each([
    ["sop-42", true],
    [" SOP-0042 ", true],
    ["", true],
    ["SOP-0043", false],
  ])("%j is stored as SOP-0042: %s", (number, isSame) => {
    expect(haveSameValues(asStoredForm(typed(number), sop), sopFormValuesOf(sop))).toBe(isSame);
  });

  it("is not taken along to another SOP", () => {
    expect(formValuesForCopy(typed("SOP-0043")).number).toBe("");
  });

  it("comes back with unsaved values, if there was one", () => {
    expect(formValuesOfDraft(typed("SOP-0043"), sop).number).toBe("SOP-0043");
    expect(formValuesOfDraft(typed("", null), sop).number).toBe("SOP-0042");
    const { number: _none, ...older } = sopFormValuesOf(sop);
    expect(formValuesOfDraft(older, sop).number).toBe("SOP-0042");
  });

  it("may be half typed: a pause saves the text without it", () => {
    const state = { ...startEditing(sop, "ann", "visit"), isUnsaved: true };
    expect(valuesToSaveAfterPause(state, typed("SOP-00"))).toBeNull();
    const due = valuesToSaveAfterPause(state, { ...typed("SOP-00"), markdown: "more" });
    expect([due?.number, due?.markdown]).toEqual(["SOP-0042", "more"]);
  });
});
