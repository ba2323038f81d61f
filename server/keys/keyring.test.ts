import { createPublicKey, randomBytes, verify } from "node:crypto";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { addFirstKey, createKeyFileIfMissing, DamagedKeysError, keyFilePath, readKeyFile } from "./key-file.ts";
import { parseKeys } from "./key-list.ts";
import { openOrCreateKeyring } from "./keyring.ts";
import { keyIdOf, sealText, unsealText } from "./seal.ts";

let dataDir = "";
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), "sopwright-keys-"));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const place = "users/7/openaiApiKey";
const key = (id: string) => `${id}:${randomBytes(32).toString("base64")}`;
const open = (appKeys: string | null = null) => openOrCreateKeyring({ appKeys, dataDir });

describe("the file of generated keys", () => {
  test("is created at the first start, for its owner alone, and found again", () => {
    const sealed = open().seal("secret", place);
    expect(statSync(keyFilePath(dataDir)).mode & 0o777).toBe(0o600);
    expect(readdirSync(dataDir)).toEqual(["keys"]);
    expect(open().open(sealed, place)).toEqual({ ok: true, text: "secret" });
  });

  test("is created once, and kept by a second start", () => {
    createKeyFileIfMissing(keyFilePath(dataDir));
    const first = readFileSync(keyFilePath(dataDir), "utf8");
    createKeyFileIfMissing(keyFilePath(dataDir));
    expect(readFileSync(keyFilePath(dataDir), "utf8")).toBe(first);
    expect(readdirSync(dataDir)).toEqual(["keys"]);
  });

  test("is closed again after it was opened to others", () => {
    open();
    chmodSync(keyFilePath(dataDir), 0o644);
    open();
    expect(statSync(keyFilePath(dataDir)).mode & 0o777).toBe(0o600);
  });

  test("is not created if APP_KEYS are set, and is read with them if it exists", () => {
    const before = open();
    const sealed = before.seal("secret", place);
    const given = open(key("env"));
    expect(given.firstId()).toBe("env");
    expect(given.open(sealed, place)).toEqual({ ok: true, text: "secret" });
    rmSync(keyFilePath(dataDir));
    expect(open(key("env")).open(sealed, place)).toMatchObject({ ok: false, reason: "unknown_key" });
    expect(readdirSync(dataDir)).toEqual([]);
  });

  test("stops the start if it is invalid, without showing its text", () => {
    writeFileSync(keyFilePath(dataDir), "k1:not-a-key-but-secret\n");
    expect(() => open()).toThrow(DamagedKeysError);
    expect(() => open()).not.toThrow(/but-secret/);
  });
});

describe("APP_KEYS", () => {
  test("encrypt with the first and decrypt with all", () => {
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
  ])("reject %s without showing it", (_, text) => {
    expect(() => parseKeys(text, "APP_KEYS")).toThrow(/^the environment is not usable: APP_KEYS: /);
    expect(() => parseKeys(text, "APP_KEYS")).not.toThrow(new RegExp(text.slice(-20).replaceAll(/[+/=]/g, ".")));
  });
});

describe("an encrypted value", () => {
  const secret = randomBytes(32);

  test("is decrypted at its place, with any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const sealed = sealText(text, place, "k.1", secret);
        expect(keyIdOf(sealed)).toBe("k.1");
        expect(unsealText(sealed, place, "k.1", secret)).toBe(text);
      }),
    );
  });

  test("never looks the same twice, and has the documented format", () => {
    const made = new Set(Array.from({ length: 50 }, () => sealText("same", place, "k1", secret)));
    expect(made.size).toBe(50);
    for (const sealed of made) expect(sealed).toMatch(/^v1\.k1\.[\w-]{16}\.[\w-]{6}\.[\w-]{22}$/);
  });

  test("can't be decrypted at another place, with another key, under another id, or after a change", () => {
    const sealed = sealText("secret", place, "k1", secret);
    expect(unsealText(sealed, "users/8/openaiApiKey", "k1", secret)).toBeNull();
    expect(unsealText(sealed, place, "k2", secret)).toBeNull();
    expect(unsealText(sealed, place, "k1", randomBytes(32))).toBeNull();
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
      expect([at, unsealText(changed, place, "k1", secret)]).toEqual([at, null]);
    }
    for (const cut of ["", "v1", "v1.k1", "v1.k1..", "v1.k1...", sealed.slice(0, -1), sealed.slice(0, -12)]) {
      expect([cut, unsealText(cut, place, "k1", secret)]).toEqual([cut, null]);
    }
  });

  test("for clients is none of the stored ones, and after a rotation still opens", () => {
    const ring = open();
    const [stored, given] = [ring.seal("secret", place), ring.sealForClient("where", place)];
    expect(ring.openFromClient(stored, place)).toMatchObject({ ok: false, reason: "damaged" });
    expect(ring.open(given, place)).toMatchObject({ ok: false, reason: "damaged" });
    expect(ring.openFromClient(given, "events/8")).toMatchObject({ ok: false, reason: "damaged" });
    expect(open(key("env")).openFromClient(given, place)).toEqual({ ok: true, text: "where" });
    addFirstKey(keyFilePath(dataDir));
    expect(ring.openFromClient(given, place)).toEqual({ ok: true, text: "where" });
  });

  test("is reported as damaged if it was never encrypted", () => {
    for (const value of ["", "sk-plain", "v1.x", "v2.k.a.b.c"]) {
      expect(open().open(value, place)).toEqual({ ok: false, reason: "damaged", kid: null });
    }
  });
});

describe("signing", () => {
  const message = Buffer.from("seq 256");
  const verified = (pem: string, signature: Uint8Array) => verify(null, message, createPublicKey(pem), signature);

  test("uses the same key after a restart, and another one for another key ring", () => {
    const signature = open().signing().sign(message);
    expect(signature).toHaveLength(64);
    expect(verified(open().signing().publicKeyPem, signature)).toBe(true);
    expect(verified(open(key("env")).signing().publicKeyPem, signature)).toBe(false);
  });

  test("after a rotation uses a new id, and old values still decrypt and verify", () => {
    const ring = open();
    const before = ring.signing();
    const [signature, sealed] = [before.sign(message), ring.seal("secret", place)];
    const added = addFirstKey(keyFilePath(dataDir));
    const after = ring.signing();
    expect(after.kid).toBe(added.id);
    expect(after.kid).not.toBe(before.kid);
    expect(keyIdOf(ring.seal("x", place))).toBe(added.id);
    expect(ring.open(sealed, place)).toEqual({ ok: true, text: "secret" });
    expect(ring.verifyKeys().map(({ kid }) => kid)).toEqual([after.kid, before.kid]);
    expect(verified(ring.verifyKeys()[1]?.publicKeyPem ?? "", signature)).toBe(true);
    expect(verified(after.publicKeyPem, signature)).toBe(false);
    expect(readKeyFile(keyFilePath(dataDir))).toHaveLength(2);
    expect(statSync(keyFilePath(dataDir)).mode & 0o777).toBe(0o600);
  });
});
