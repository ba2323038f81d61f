import { expect, test } from "vitest";
import { Register } from "./schema.ts";

const person = { username: "ann", password: "secret", name: "An" };
const messages = (change: object) =>
  Register.safeParse({ ...person, ...change }).error?.issues.map(({ message }) => message) ?? [];

test("username 3, password 6, name 2 characters are just enough, and one less is refused", () => {
  expect(messages({})).toEqual([]);
  expect(messages({ username: "an" })).toEqual(["Username must be at least 3 characters"]);
  expect(messages({ password: "secre" })).toEqual(["Password must be at least 6 characters long"]);
  expect(messages({ name: "A" })).toEqual(["Name must be at least 2 characters"]);
});

test("the email may be left empty, but not be wrong", () => {
  for (const email of [undefined, null, "", "ann@example.org"]) expect(messages({ email })).toEqual([]);
  expect(messages({ email: "nowhere" })).not.toEqual([]);
});
