import { expect, test } from "vitest";
import { companyKeys, finderOf, personKeys, searchTerms } from "./search-keys.ts";

const ada = personKeys({ name: "Ada O'Brien-Müller", username: "ada.ob", email: "Ada@Lab.Example" });
const finds = (words: readonly string[], search: string) =>
  (searchTerms(search) ?? ["\u0000"]).every((term) => words.some((word) => word.startsWith(term)));

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

test("names sort without case and diacritics", () => {
  expect(ada.nameKey).toBe("ada o'brien-muller");
  const { words } = companyKeys({ name: "Åre Labs", slug: "are-labs", industry: null });
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
  expect(finderOf(search)(text)).toBe(found);
});
