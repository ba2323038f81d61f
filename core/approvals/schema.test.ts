import { expect, it } from "vitest";
import { limits } from "../limits.ts";
import { ChangesAsk } from "./schema.ts";

it.each([
  ["missing", {}, true],
  ["empty", { comment: " " }, true],
  ["too long", { comment: "x".repeat(limits.noteCharacters + 1) }, false],
])("a request for changes with a comment that is %s", (_, ask, wantsWords) => {
  const [issue] = ChangesAsk.safeParse(ask).error?.issues ?? [];
  expect(issue?.message === "Say what has to change").toBe(wantsWords);
  expect(issue?.path).toEqual(["comment"]);
});
