import { expect, test } from "vitest";
import { UserCreate } from "./schema.ts";

const person = { username: "ann", password: "secret", name: "An" };
const messages = (change: object) =>
  UserCreate.safeParse({ ...person, ...change }).error?.issues.map(({ message }) => message) ?? [];

test("username 3, password 6, name 2 characters are just enough, and one less is refused", () => {
  expect(messages({})).toEqual([]);
  expect(messages({ username: "an" })).toEqual(["Username must be at least 3 characters"]);
  expect(messages({ password: "secre" })).toEqual(["Password must be at least 6 characters"]);
  expect(messages({ name: "A" })).toEqual(["Name must be at least 2 characters"]);
});

test("a new user is an active viewer unless something else is said", () => {
  expect(UserCreate.parse(person)).toMatchObject({ role: "viewer", status: "active" });
});
