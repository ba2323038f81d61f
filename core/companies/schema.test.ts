import { expect, test } from "vitest";
import { CompanyCreate } from "./schema.ts";

const messages = (change: object) =>
  CompanyCreate.safeParse({ name: "Acme", slug: "acme", ...change }).error?.issues.map(({ message }) => message) ?? [];

test("a company's minimums are just enough, and one less is refused", () => {
  expect(messages({ name: "AB", slug: "ab", maxUsers: 1, maxSOPs: 1 })).toEqual([]);
  expect(messages({ name: "A" })).toEqual(["Company name must be at least 2 characters"]);
  expect(messages({ slug: "a" })).toEqual(["Slug must be at least 2 characters"]);
  expect(messages({ maxUsers: 0 })).toEqual(["Max users must be at least 1"]);
  expect(messages({ maxSOPs: 0 })).toEqual(["Max SOPs must be at least 1"]);
});

test("a slug is lowercase letters, digits and hyphens", () => {
  for (const slug of ["Acme", "a b", "a_b", "ä-b"]) {
    expect(messages({ slug })).toEqual(["Slug must be lowercase with hyphens only"]);
  }
  expect(messages({ slug: "acme-2" })).toEqual([]);
});

test("fields left out of a new company have their defaults", () => {
  expect(CompanyCreate.parse({ name: "Acme", slug: "acme" })).toEqual({
    name: "Acme",
    slug: "acme",
    status: "active",
    subscription: "free",
    maxUsers: 10,
    maxSOPs: 100,
  });
});
