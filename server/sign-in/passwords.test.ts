import { dictionary } from "@zxcvbn-ts/language-common";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createPasswords, type PasswordRules } from "./passwords.ts";

const passwords = createPasswords({ passwordMinimum: 6, passwordBlocklist: true });
const own: PasswordRules = { ownWords: ["grace.hopper", "Grace Hopper", "Navy Yards"] };
const refusal = (password: string, rules = own) =>
  passwords.assertAcceptable(password, rules).then(
    () => null,
    (error: { message: string }) => error.message,
  );

describe("a new password", () => {
  test("is not a common one, nor the name of its user, company or product, in any case", async () => {
    const common = (dictionary["passwords-common"] as readonly string[]).filter(({ length }) => length >= 6);
    expect(common.length).toBeGreaterThan(3_000);
    for (const password of [
      ...common.slice(0, 3_000),
      "QWERTY123",
      "Password1",
      "GRACE.HOPPER",
      "navy yards",
      "Sopwright",
    ])
      expect([password, await refusal(password)]).toEqual([password, "Password is too common"]);
  });

  test("can have any characters: no kind is required, none is refused", async () => {
    for (const password of [
      "tvxqzlk wmbf",
      "9028 5517 4406",
      "—————§§§—————",
      "  inner and outer  ",
      "密码密码测试测试",
    ])
      expect([password, await refusal(password)]).toEqual([password, null]);
  });

  test("has 6 to 128 characters, more if the company requires it", async () => {
    expect(await refusal("tvxqz")).toBe("Password must be at least 6 characters long");
    expect(await refusal("tvxqzl")).toBeNull();
    expect(await refusal("tvxqzl", { ...own, companyMinimum: 12 })).toBe(
      "Password must be at least 12 characters long",
    );
    expect([await refusal("tvxqzlk ".repeat(8)), await refusal("tvxqzlk ".repeat(16))]).toEqual([null, null]);
    expect(await refusal(`${"tvxqzlk ".repeat(16)}x`)).toBe("Password must be at most 128 characters long");
  });
});

test("a password is compared as typed, to the last of 128 characters", async () => {
  const typed = `  Ångström ${"x".repeat(116)} `;
  expect(typed).toHaveLength(128);
  const stored = await passwords.hash(typed);
  expect(await passwords.verify(stored, typed)).toBe(true);
  for (const other of [typed.trim(), typed.toLowerCase(), typed.normalize("NFD"), typed.slice(0, -1), `${typed} `])
    expect([other, await passwords.verify(stored, other)]).toEqual([other, false]);
});

test("a password is stored as Argon2id with its own salt, never as itself", async () => {
  const [one, two] = [await passwords.hash("a walk"), await passwords.hash("a walk")];
  expect(one).toMatch(/^\$argon2id\$v=19\$m=47104,t=1,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  expect(two).not.toBe(one);
  expect(passwords.isOutdated(one)).toBe(false);
  fc.assert(
    fc.property(fc.integer({ min: 8, max: 47_103 }), (m) => passwords.isOutdated(one.replace("47104", `${m}`))),
  );
});
