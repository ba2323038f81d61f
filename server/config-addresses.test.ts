/** Settings that name a place: a wrong one is refused at the start, with its name, its value and what is right. */
import { describe, expect, test } from "vitest";
import { secretNames } from "./config.ts";
import { configProblems } from "../test/config-problems.ts";

const s3 = { ASSET_STORE: "s3://sops", S3_ACCESS_KEY_ID: "key", S3_SECRET_ACCESS_KEY: "secret" };

interface Row {
  wrong: readonly string[];
  right: readonly string[];
  /** What the message shows as an example. */
  example: RegExp;
  with?: Record<string, string>;
}

const rows: Record<string, Row> = {
  HOST: {
    wrong: [
      "300.1.1.1",
      "127.1",
      "0.0.0.0:3000",
      "http://localhost",
      "[::1]",
      "::g",
      "sop_server",
      "-x",
      "a b",
      "10.0.0.0/8",
    ],
    right: ["127.0.0.1", "0.0.0.0", "::", "::1", "fe80::1%eth0", "localhost", "sop.example.org", "host-1"],
    example: /127\.0\.0\.1/,
    with: { ALLOW_INSECURE: "1" },
  },
  PORT: { wrong: ["x", "-1", "65536", "3.5", "3000/tcp"], right: ["0", "3000", "65535"], example: /number|least|most/ },
  PUBLIC_URL: {
    wrong: [
      "sop.example.org",
      "https://300.1.1.1",
      "ftp://sop.example.org",
      "https://sop.example.org/sop",
      "https://a\\b",
      "https://",
    ],
    right: ["https://sop.example.org", "https://sop.example.org:8443/", "http://localhost:3000"],
    example: /https:\/\//,
  },
  MONGODB_URI: {
    wrong: [
      "db:27017",
      "mongodb://",
      "mongodb:///sops",
      "mongodb://db:99999/",
      "http://db/",
      "mongodb://a,,b/",
      "mongodb+srv://a,b/",
      "mongodb://d b/",
    ],
    right: [
      "mongodb://db/",
      "mongodb://db",
      "mongodb://user:w%40rd@a:27017,b:27018/sops?replicaSet=rs0",
      "mongodb+srv://user:word@cluster.example.org/?w=majority",
      "mongodb://[::1]:27017/x",
      "mongodb://%2Ftmp%2Fmongodb.sock/x",
    ],
    example: /mongodb:\/\//,
  },
  OPENAI_BASE_URL: {
    wrong: [
      "ai.example.org",
      "https://300.1.1.1/v1",
      "file:///x",
      "http://ai.example.org/v1",
      "https://a\\b/v1",
      "https://user:word@ai.example.org",
    ],
    right: ["https://ai.example.org/v1", "http://localhost:11434/v1"],
    example: /https:\/\//,
  },
  OPENAI_HTTP_HOSTS: {
    wrong: ["http://ollama", "300.1.1.1", "ollama:99999", "*", "ollama/v1", "2130706433"],
    right: ["ollama", "ollama:11434, 10.0.0.5", "[::1]:8000"],
    example: /ollama:11434/,
  },
  SMTP_URL: {
    wrong: ["mail.example.org", "http://mail", "smtp://", "smtp://mail:99999", "smtp://ma il", "smtp://300.1.1.1"],
    right: ["smtp://mail.example.org:587", "smtps://user:w%40rd@mail.example.org"],
    example: /smtp:\/\//,
    with: { MAIL_FROM: "sop@example.org" },
  },
  MAIL_FROM: {
    wrong: ["garbage", "a@b@c", "Name <a@b", "a b@c.org", "<>"],
    right: ["sop@example.org", "Sopwright <sop@example.org>"],
    example: /sop@example\.org/,
  },
  ASSET_STORE: {
    wrong: ["sops", "s3://", "https://s3.example.org/sops", "s3://sops/../x", "s3://a"],
    right: ["s3://sops", "s3://sops/files/"],
    example: /s3:\/\/bucket.*3 to 63 characters/,
    with: s3,
  },
  S3_ENDPOINT: {
    wrong: ["s3.example.org", "https://300.1.1.1", "http://s3.example.org", "https://s3.example.org/sops", "s3://sops"],
    right: ["https://s3.example.org", "http://127.0.0.1:9000"],
    example: /https:\/\//,
    with: s3,
  },
  S3_REGION: {
    wrong: ["eu central", "EU-CENTRAL-1", "eu/1", "https://eu", "eu_1"],
    right: ["eu-central-1", "us-east-1"],
    example: /eu-central-1/,
  },
  MIRROR_HOSTS: {
    wrong: ["https://github.com/x", "*", "git.internal=300.1.1.1", "git://github.com", "http://github.com", ","],
    right: ["github.com", "off", "git.internal=10.0.0.5, git.example.org:8443"],
    example: /github\.com/,
  },
  TRUSTED_NETWORKS: {
    wrong: ["300.1.1.1", "0.0.0.0/0", "10.0.0.0/33", "office", "::/0", "10.0.0.0-10.0.0.9"],
    right: ["203.0.113.7", "10.20.0.0/16, 2001:db8::/32"],
    example: /203\.0\.113\.7/,
  },
};

describe.each(Object.entries(rows))("%s", (name, { wrong, right, example, with: others = {} }) => {
  test.each(wrong)("refuses %s", (value) => {
    const found = configProblems({ ...others, [name]: value });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(new RegExp(`^${name}: `));
    expect(found[0]).toMatch(example);
    const shown = `, not ${JSON.stringify(value.replace("user:word@", "…@"))}`;
    const isSecret = (secretNames as readonly string[]).includes(name);
    if (isSecret) expect(found[0]).not.toContain(", not");
    else expect(found[0]?.endsWith(shown)).toBe(true);
  });

  test.each(right)("takes %s", (value) => {
    expect(configProblems({ ...others, [name]: value })).toEqual([]);
  });
});

test("a value of many characters is shown in part, and no password of an address", () => {
  const [line] = configProblems({ PUBLIC_URL: "x".repeat(5000) });
  expect(line?.length).toBeLessThan(300);
  const [uri] = configProblems({ MONGODB_URI: "mongodb://ann:secret@" });
  expect(uri).not.toContain("secret");
  const [other] = configProblems({ PUBLIC_URL: "https://ann:secret@sop.example.org\u001b[2J" });
  expect(other).not.toContain("secret");
  expect(other).not.toContain("\u001b");
});
