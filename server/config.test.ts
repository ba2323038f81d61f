import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { ConfigError, isLoopback, misspelledNames, readConfig, secretNames } from "./config.ts";

function problems(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    return (error as ConfigError).problems;
  }
}

const s3: Record<string, string> = {
  ASSET_STORE: "s3://sops/files/",
  S3_ACCESS_KEY_ID: "key",
  S3_SECRET_ACCESS_KEY: "secret",
};

describe("a secret from a file", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "sopwright-secrets-"));
  const file = path.join(folder, "secret");
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each(secretNames)("%s: its value without the last line end, as if it were set", (name) => {
    const values: Record<string, string> = {
      MONGODB_URI: "mongodb://db/",
      APP_KEYS: `k1:${Buffer.alloc(32, 1).toString("base64")}`,
      SMTP_URL: "smtp://user:word@mail/",
      METRICS_TOKEN: "0123456789abcdef0123456789abcdef",
      BACKUP_PASSPHRASE: "a long walk to the river bank",
    };
    const value = values[name] ?? "secret";
    const needed = { ...(name === "ADMIN_PASSWORD" && { ADMIN_USERNAME: "root" }), ...(name.startsWith("S3_") && s3) };
    const others = Object.fromEntries(Object.entries(needed).filter(([other]) => other !== name));
    writeFileSync(file, `${value}\n`);
    expect(readConfig({ ...others, [`${name}_FILE`]: file })).toEqual(readConfig({ ...others, [name]: value }));
    expect(misspelledNames({ [`${name}_FILE`]: file })).toEqual([]);
  });

  test("is refused if it can't be read, or if the setting is there too", () => {
    expect(problems({ APP_KEYS_FILE: path.join(folder, "none") })).toEqual([
      `APP_KEYS_FILE: ${folder}/none can't be read (ENOENT)`,
    ]);
    writeFileSync(file, "smtp://mail/");
    expect(problems({ SMTP_URL: "smtp://mail/", SMTP_URL_FILE: file })).toEqual([
      "SMTP_URL and SMTP_URL_FILE: set one of them",
    ]);
  });
});

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
      /^APP_KEYS: required/,
    ],
    ["an administrator without a password", { ADMIN_USERNAME: "root" }, /go together/],
    [
      "an administrator's name that no one can sign in with",
      { ADMIN_USERNAME: "x", ADMIN_PASSWORD: "long enough" },
      /^ADMIN_USERNAME: /,
    ],
    [
      "an administrator's password that is too short",
      { ADMIN_USERNAME: "root", ADMIN_PASSWORD: "x" },
      /^ADMIN_PASSWORD: /,
    ],
    ["a public address with a path", { PUBLIC_URL: "https://x.org/sop/" }, /^PUBLIC_URL: .*without a path/],
    ["a public address that is none", { PUBLIC_URL: "garbage" }, /^PUBLIC_URL: expected https/],
    ["a sender that is no email address", { MAIL_FROM: "garbage" }, /^MAIL_FROM: expected/],
    ["a mail server that is no address", { SMTP_URL: "smtp://:::" }, /^SMTP_URL: /],
    ["a mail server without a name", { SMTP_URL: "smtp://" }, /^SMTP_URL: expected the mail server's name/],
    ["a drain without end", { DRAIN_SECONDS: "3601" }, /^DRAIN_SECONDS: /],
    ["a store that is no bucket", { ...s3, ASSET_STORE: "sops" }, /^ASSET_STORE: expected s3:/],
    ["a store outside of its prefix", { ...s3, ASSET_STORE: "s3://sops/../other" }, /^ASSET_STORE: expected s3:/],
    ["a store without a secret", { ...s3, S3_SECRET_ACCESS_KEY: "" }, /^S3_SECRET_ACCESS_KEY: required/],
    ["a store without a key", { ...s3, S3_ACCESS_KEY_ID: "" }, /^S3_ACCESS_KEY_ID: required/],
    ["images that travel by http", { ...s3, S3_ENDPOINT: "http://s3.example.org" }, /^S3_ENDPOINT: .*https/],
    [
      "a store's address with the bucket",
      { ...s3, S3_ENDPOINT: "https://s3.example.org/sops" },
      /^S3_ENDPOINT: .*without a path/,
    ],
    ["a store in no region", { ...s3, S3_REGION: "eu central" }, /^S3_REGION: /],
    ["keys that are too short", { APP_KEYS: "a:c2hvcnQ=" }, /32-byte/],
  ])("%s", (_, env, said) => {
    expect(problems(env)).toEqual([expect.stringMatching(said)]);
  });
});

test("takes a store of images: Amazon's by its region, another one by its address", () => {
  const own = {
    bucket: "sops",
    prefix: ["files"],
    region: "eu-central-1",
    accessKeyId: "key",
    secretAccessKey: "secret",
  };
  const env = { ...s3, S3_REGION: "eu-central-1" };
  const amazon = { ...own, endpoint: "https://s3.eu-central-1.amazonaws.com" };
  expect(readConfig(env).assetStore).toEqual(amazon);
  for (const S3_ENDPOINT of ["http://127.0.0.1:9000", "https://s3.example.org/"])
    expect(readConfig({ ...env, S3_ENDPOINT }).assetStore).toEqual({
      ...own,
      endpoint: S3_ENDPOINT.replace(/\/$/, ""),
    });
  const insecure = { ...env, S3_ENDPOINT: "http://minio:9000", ALLOW_INSECURE: "1" };
  expect(readConfig(insecure).assetStore?.endpoint).toBe("http://minio:9000");
  expect(readConfig({}).assetStore).toBeNull();
});

test("reports all problems at once, conflicts between settings too", () => {
  const env = {
    PORT: "x",
    PUBLIC_URL: "https://x.org/sop/",
    MAIL_FROM: "garbage",
    ADMIN_USERNAME: "root",
    HOST: "0.0.0.0",
  };
  const names = problems(env).map((line) => /^[A-Z_]+/.exec(line)?.[0]);
  expect(names).toEqual(["PORT", "PUBLIC_URL", "MAIL_FROM", "ADMIN_USERNAME"]);
});

test.each(["sop@example.org", "Sopwright <sop@example.org>", "Sopwright <noreply@localhost>", "<a@b.c>"])(
  "takes %s as the sender of emails",
  (MAIL_FROM) => {
    expect(readConfig({ MAIL_FROM }).mailFrom).toBe(MAIL_FROM);
  },
);

test("names that resemble a setting are reported, others are not", () => {
  expect(misspelledNames({ PROT: "1", MONGO_URI: "x", LOGLEVEL: "x", log_level: "x" })).toEqual([
    "PROT is not a setting; did you mean PORT?",
    "MONGO_URI is not a setting; did you mean MONGODB_URI?",
    "LOGLEVEL is not a setting; did you mean LOG_LEVEL?",
    "log_level is not a setting; did you mean LOG_LEVEL?",
  ]);
  const usual = [
    "PATH",
    "HOME",
    "PWD",
    "USER",
    "TERM",
    "LANG",
    "SHELL",
    "HOSTNAME",
    "MAIL",
    "PORT",
    "NODE_OPTIONS",
    "TZ",
  ];
  expect(misspelledNames(Object.fromEntries(usual.map((name) => [name, "x"])))).toEqual([]);
});

test("plain http beyond this machine needs a setting of the operator, https needs none", () => {
  expect(problems({ HOST: "0.0.0.0", ALLOW_INSECURE: "1" })).toEqual([]);
  expect(readConfig({ HOST: "0.0.0.0", PUBLIC_URL: "https://sop.example.org" }).secure).toBe(true);
  expect(readConfig({}).secure).toBe(false);
});

test("an AI provider gets plain http where the operator lists its host, and the deadline that the operator sets", () => {
  const at = (OPENAI_BASE_URL: string, OPENAI_HTTP_HOSTS: string) => problems({ OPENAI_BASE_URL, OPENAI_HTTP_HOSTS });
  expect(at("http://ollama:11434/v1", "ollama:11434, 10.0.0.5")).toEqual([]);
  expect(at("http://10.0.0.5:8000/v1", "ollama:11434, 10.0.0.5")).toEqual([]);
  expect(at("http://ollama/v1", "ollama:80")).toEqual([]);
  expect(at("http://ollama:8080/v1", "ollama:11434")).toHaveLength(1);
  expect(at("http://ollama.example.org/v1", "ollama")).toHaveLength(1);
  expect(at("ftp://ollama/v1", "ollama")).toHaveLength(1);
  expect(at("http://ollama/v1", "http://ollama")).not.toEqual([]);
  expect(readConfig({}).openai).toMatchObject({ deadlineMs: 60_000, answerTokens: 16_000 });
  expect(readConfig({ OPENAI_TIMEOUT_SECONDS: "300" }).openai.deadlineMs).toBe(300_000);
});

test("by default it listens on this machine alone, trusts no proxy, and has no default account", () => {
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
