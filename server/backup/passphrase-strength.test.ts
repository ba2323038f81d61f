import { expect, test } from "vitest";
import { findPassphraseProblem } from "./passphrase-strength.ts";

test.each([
  "password1234",
  "aaaaaaaaaaaa",
  "            ",
  "123456789012",
  "qwertyuiop12",
  "abcabcabcabc",
  "hunter2hunter2",
  "backup-backup",
  "sopwright123",
  "Sommer2026!!",
  "abandon abandon abandon abandon",
  "correct horse battery staple",
  "Correct-Horse-Battery-Staple!",
  "ＣＯＲＲＥＣＴ horse  battery staple",
  "The quick brown fox jumps over the lazy dog.",
  "To be, or not to be",
  "q-w-e-r-t-y-u-i-o-p",
])("%j is too easy to guess", async (text) => {
  expect(await findPassphraseProblem(text)).toContain("too easy to guess");
});

test("a short one is refused", async () => {
  expect(await findPassphraseProblem("kX9v2mQp7Lr")).toBe("expected at least 12 characters");
});

test.each([
  "a long walk to the river bank",
  "copper lantern drifts sideways",
  "kX9v2mQp7Lr1",
  "kX9v2mQp7Lr1zT",
  "Müllerstraße links, drittes Tor",
])("%j is good", async (text) => {
  expect(await findPassphraseProblem(text)).toBeNull();
});
