import { expect, test } from "vitest";
import { mentionsIn } from "./mentions.ts";

test("usernames are found where they stand as words, in any case, with and without what ends a sentence", () => {
  expect(mentionsIn("@anna, ask @Bob.miller. (@carl-)")).toEqual([
    { at: 0, usernames: ["anna"] },
    { at: 11, usernames: ["bob.miller.", "bob.miller"] },
    { at: 25, usernames: ["carl-", "carl"] },
  ]);
});

test("email addresses, paths and short words name no one", () => {
  expect(mentionsIn("anna@example.org https://x.org/@anna @ab @@anna")).toEqual([]);
});
