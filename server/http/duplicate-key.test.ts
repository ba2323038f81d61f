import fc from "fast-check";
import { expect, test } from "vitest";
import { findDuplicateKey } from "./duplicate-key.ts";

test.each([
  ['{"role":"viewer","role":"system_admin"}', "role"],
  ['{"role":1,"\\u0072ole":2}', "role"],
  ['{"a":{"b":1},"c":[{"d":1 , "d"\n:2}]}', "d"],
  ['{"":1,"":2}', ""],
  ['{"a\\"":1,"a\\\\":2,"a\\"":3}', 'a"'],
])("%s", (text, key) => {
  JSON.parse(text);
  expect(findDuplicateKey(text)).toBe(key);
});

test("keys of different objects, and texts that look like keys, are not duplicates", () => {
  for (const text of [
    '{"a":{"a":{"a":1}},"b":[{"a":1},{"a":1}]}',
    '{"a":"a\\":1,\\"a","b":"{\\"b\\":"}',
    '["a","a",{"x":"x"},"a"]',
    '"a"',
    "[]",
    "1",
  ]) {
    JSON.parse(text);
    expect([text, findDuplicateKey(text)]).toEqual([text, null]);
  }
});

test("a key that occurs once is not a duplicate", () => {
  fc.assert(fc.property(fc.json({ maxDepth: 4 }), (text) => findDuplicateKey(text) === null));
});

test("a key put into an object again is found", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.json({ maxDepth: 2 }), { minKeys: 1 }), fc.nat(), (object, n) => {
      const entries = Object.entries(object).map(([key, value]) => `${JSON.stringify(key)} : ${value}`);
      const again = entries[n % entries.length] ?? "";
      expect(findDuplicateKey(`{${[...entries, again].join(",")}}`)).toBe(
        JSON.parse(again.slice(0, again.indexOf(" : "))),
      );
    }),
  );
});
