import { describe, expect, test } from "vitest";
import { ConfigError, isLoopback, readConfig } from "./config.ts";

function problems(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    return (error as ConfigError).problems;
  }
}

describe("the start refuses", () => {
  test.each([
    ["an address beyond this machine without https", { HOST: "0.0.0.0" }, /^plain http beyond loopback/],
    ["links by http to another host", { PUBLIC_URL: "http://sop.example.org" }, /^plain http beyond loopback/],
    ["a key with a line in it", { OPENAI_API_KEY: "sk-a\nb" }, /^OPENAI_API_KEY: a key has no spaces/],
    ["keys that travel by http", { OPENAI_BASE_URL: "http://ai.example.org/v1" }, /^OPENAI_BASE_URL: .*https/],
    ["an AI address that is no web address", { OPENAI_BASE_URL: "file:///etc/passwd" }, /^OPENAI_BASE_URL/],
    [
      "several servers with keys of their own each",
      { MONGODB_URI: "mongodb://db/", NODE_ENV: "production" },
      /^APP_KEYS must be given/,
    ],
    ["an administrator without a password", { ADMIN_USERNAME: "root" }, /go together/],
    ["keys that are too short", { APP_KEYS: "a:c2hvcnQ=" }, /32-byte/],
  ])("%s", (_, env, said) => {
    expect(problems(env)).toEqual([expect.stringMatching(said)]);
  });
});

test("plain http beyond this machine needs a word from the operator, https none", () => {
  expect(problems({ HOST: "0.0.0.0", ALLOW_INSECURE: "1" })).toEqual([]);
  expect(readConfig({ HOST: "0.0.0.0", PUBLIC_URL: "https://sop.example.org" }).secure).toBe(true);
  expect(readConfig({}).secure).toBe(false);
});

test("without a word from the operator it listens on this machine alone, trusts no proxy, has no default account", () => {
  expect(readConfig({})).toMatchObject({
    host: "127.0.0.1",
    trustedProxies: 0,
    admin: null,
    passwordBlocklist: true,
    passwordMinimum: 6,
  });
  expect(readConfig({ PASSWORD_POLICY: "hardened" }).passwordMinimum).toBe(15);
});

test.each([
  ["localhost", true],
  ["127.8.8.8", true],
  ["[::1]", true],
  ["127.0.0.1.example.org", false],
  ["0.0.0.0", false],
  ["10.0.0.1", false],
])("%s is this machine: %s", (host, own) => {
  expect(isLoopback(host)).toBe(own);
});
