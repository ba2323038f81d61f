import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { isLoopback, readConfig, secretNames } from "./config.ts";
import { misspelledSettingWarnings, ineffectiveSettingWarnings } from "./misspelled-names.ts";
import { configProblems } from "../test/config-problems.ts";

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
      SMTP_URL: "smtp://user:word@127.0.0.1/",
      METRICS_TOKEN: "0123456789abcdef0123456789abcdef",
      BACKUP_PASSPHRASE: "a long walk to the river bank",
    };
    const value = values[name] ?? "secret";
    const needed = { ...(name === "ADMIN_PASSWORD" && { ADMIN_USERNAME: "root" }), ...(name.startsWith("S3_") && s3) };
    const others = Object.fromEntries(Object.entries(needed).filter(([other]) => other !== name));
    writeFileSync(file, `${value}\n`);
    expect(readConfig({ ...others, [`${name}_FILE`]: file })).toEqual(readConfig({ ...others, [name]: value }));
    expect(misspelledSettingWarnings({ [`${name}_FILE`]: file })).toEqual([]);
  });

  test("is refused if it can't be read, or if the setting is there too", () => {
    expect(configProblems({ APP_KEYS_FILE: path.join(folder, "none") })).toEqual([
      `APP_KEYS_FILE: ${folder}/none can't be read: there is no such file or folder`,
    ]);
    writeFileSync(file, "\n");
    const [pipe, link] = [path.join(folder, "pipe"), path.join(folder, "link")];
    execFileSync("mkfifo", [pipe]);
    symlinkSync("none", link);
    for (const [other, fault] of [
      [pipe, "it is not a regular file"],
      ["/dev/zero", "it is not a regular file"],
      [link, "it is a link to nothing"],
    ] as const)
      expect(configProblems({ APP_KEYS_FILE: other })).toEqual([`APP_KEYS_FILE: ${other} can't be read: ${fault}`]);
    for (const name of secretNames) {
      const asFolder = `${name}_FILE: ${folder} can't be read: there is a folder in the place of a file`;
      expect(configProblems({ [`${name}_FILE`]: folder })).toContain(asFolder);
      expect(configProblems({ [`${name}_FILE`]: file })).toContain(`${name}_FILE: ${file} is empty`);
    }
    writeFileSync(file, "smtp://localhost/");
    expect(configProblems({ SMTP_URL: "smtp://localhost/", SMTP_URL_FILE: file })).toEqual([
      "SMTP_URL and SMTP_URL_FILE: set one of them",
    ]);
  });
});

test("a value that can't come from a file is named", () => {
  expect(misspelledSettingWarnings({ LOG_LEVEL_FILE: "/run/level", WITNESS_FILE: "/w", APP_KEYS_FILE: "/k" })).toEqual([
    "LOG_LEVEL_FILE is not a setting: the value of LOG_LEVEL can't come from a file",
  ]);
});

test("a setting without effect is named", () => {
  const lone = { S3_ENDPOINT: "https://s3.example.org", S3_SECRET_ACCESS_KEY_FILE: "/run/secret", BACKUP_KEEP: "3" };
  expect(ineffectiveSettingWarnings(lone)).toEqual([
    "S3_ENDPOINT has no effect without ASSET_STORE",
    "S3_SECRET_ACCESS_KEY has no effect without ASSET_STORE",
    "BACKUP_KEEP has no effect without BACKUP_DIR",
  ]);
  expect(ineffectiveSettingWarnings({ ...lone, ASSET_STORE: "s3://bucket", BACKUP_DIR: "/backups" })).toEqual([]);
});

test.skipIf(process.getuid?.() !== 0)("a secret of another user is refused with the ways to hand it over", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "sopwright-secrets-"));
  const file = path.join(folder, "secret");
  writeFileSync(file, "0123456789abcdef", { mode: 0o600 });
  chmodSync(folder, 0o755);
  const source = `process.setuid(65534);
    const { readConfig } = await import(${JSON.stringify(path.resolve("server/config.ts"))});
    try { readConfig({ METRICS_TOKEN_FILE: ${JSON.stringify(file)} }); } catch (error) { console.log(error.message); }`;
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", source], { encoding: "utf8" });
  rmSync(folder, { recursive: true });
  expect(stdout.trim()).toBe(
    `the environment is not usable: METRICS_TOKEN_FILE: ${file} can't be read: permission denied for user 65534. Give user 65534 the file, or hand it over as docs/server.md shows`,
  );
});

test.each([
  ["TRUSTED_NETWORKS", "10.20.0.0/16, 10.0.0.0/33, 203.0.113.7", "10.0.0.0/33"],
  ["MIRROR_HOSTS", "github.com, ftp://git.example.org", "ftp://git.example.org"],
  ["OPENAI_HTTP_HOSTS", "ollama:11434, http://x/y", "http://x/y"],
])("%s names the wrong entry", (name, value, wrong) => {
  expect(configProblems({ [name]: value })).toEqual([
    expect.stringMatching(new RegExp(`^${name}: .*, not "${wrong}"$`)),
  ]);
});

test("a task needs no https, because it serves no one", () => {
  expect(readConfig({ HOST: "0.0.0.0" }, true).host).toBe("0.0.0.0");
  expect(configProblems({ HOST: "0.0.0.0" })).toEqual([expect.stringMatching(/^plain http/)]);
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
    ["a mail server without a name", { SMTP_URL: "smtp://" }, /^SMTP_URL: expected smtp:/],
    ["an unknown kind of installation", { NODE_ENV: "prod" }, /^NODE_ENV: .*production.*, not "prod"$/],
    ["caches without room", { CACHE_BYTES: "1" }, /^CACHE_BYTES: /],
    ["emails without a sender", { SMTP_URL: "smtp://mail.example.org" }, /^MAIL_FROM: required with SMTP_URL/],
    [
      "networks that hold everyone",
      { TRUSTED_NETWORKS: "0.0.0.0/0" },
      /A larger one than \/8 .*, not "0\.0\.0\.0\/0"$/,
    ],
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
    expect(configProblems(env)).toEqual([expect.stringMatching(said)]);
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
  const names = configProblems(env).map((line) => /^[A-Z_]+/.exec(line)?.[0]);
  expect(names).toEqual(["PORT", "PUBLIC_URL", "MAIL_FROM", "ADMIN_USERNAME"]);
});

test.each(["sop@example.org", "Sopwright <sop@example.org>", "Sopwright <noreply@localhost>", "<a@b.c>"])(
  "takes %s as the sender of emails",
  (MAIL_FROM) => {
    expect(readConfig({ MAIL_FROM }).mailFrom).toBe(MAIL_FROM);
  },
);

test("names that resemble a setting are reported, others are not", () => {
  expect(misspelledSettingWarnings({ PROT: "1", MONGO_URI: "x", LOGLEVEL: "x", log_level: "x" })).toEqual([
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
  expect(misspelledSettingWarnings(Object.fromEntries(usual.map((name) => [name, "x"])))).toEqual([]);
});

test("plain http beyond this machine needs a setting of the operator, https needs none", () => {
  expect(configProblems({ HOST: "0.0.0.0", ALLOW_INSECURE: "1" })).toEqual([]);
  expect(readConfig({ HOST: "0.0.0.0", PUBLIC_URL: "https://sop.example.org" }).secure).toBe(true);
  expect(readConfig({}).secure).toBe(false);
});

test("an AI provider gets plain http where the operator lists its host, and the deadline that the operator sets", () => {
  const at = (OPENAI_BASE_URL: string, OPENAI_HTTP_HOSTS: string) =>
    configProblems({ OPENAI_BASE_URL, OPENAI_HTTP_HOSTS });
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
