import fc from "fast-check";
import { expect, test } from "vitest";
import { safeNameForEmail, safeTextForEmail, safeUsernameForEmail } from "./plain-text.ts";

test.each([
  ["Zürich Harbor & Sons", "Zürich Harbor & Sons"],
  ["St. Mary's Inc.", "St. Mary's Inc."],
  ["Version 2.5 of the lab", "Version 2.5 of the lab"],
  ["Booking.com", "Booking com"],
  [
    "Your mailbox is full, sign in at https://evil.example/login to keep it",
    "Your mailbox is full, sign in at … to keep it",
  ],
  ["Sign in at evil.example/login", "Sign in at evil example/login"],
  ["Sign in at www.evil", "Sign in at …"],
  ["Write to me@evil.example", "Write to …"],
  ["Call mailto:me", "Call …"],
  ["See evil。example and evil．example", "See evil example and evil example"],
  ["At 10.0.0.1", "At 10 0 0 1"],
  ["Ada\r\nBcc: all@example.org", "Ada Bcc: …"],
  ["abc\u202Efed\u2066\u200B\u0000", "abcfed"],
  ["evil\u200B.\u2060example", "evil example"],
])("shows the name %j as %j", (name, shown) => {
  expect(safeNameForEmail(name)).toBe(shown);
});

test("shortens names to 60 characters and sentences to 160", () => {
  expect([...safeNameForEmail("x".repeat(500))].length).toBe(60);
  expect([...safeTextForEmail("word ".repeat(100))].length).toBeLessThanOrEqual(160);
  expect(safeNameForEmail(`${"x".repeat(59)}😀😀`)).toBe(`${"x".repeat(59)}…`);
});

test("spells out the dots of a username", () => {
  expect(safeUsernameForEmail("helen.marsh")).toBe("helen(dot)marsh");
});

test("leaves no text of a name that a mail program turns into a link", () => {
  const part = fc.constantFrom(
    "https://",
    "www.",
    "evil",
    ".",
    "example",
    "@",
    "\u202E",
    " ",
    "1",
    "。",
    "/",
    ":",
    "mailto:",
    "\n",
    "٣",
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(part, fc.string({ unit: "binary", maxLength: 3 })), { maxLength: 20 }), (parts) => {
      const shown = safeNameForEmail(parts.join(""));
      expect(shown).not.toMatch(/:\/\/|@|[\p{L}_-]\.[\p{L}\p{N}_-]|[\p{N}]\.[\p{L}_-]|(?:\d+\.){3}\d/iu);
      expect(shown).not.toMatch(/[\p{C}\n\r]|[^\S ]/u);
      expect([...shown].length).toBeLessThanOrEqual(60);
    }),
    { numRuns: 2000 },
  );
});
