import { expect, test } from "vitest";
import { linkedSopIds, withoutAddresses, withStoredSopLinks } from "./neutral-links.ts";

const id = "01970000-0000-7000-8000-000000000001";

test.each([
  ["[a](/sop/SOP-0042#steps) b", "[a]() b"],
  ["[a](../../sops/it/sop-0042-a.md)", "[a]()"],
  ['![a](<my images/a b.png> "Title")', '![a]( "Title")'],
  ["[a](x_(y).md)(z)", "[a]()(z)"],
  ["[a]: ../b.md\n[c][a]", "[a]: \n[c][a]"],
  ['<img src="../a.png" alt="A">', '<img src= alt="A">'],
  ["<https://sop.example.com/sop/SOP-0042>", ""],
  ["[a](https://sop.example.com/sop/SOP-0042)", "[a]()"],
])("addresses inside a company don't count: %j", (text, neutral) => {
  expect(withoutAddresses(text)).toBe(neutral);
});

test.each([
  "[a](https://example.com/a)",
  "[a](mailto:a@example.com)",
  "<https://example.com>",
  "Plain (text) [x] a: b",
])("all other text stays: %j", (text) => {
  expect(withoutAddresses(text)).toBe(text);
});

test("links to SOPs get their stored form", () => {
  const text = `[a](../../sops/it/sop-0042-a.md#b) [c](/sop/${id}) [d](e.md) [f](/sop/SOP-0007)`;
  expect(linkedSopIds(text)).toEqual([id]);
  expect(withStoredSopLinks(text, new Map([[id, "SOP-0009"]]))).toBe(
    "[a](/sop/SOP-0042#b) [c](/sop/SOP-0009) [d](e.md) [f](/sop/SOP-0007)",
  );
});
