import { expect, test } from "vitest";
import { printableText } from "./output.ts";

test("text from the right is printed without isolates, and what could steer the terminal is replaced", () => {
  expect(printableText("לחץ \u2066A-7\u2069, \u2068x\u2069, \u2067y")).toBe("לחץ A-7, x, y");
  expect(printableText("a\u001b[2Jb\u202ec")).toBe("a\ufffd[2Jb\ufffdc");
});
