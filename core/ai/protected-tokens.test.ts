import { expect, test } from "vitest";
import { lostTokens } from "./protected-tokens.ts";

test("a model can't confirm its assumptions: open tasks and blanks never vanish unnoticed", () => {
  const open = "## Assumptions to confirm\n\n- [ ] The tank holds water.\n- [ ] The drain is open.\n";
  expect(lostTokens(open, open.replace("- [ ] The tank", "- [x] The tank"))).toEqual(["[ ]"]);
  expect(lostTokens(open, open.replace("- [ ] The tank holds water.\n", ""))).toEqual(["[ ]"]);
  expect(lostTokens(open, open.replace("holds water", "is full of water"))).toEqual([]);
  const blank = "Wait [confirm: how long] and open valve 2.\n";
  expect(lostTokens(blank, "Wait 5 min and open valve 2.\n")).toEqual(["[confirm]"]);
  expect(lostTokens(blank, "Wait [confirm: minutes]. Open valve 2.\n")).toEqual([]);
});
