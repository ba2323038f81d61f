import fc from "fast-check";
import { expect, test } from "vitest";
import { isWellFormedToken, createTokenText } from "./text.ts";

const bytes = (value: number, length = 128) => new Uint8Array(length).fill(value);

test("a token is made of its random bytes and a checksum", () => {
  expect(createTokenText(bytes(0))).toMatch(/^sop_pat_0{43}[0-9A-Za-z]{6}$/);
  expect(createTokenText(bytes(0))).not.toBe(createTokenText(bytes(1)));
  // bytes that would make some letters more likely are left out
  expect(() => createTokenText(bytes(255))).toThrow("random bytes");
  expect(() => createTokenText(bytes(0, 42))).toThrow("random bytes");
});

test("every single slip of a character is noticed", () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 200, maxLength: 200, max: 247 }),
      fc.nat({ max: 48 }),
      fc.constantFrom(..."0123456789abcXYZ"),
      (random, at, letter) => {
        const token = createTokenText(random);
        expect(isWellFormedToken(token)).toBe(true);
        const slipped = token.slice(0, 8 + at) + letter + token.slice(9 + at);
        expect(isWellFormedToken(slipped)).toBe(slipped === token);
      },
    ),
  );
});

test("what looks otherwise is no token", () => {
  const token = createTokenText(bytes(7));
  for (const text of ["", "sop_pat_", token.slice(0, -1), `${token}0`, ` ${token}`, token.replace("sop", "SOP")]) {
    expect([text, isWellFormedToken(text)]).toEqual([text, false]);
  }
});
