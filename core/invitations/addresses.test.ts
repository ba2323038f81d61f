import { expect, test } from "vitest";
import { emailAddressesIn } from "./addresses.ts";

test("addresses are read from pasted text, each once, with or without names", () => {
  const pasted = "ann@acme.test, Ben Baker <ben@acme.test>; cy@acme.test\nANN@acme.test dee@acme.test.";
  expect(emailAddressesIn(pasted)).toEqual({
    addresses: ["ANN@acme.test", "ben@acme.test", "cy@acme.test", "dee@acme.test"],
    unreadable: [],
  });
});

test("a word with an at sign that is no address is kept apart", () => {
  expect(emailAddressesIn("ann@acme, @ben, cy@acme.test")).toEqual({
    addresses: ["cy@acme.test"],
    unreadable: ["ann@acme", "@ben"],
  });
  expect(emailAddressesIn("  Ann Archer ")).toEqual({ addresses: [], unreadable: [] });
});
