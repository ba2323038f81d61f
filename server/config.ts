/**
 * Reads the settings from process.env; no other file reads it. Reports every problem at once. `.env.example` lists the
 * same names (tested).
 */
import { isIP } from "node:net";
import path from "node:path";
import { z } from "zod";
import { addressWithoutFinalSlash, parseWebAddress } from "#core/addresses/web-address.ts";
import { username } from "#core/users/account-names.ts";
import { isAllowedAddress, parseHttpHosts } from "#core/ai/provider-address.ts";
import { answerTokensDefault } from "#core/ai/tokens.ts";
import { canBeApiKey } from "#core/settings/ai-key.ts";
import { isHost, isSmtpUrl, isMongoUri, wrongValueSuffix, isOrigin, readSecretFile } from "./config-values.ts";
import { parsePrices } from "./ai/prices.ts";
import { requirementOf } from "./http/input-texts.ts";
import { parseNetworks } from "./http/network.ts";
import { parseHosts } from "./outgoing/addresses.ts";

/** The default number of request points that a user has a minute. */
export const defaultPointsPerMinute = 1_200;

const flag = z.enum(["1"]).optional();
const integerBetween = (least: number, most = Number.MAX_SAFE_INTEGER) => z.coerce.number().int().min(least).max(most);

const keyring = z
  .string()
  .regex(/^[\w.-]+:[A-Za-z0-9+/=]{43,}(,[\w.-]+:[A-Za-z0-9+/=]{43,})*$/, "expected kid:base64,… with 32-byte keys")
  .optional();

/**
 * Parses a web address, so that later code uses exactly the checked value.
 * @param expected the advice for an invalid address
 */
const webAddressSchema = (expected: string) =>
  z.string().transform((text, context) => {
    const url = parseWebAddress(text);
    if (url !== null) return addressWithoutFinalSlash(url);
    context.addIssue({ code: "custom", message: expected });
    return z.NEVER;
  });

export const Environment = z.object({
  PORT: integerBetween(0, 65535).default(3000).describe("where it listens; 0 picks a free port"),
  HOST: z
    .string()
    .refine(isHost, "expected an IP address such as 127.0.0.1, 0.0.0.0 or ::, or a name such as localhost")
    .default("127.0.0.1")
    .describe("the address it listens on"),
  PUBLIC_URL: webAddressSchema("expected https://… or http://…, with an international name in its xn-- form")
    .refine(isOrigin, "expected an address without a path, such as https://sop.example.org")
    .optional()
    .describe("how people reach it: links, origin check, cookies"),
  ALLOW_INSECURE: flag.describe("1 allows plain http beyond loopback"),
  PASSWORD_BLOCKLIST: z.enum(["on", "off"]).default("on").describe("off drops the list of common passwords"),
  PASSWORD_POLICY: z
    .enum(["standard", "hardened"])
    .default("standard")
    .describe("standard: 6 characters; hardened: 15"),
  DATA_DIR: z.string().min(1).default("./data").describe("embedded database, repositories, keys, mail"),
  FONTS_DIR: z.string().min(1).optional().describe("fonts of PDFs for more scripts; unset: DATA_DIR/fonts"),
  MONGODB_URI: z
    .string()
    .refine(isMongoUri, "expected mongodb://host:27017/name?replicaSet=… or mongodb+srv://…")
    .optional()
    .describe("MongoDB replica set; unset: the embedded database"),
  APP_KEYS: keyring.describe("kid:base64,…: the first encrypts, all decrypt; generated into DATA_DIR when unset"),
  ADMIN_USERNAME: username.optional().describe("with ADMIN_PASSWORD: creates the first system administrator"),
  ADMIN_PASSWORD: z.string().optional(),
  REGISTRATION: z.enum(["open", "invite", "closed"]).default("open").describe("who can open an account"),
  OPENAI_API_KEY: z
    .string()
    .trim()
    .refine(canBeApiKey, "a key has no spaces and only ASCII")
    .optional()
    .describe("the global AI key"),
  OPENAI_BASE_URL: webAddressSchema("expected an address such as https://ai.example.org/v1")
    .optional()
    .describe("any OpenAI-compatible server"),
  OPENAI_MODEL: z.string().optional().describe("the model to use"),
  OPENAI_HTTP_HOSTS: z
    .string()
    .default("")
    .refine((text) => parseHttpHosts(text) !== null, "expected hosts such as ollama:11434, 10.0.0.5")
    .describe("hosts beyond this machine that OPENAI_BASE_URL may reach over plain http; keys and texts travel there"),
  OPENAI_TIMEOUT_SECONDS: integerBetween(5, 1800)
    .default(60)
    .describe("deadline of an AI call with all its requests; a slow local model needs more"),
  OPENAI_ANSWER_TOKENS: integerBetween(500, 1_000_000)
    .default(answerTokensDefault)
    .describe("the most tokens of one answer; less than the context of the model"),
  OPENAI_PRICES: z
    .string()
    .refine((text) => parsePrices(text) !== null, "expected EUR model=1.5/6 …: a currency, then model=read/written")
    .optional()
    .describe("currency, then model=read/written for a million tokens: for estimates of what was spent"),
  OPENAI_COMPANY_TOKENS: integerBetween(0)
    .optional()
    .describe("monthly token limit per company on the global key; unset: the company's own budget"),
  SMTP_URL: z
    .string()
    .refine(isSmtpUrl, "expected smtp://mail.example.org:587 or smtps://…, in ASCII without spaces and backslashes")
    .optional()
    .describe("unset: .eml files in DATA_DIR/mail"),
  MAIL_FROM: z
    .string()
    .regex(
      /^(?:[^<>\r\n]*<[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/,
      "expected sop@example.org or Name <sop@example.org>",
    )
    .optional()
    .describe("sender of emails"),
  ASSET_STORE: z
    .string()
    .regex(
      /^s3:\/\/[A-Za-z0-9][\w.-]{1,61}[A-Za-z0-9](\/(?!\.{1,2}(\/|$))[\w.-]+)*\/?$/,
      "expected s3://bucket or s3://bucket/prefix, and a bucket's name has 3 to 63 characters",
    )
    .optional()
    .describe("s3://bucket/prefix: images and PDFs in an S3-compatible store; unset: in the database"),
  S3_ENDPOINT: webAddressSchema("expected https://…")
    .refine(isOrigin, "expected an address without a path, such as https://s3.example.org")
    .optional()
    .describe("the address of the S3-compatible store; unset: Amazon's of S3_REGION"),
  S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]+$/, "expected a name such as eu-central-1")
    .default("us-east-1")
    .describe("the region of the bucket"),
  S3_ACCESS_KEY_ID: z.string().refine(canBeApiKey, "a key has no spaces and only ASCII").optional(),
  S3_SECRET_ACCESS_KEY: z.string().refine(canBeApiKey, "a key has no spaces and only ASCII").optional(),
  MIRROR_HOSTS: z
    .string()
    .default("github.com, gitlab.com, codeberg.org")
    .refine((text) => parseHosts(text) !== null, "expected hosts such as github.com, git.internal=10.0.0.5, or off")
    .describe("git hosts that companies may mirror their repository to; off: none"),
  COMPANY_BYTES: integerBetween(1024 * 1024)
    .default(2 * 1024 ** 3)
    .describe("bytes of images and PDFs per company, unless a system administrator sets another limit"),
  CACHE_BYTES: integerBetween(100 * 1024 ** 2)
    .default(20 * 1024 ** 3)
    .describe(
      "with MongoDB: bytes of repositories and search indexes that a server keeps; those unused longest go first",
    ),
  REQUESTS_PER_MINUTE: integerBetween(60)
    .default(defaultPointsPerMinute)
    .describe("points of a user a minute: a read costs 1, a write 2. A company or address has 5 times as many"),
  BACKUP_DIR: z.string().min(1).optional().describe("where the server writes backups; unset: it writes none"),
  BACKUP_HOURS: z.coerce.number().min(0.1).max(720).default(24).describe("hours from one backup to the next"),
  BACKUP_KEEP: integerBetween(1, 1000).default(14).describe("backups kept in BACKUP_DIR"),
  BACKUP_PASSPHRASE: z
    .string()
    .optional()
    .describe("encrypts the keys in backups; unset: backups of the server hold no keys"),
  METRICS_TOKEN: z
    .string()
    .regex(/^\S{16,}$/, "expected at least 16 characters without spaces")
    .optional()
    .describe("who may read /metrics, as a bearer token; unset: this machine, where PUBLIC_URL is unset"),
  TRUSTED_NETWORKS: z
    .string()
    .default("")
    .refine(
      (text) => parseNetworks(text) !== null,
      "expected networks such as 203.0.113.7, 10.20.0.0/16. A larger one than /8 (IPv6: /16) would end the limits",
    )
    .describe("addresses of your buildings: limits by address don't count there"),
  TRUSTED_PROXIES: integerBetween(0, 10).default(0).describe("hops to trust for the client address"),
  DRAIN_SECONDS: z.coerce
    .number()
    .min(0)
    .max(600)
    .default(5)
    .describe("after SIGTERM, /readyz answers 503 this long while requests are still served"),
  WITNESS_FILE: z
    .string()
    .optional()
    .describe("a file, outside of DATA_DIR, to which the heads of each repository are added every day"),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
  NODE_ENV: z.enum(["production", "development", "test"]).optional(),
});

export type Config = ReturnType<typeof readConfig>;

export class ConfigError extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    const list = problems.length === 1 ? ` ${problems[0]}` : problems.map((problem) => `\n  - ${problem}`).join("");
    super(`the environment is not usable:${list}`);
    this.name = "ConfigError";
    this.problems = problems;
  }
}

const loopbackNames = new Set(["localhost", "127.0.0.1", "[::1]", "::1"]);

export function isLoopback(host: string): boolean {
  return loopbackNames.has(host) || (isIP(host) === 4 && host.startsWith("127."));
}

/** Settings that can also come from a file that `<NAME>_FILE` names. Docker and systemd pass secrets as files. */
export const secretNames = [
  "MONGODB_URI",
  "APP_KEYS",
  "ADMIN_PASSWORD",
  "OPENAI_API_KEY",
  "SMTP_URL",
  "S3_ACCESS_KEY_ID",
  "S3_SECRET_ACCESS_KEY",
  "BACKUP_PASSPHRASE",
  "METRICS_TOKEN",
] as const satisfies readonly (keyof typeof Environment.shape)[];

/**
 * Adds the values of `<NAME>_FILE` to the given settings.
 * @returns all values as `present`, and a line for each file that can't be used as `unread`
 */
function readValuesFromFiles(given: Record<string, string | undefined>): {
  present: Record<string, string | undefined>;
  unread: string[];
} {
  const present = { ...given };
  const unread: string[] = [];
  for (const name of secretNames) {
    const file = given[`${name}_FILE`];
    if (file === undefined) continue;
    if (given[name] !== undefined) unread.push(`${name} and ${name}_FILE: set one of them`);
    const { text, fault } = readSecretFile(file);
    if (fault !== null) unread.push(`${name}_FILE: ${file} can't be read: ${fault}`);
    else if (text === "") unread.push(`${name}_FILE: ${file} is empty`);
    else present[name] = text;
  }
  return { present, unread };
}

/** Settings that are lists, with the parser of an entry, so that a message can name the invalid entry. */
const lists: Record<string, (entry: string) => unknown> = {
  TRUSTED_NETWORKS: parseNetworks,
  MIRROR_HOSTS: parseHosts,
  OPENAI_HTTP_HOSTS: parseHttpHosts,
};

function valueSuffixUnlessSecret(present: Record<string, string | undefined>, name: string): string {
  if ((secretNames as readonly string[]).includes(name)) return "";
  const value = present[name] ?? "";
  const wrong = value.split(",").find((entry) => lists[name]?.(entry.trim()) === null);
  return wrongValueSuffix(wrong?.trim() || value);
}

/** Reads the configuration of a task. A task has no port, so settings for access over the network aren't checked. */
export const readTaskConfig = () => readConfig(process.env, true);

/** Reads and checks the configuration. @throws ConfigError that names every problem */
export function readConfig(env: Record<string, string | undefined> = process.env, isTask = false) {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ""));
  const { present, unread } = readValuesFromFiles(given);
  const parsed = Environment.safeParse(present, { error: (issue) => requirementOf(issue).text });
  const issues = parsed.error?.issues ?? [];
  // report only the first problem of each setting, because it explains the others
  const wrong = issues.filter(({ path }, at) => issues.findIndex((other) => other.path[0] === path[0]) === at);
  // check the valid settings against one another even if others are invalid, so that all problems are reported at once
  const usable = Object.fromEntries(
    Object.entries(present).filter(([name]) => !wrong.some(({ path }) => path[0] === name)),
  );
  const values = Environment.parse(usable);
  const problems = [
    ...unread,
    ...wrong.map(
      ({ path: [name], message }) => `${String(name)}: ${message}${valueSuffixUnlessSecret(present, String(name))}`,
    ),
    ...crossCheckProblems(values, new Set(wrong.map(({ path }) => path[0])), isTask),
  ];
  if (problems.length > 0) throw new ConfigError(problems);
  const secure = values.PUBLIC_URL?.startsWith("https://") ?? false;
  return {
    port: values.PORT,
    host: values.HOST,
    publicUrl: values.PUBLIC_URL ?? null,
    secure,
    servesOthers: isBeyondLoopback(values),
    dataDir: path.resolve(values.DATA_DIR),
    fontsDir: path.resolve(values.FONTS_DIR ?? path.join(values.DATA_DIR, "fonts")),
    mongodbUri: values.MONGODB_URI ?? null,
    appKeys: values.APP_KEYS ?? null,
    admin:
      values.ADMIN_USERNAME !== undefined && values.ADMIN_PASSWORD !== undefined
        ? { username: values.ADMIN_USERNAME, password: values.ADMIN_PASSWORD }
        : null,
    registration: values.REGISTRATION,
    passwordBlocklist: values.PASSWORD_BLOCKLIST === "on",
    passwordMinimum: values.PASSWORD_POLICY === "hardened" ? 15 : 6,
    openai: {
      apiKey: values.OPENAI_API_KEY ?? null,
      baseUrl: values.OPENAI_BASE_URL ?? null,
      model: values.OPENAI_MODEL ?? null,
      prices: values.OPENAI_PRICES === undefined ? null : parsePrices(values.OPENAI_PRICES),
      companyTokens: values.OPENAI_COMPANY_TOKENS ?? null,
      deadlineMs: values.OPENAI_TIMEOUT_SECONDS * 1000,
      answerTokens: values.OPENAI_ANSWER_TOKENS,
    },
    assetStore: assetStoreOf(values),
    mirrorHosts: parseHosts(values.MIRROR_HOSTS) ?? [],
    companyBytes: values.COMPANY_BYTES,
    cacheBytes: values.CACHE_BYTES,
    requestsPerMinute: values.REQUESTS_PER_MINUTE,
    backup: {
      dir: values.BACKUP_DIR === undefined ? null : path.resolve(values.BACKUP_DIR),
      hours: values.BACKUP_HOURS,
      keep: values.BACKUP_KEEP,
      passphrase: values.BACKUP_PASSPHRASE ?? null,
    },
    metricsToken: values.METRICS_TOKEN ?? null,
    trustedProxies: values.TRUSTED_PROXIES,
    trustedNetworks: parseNetworks(values.TRUSTED_NETWORKS) ?? [],
    smtpUrl: values.SMTP_URL ?? null,
    mailFrom: values.MAIL_FROM ?? "Sopwright <noreply@localhost>",
    drainSeconds: values.DRAIN_SECONDS,
    witnessFile: values.WITNESS_FILE ? path.resolve(values.WITNESS_FILE) : null,
    logLevel: values.LOG_LEVEL,
  };
}

/** Checks the settings against one another. @param wrong the names of invalid settings, which `values` lacks */
function* crossCheckProblems(
  values: z.output<typeof Environment>,
  wrong: ReadonlySet<unknown>,
  isTask: boolean,
): Generator<string> {
  const minimum = values.PASSWORD_POLICY === "hardened" ? 15 : 6;
  if (!wrong.has("ADMIN_USERNAME") && (values.ADMIN_USERNAME === undefined) !== (values.ADMIN_PASSWORD === undefined)) {
    yield "ADMIN_USERNAME and ADMIN_PASSWORD go together: set both or none";
  }
  if (values.ADMIN_PASSWORD !== undefined && values.ADMIN_PASSWORD.length < minimum) {
    yield `ADMIN_PASSWORD: expected at least ${minimum} characters`;
  }
  const mailHost = values.SMTP_URL === undefined ? null : new URL(values.SMTP_URL).hostname;
  if (mailHost !== null && !isLoopback(mailHost) && values.MAIL_FROM === undefined && !wrong.has("MAIL_FROM")) {
    yield "MAIL_FROM: required with SMTP_URL, because mail servers refuse a sender of this machine";
  }
  const needsKeys = values.MONGODB_URI !== undefined && values.NODE_ENV === "production";
  if (needsKeys && values.APP_KEYS === undefined && !wrong.has("APP_KEYS")) {
    yield "APP_KEYS: required with MONGODB_URI in production, because all servers need the same keys";
  }
  const provider = values.OPENAI_BASE_URL === undefined ? null : new URL(values.OPENAI_BASE_URL);
  const httpHosts = parseHttpHosts(values.OPENAI_HTTP_HOSTS) ?? [];
  if (provider && !isAllowedAddress(provider, httpHosts, isLoopback(provider.hostname))) {
    yield `OPENAI_BASE_URL: expected https://…, or http on this machine or a host of OPENAI_HTTP_HOSTS, because keys and texts travel there${wrongValueSuffix(values.OPENAI_BASE_URL ?? "")}`;
  }
  if (values.ASSET_STORE !== undefined)
    for (const name of ["S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"] as const)
      if (values[name] === undefined && !wrong.has(name)) yield `${name}: required with ASSET_STORE`;
  const store = values.S3_ENDPOINT === undefined ? null : new URL(values.S3_ENDPOINT);
  if (store?.protocol === "http:" && !isLoopback(store.hostname) && values.ALLOW_INSECURE === undefined) {
    yield `S3_ENDPOINT: expected https://…, or http on this machine, or ALLOW_INSECURE=1, because images travel there${wrongValueSuffix(store.origin)}`;
  }
  const https = values.PUBLIC_URL?.startsWith("https://") ?? false;
  if (
    !isTask &&
    isBeyondLoopback(values) &&
    !https &&
    values.ALLOW_INSECURE === undefined &&
    !wrong.has("PUBLIC_URL")
  ) {
    yield "plain http beyond loopback: set PUBLIC_URL=https://… (with a proxy that ends TLS), or ALLOW_INSECURE=1 if you know why";
  }
}

/** Says whether other machines can reach the server. Behind a proxy, only `PUBLIC_URL` shows that they can. */
function isBeyondLoopback({ HOST, PUBLIC_URL }: Pick<z.output<typeof Environment>, "HOST" | "PUBLIC_URL">): boolean {
  return !isLoopback(HOST) || (PUBLIC_URL !== undefined && !isLoopback(new URL(PUBLIC_URL).hostname));
}

/** Returns the settings of the S3-compatible store for assets. @returns null if assets are stored in the database */
function assetStoreOf(values: z.output<typeof Environment>) {
  const [bucket, ...prefix] = values.ASSET_STORE?.slice("s3://".length).split("/").filter(Boolean) ?? [];
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey, S3_REGION: region } = values;
  if (bucket === undefined || accessKeyId === undefined || secretAccessKey === undefined) return null;
  const endpoint = values.S3_ENDPOINT ?? `https://s3.${region}.amazonaws.com`;
  return { endpoint, bucket, prefix, region, accessKeyId, secretAccessKey };
}
