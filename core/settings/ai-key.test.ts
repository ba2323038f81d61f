import fc from "fast-check";
import { expect, test } from "vitest";
import { canBeApiKey, isMaskedKey, maskedKeyOf } from "./ai-key.ts";
import { mailChoicesOf, mailKinds } from "./mail-kinds.ts";

test.each([
  ["sk-proj-0123456789abcd", "sk-••••abcd"],
  ["gsk_0123456789abcdef", "••••cdef"],
  ["sk-short", "sk-••••"],
  ["x", "••••"],
])("%s is shown as %s", (key, shown) => {
  expect(maskedKeyOf(key)).toBe(shown);
});

test("what is shown is never a key, and shows four characters at most", () => {
  const keyText = fc.string({
    unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
    minLength: 1,
  });
  fc.assert(
    fc.property(keyText, (key) => {
      const shown = maskedKeyOf(key);
      expect(isMaskedKey(shown)).toBe(true);
      expect(canBeApiKey(key)).toBe(true);
      expect(canBeApiKey(shown)).toBe(false);
      expect(shown.replace(/^sk-/, "").replaceAll("•", "").length).toBeLessThanOrEqual(4);
    }),
  );
});

test.each(["", " ", "sk abc", "sk-\n", "sk-é", "sk-••••abcd", "x".repeat(501)])("%j is no key", (text) => {
  expect(canBeApiKey(text)).toBe(false);
});

test("every kind of mail comes unless its reader said no", () => {
  expect(mailChoicesOf({ mention: false, gone: false })).toEqual(
    Object.fromEntries(mailKinds.map((kind) => [kind, kind !== "mention"])),
  );
});
