import { expect, test } from "vitest";
import { initialsOf } from "./rules.ts";

test.each([
  ["Grace Hopper", "GH"],
  ["Cher", "CH"],
  ["X", "X"],
  ["Juan Carlos de la Cruz", "JC"],
  ["  Åsa  Öberg ", "ÅÖ"],
  ["e\u0301lodie", "ÉL"],
  ["李 小龙", "李小"],
  ["😀", "??"],
  ["", "??"],
])("the initials of %s are %s", (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});
