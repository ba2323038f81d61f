import { createPublicKey, randomBytes, verify } from "node:crypto";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ConfigError } from "../config.ts";
import { addKey, createKeyFile, keyFile, readKeyFile } from "./key-file.ts";
import { parseKeys } from "./key-list.ts";
import { openKeyring } from "./keyring.ts";
import { keyIdOf, seal, unseal } from "./seal.ts";

let dataDir = "";
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), "sopwright-keys-"));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const place = "users/7/openaiApiKey";
const key = (id: string) => `${id}:${randomBytes(32).toString("base64")}`;
const open = (appKeys: string | null = null) => openKeyring({ appKeys, dataDir });

describe("the file of generated keys", () => {
  test("is made at the first start, for its owner alone, and found again", () => {
    const sealed = open().seal("secret", place);
    expect(statSync(keyFile(dataDir)).mode & 0o777).toBe(0o600);
    expect(readdirSync(dataDir)).toEqual(["keys"]);
    expect(open().open(sealed, place)).toEqual({ ok: true, text: "secret" });
  });

  test("is made once, whoever comes second", () => {
    createKeyFile(keyFile(dataDir));
    const first = readFileSync(keyFile(dataDir), "utf8");
    createKeyFile(keyFile(dataDir));
    expect(readFileSync(keyFile(dataDir), "utf8")).toBe(first);
    expect(readdirSync(dataDir)).toEqual(["keys"]);
  });

  test("is closed again when somebody opened it to others", () => {
    open();
    chmodSync(keyFile(dataDir), 0o644);
    open();
    expect(statSync(keyFile(dataDir)).mode & 0o777).toBe(0o600);
  });

  test("is not made where APP_KEYS are given, and read with where it is", () => {
    const before = open();
    const sealed = before.seal("secret", place);
    const given = open(key("env"));
    expect(given.firstId()).toBe("env");
    expect(given.open(sealed, place)).toEqual({ ok: true, text: "secret" });
    rmSync(keyFile(dataDir));
    expect(open(key("env")).open(sealed, place)).toMatchObject({ ok: false, reason: "unknown_key" });
    expect(readdirSync(dataDir)).toEqual([]);
  });

  test("that can't be understood stops the start, and its text is not told", () => {
    writeFileSync(keyFile(dataDir), "k1:not-a-key-but-secret\n");
    expect(() => open()).toThrow(ConfigError);
    expect(() => open()).not.toThrow(/but-secret/);
  });
});

describe("APP_KEYS", () => {
  test("the first seals, all of them open", () => {
    const [a, b] = [key("2025"), key("2026.1")];
    const sealed = open(a).seal("secret", place);
    const both = open(`${b},${a}`);
    expect(both.open(sealed, place)).toEqual({ ok: true, text: "secret" });
    expect(keyIdOf(both.seal("secret", place))).toBe("2026.1");
    expect(open(b).open(sealed, place)).toEqual({ ok: false, reason: "unknown_key", kid: "2025" });
  });

  test.each([
    ["a key of 31 bytes", `a:${randomBytes(31).toString("base64")}`],
    ["a key of 33 bytes", `a:${randomBytes(33).toString("base64")}`],
    ["no id", randomBytes(32).toString("base64")],
    ["one id twice", `${key("a")},${key("a")}`],
  ])("%s is refused without being told", (_, text) => {
    expect(() => parseKeys(text, "APP_KEYS")).toThrow(/^the environment is not usable: APP_KEYS: /);
    expect(() => parseKeys(text, "APP_KEYS")).not.toThrow(new RegExp(text.slice(-20).replaceAll(/[+/=]/g, ".")));
  });
});

describe("a sealed value", () => {
  const secret = randomBytes(32);

  test("comes back from its place, whatever it says", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const sealed = seal(text, place, "k.1", secret);
        expect(keyIdOf(sealed)).toBe("k.1");
        expect(unseal(sealed, place, "k.1", secret)).toBe(text);
      }),
    );
  });

  test("never looks the same twice, and has the shape that was decided", () => {
    const made = new Set(Array.from({ length: 50 }, () => seal("same", place, "k1", secret)));
    expect(made.size).toBe(50);
    for (const sealed of made) expect(sealed).toMatch(/^v1\.k1\.[\w-]{16}\.[\w-]{6}\.[\w-]{22}$/);
  });

  test("opens nowhere else, with no other key, under no other id, and not when a character changed", () => {
    const sealed = seal("secret", place, "k1", secret);
    expect(unseal(sealed, "users/8/openaiApiKey", "k1", secret)).toBeNull();
    expect(unseal(sealed, place, "k2", secret)).toBeNull();
    expect(unseal(sealed, place, "k1", randomBytes(32))).toBeNull();
    const start = sealed.indexOf(".", 3) + 1;
    for (let at = start; at < sealed.length; at++) {
      if (sealed[at] === ".") continue;
      // the last character of a part carries spare bits: change one that counts
      const changed = sealed.slice(0, at) + (sealed[at] === "A" ? "Q" : "A") + sealed.slice(at + 1);
      const bytes = (text: string) =>
        text
          .split(".")
          .slice(2)
          .map((part) => Buffer.from(part, "base64url").toString("hex"));
      if (bytes(changed).join() === bytes(sealed).join()) continue;
      expect([at, unseal(changed, place, "k1", secret)]).toEqual([at, null]);
    }
    for (const cut of ["", "v1", "v1.k1", "v1.k1..", "v1.k1...", sealed.slice(0, -1), sealed.slice(0, -12)]) {
      expect([cut, unseal(cut, place, "k1", secret)]).toEqual([cut, null]);
    }
  });

  test("what was never sealed is damaged, not an error", () => {
    for (const value of ["", "sk-plain", "v1.x", "v2.k.a.b.c"]) {
      expect(open().open(value, place)).toEqual({ ok: false, reason: "damaged", kid: null });
    }
  });
});

describe("signing", () => {
  const message = Buffer.from("seq 256");
  const verified = (pem: string, signature: Uint8Array) => verify(null, message, createPublicKey(pem), signature);

  test("the same key after a restart, another one for another ring", () => {
    const signature = open().signing().sign(message);
    expect(signature).toHaveLength(64);
    expect(verified(open().signing().publicKeyPem, signature)).toBe(true);
    expect(verified(open(key("env")).signing().publicKeyPem, signature)).toBe(false);
  });

  test("a rotation beside a running server: a new id signs and seals, the old ones still open and verify", () => {
    const ring = open();
    const before = ring.signing();
    const [signature, sealed] = [before.sign(message), ring.seal("secret", place)];
    const added = addKey(keyFile(dataDir));
    const after = ring.signing();
    expect(after.kid).toBe(added.id);
    expect(after.kid).not.toBe(before.kid);
    expect(keyIdOf(ring.seal("x", place))).toBe(added.id);
    expect(ring.open(sealed, place)).toEqual({ ok: true, text: "secret" });
    expect(ring.verifyKeys().map(({ kid }) => kid)).toEqual([after.kid, before.kid]);
    expect(verified(ring.verifyKeys()[1]?.publicKeyPem ?? "", signature)).toBe(true);
    expect(verified(after.publicKeyPem, signature)).toBe(false);
    expect(readKeyFile(keyFile(dataDir))).toHaveLength(2);
    expect(statSync(keyFile(dataDir)).mode & 0o777).toBe(0o600);
  });
});
