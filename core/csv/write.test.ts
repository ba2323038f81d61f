import { expect, test } from "vitest";
import { csvLine } from "./write.ts";

test("cells are quoted only where they must be", () => {
  expect(csvLine(["a", "b c", 1, -2, true, null, ""])).toBe("a,b c,1,-2,true,,\r\n");
  expect(csvLine(['say "hi"', "a,b", "two\nlines"])).toBe('"say ""hi""","a,b","two\nlines"\r\n');
});

test("no cell is a formula to a spreadsheet", () => {
  for (const start of ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"]) {
    expect(csvLine([`${start}cmd|' /C calc'!A0`]).replace(/^"/, "")).toMatch(/^'/);
  }
  expect(csvLine(["=1+1", "1=1"])).toBe("'=1+1,1=1\r\n");
});
