import { expect, test } from "vitest";
import { searchKeysOfCompany, createSearchMatcher, searchKeysOfPerson, searchTermsOf } from "./search-keys.ts";

const ada = searchKeysOfPerson({ name: "Ada O'Brien-Müller", username: "ada.ob", email: "Ada@Lab.Example" });
const finds = (words: readonly string[], search: string) =>
  (searchTermsOf(search) ?? ["\u0000"]).every((term) => words.some((word) => word.startsWith(term)));

test.each([
  ["ada", true],
  ["ADA MULLER", true],
  ["o'brien", true],
  ["brien-m", true],
  ["ada@lab.ex", true],
  ["lab.example", true],
  ["@ada.ob", true],
  ["", true],
  ["da", false],
  ["ada grace", false],
  ["@", false],
])("%j finds Ada: %s", (search, found) => {
  expect(finds(ada.words, search)).toBe(found);
});

const soren = searchKeysOfPerson({ name: "Søren Łukasz Weiß-Đorđević", username: "æsop", email: null });

test.each([
  ["soren lukasz", true],
  ["SØREN ŁUK", true],
  ["weiss", true],
  ["dordevic", true],
  ["aesop", true],
  ["sorin", false],
])("%j finds Søren, whose letters have no mark to take away: %s", (search, found) => {
  expect(finds(soren.words, search)).toBe(found);
});

test("marks that are letters of a script stay within their word", () => {
  const { words } = searchKeysOfPerson({ name: "हिन्दी", username: "h", email: null });
  expect(words).toEqual(["हिन्दी", "h"]);
});

test("names sort without case and diacritics", () => {
  expect(ada.nameKey).toBe("ada o'brien-muller");
  expect(soren.nameKey).toBe("soren lukasz weiss-dordevic");
  const { words } = searchKeysOfCompany({ name: "Åre Labs", slug: "are-labs", industry: null });
  expect(words).toEqual(["are", "labs", "are-labs"]);
});

test.each([
  ["ines", "Inês Carvalho", true],
  ["INÊS", "Ines Carvalho", true],
  ["carv  inê", "Inês Carvalho", true],
  ["soren", "Søren Łukasz", true],
  ["łuk", "Soren Lukasz", true],
  ["", "Inês Carvalho", true],
  [" ", "Inês Carvalho", true],
  ["ines c a", "Bob", false],
  ["inez", "Inês Carvalho", false],
])("%j is found in %j: %s", (search, text, found) => {
  expect(createSearchMatcher(search)(text)).toBe(found);
});
