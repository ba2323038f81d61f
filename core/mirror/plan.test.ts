import { expect, test } from "vitest";
import { planMirrorPush, resetCommand } from "./plan.ts";

const main = "refs/heads/main";
const tag = "refs/tags/sop-0001/v1";

test("an empty remote gets everything, and an equal one nothing", () => {
  const ours = new Map([
    [main, "b"],
    [tag, "a"],
  ]);
  expect(planMirrorPush(ours, new Map(), new Set())).toEqual({
    pushes: [
      { ref: main, oid: "b" },
      { ref: tag, oid: "a" },
    ],
    diverged: [],
  });
  expect(planMirrorPush(ours, ours, new Set())).toEqual({ pushes: [], diverged: [] });
});

test("a branch that is behind moves forward, any other diverges, and a tag never moves", () => {
  const ours = new Map([
    [main, "b"],
    [tag, "a"],
  ]);
  const theirs = new Map([
    [main, "x"],
    [tag, "y"],
    ["refs/heads/theirs", "z"],
  ]);
  expect(planMirrorPush(ours, theirs, new Set([main]))).toEqual({
    pushes: [{ ref: main, oid: "b" }],
    diverged: [{ ref: tag, theirs: "y", ours: "a" }],
  });
  expect(planMirrorPush(ours, theirs, new Set()).diverged).toEqual([
    { ref: main, theirs: "x", ours: "b" },
    { ref: tag, theirs: "y", ours: "a" },
  ]);
});

test("the command that resets a branch fails when the branch has moved again", () => {
  expect(resetCommand("https://git.example.org/a.git", { ref: main, theirs: "x", ours: "b" })).toBe(
    `git push --force-with-lease=${main}:x https://git.example.org/a.git b:${main}`,
  );
});
