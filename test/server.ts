/** Starts a real server in the test's process, on either engine, and creates users like the product does. */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
// oxlint-disable-next-line no-restricted-imports -- drops the databases of the tests
import { MongoClient } from "mongodb";
import type { Logger } from "pino";
import { afterAll, beforeAll, describe } from "vitest";
import type { Role } from "#core/permissions/roles.ts";
import { fixedClock } from "#core/clock.ts";
import { createClient, type Client, type Send } from "#core/api/client.ts";
import { routes } from "#core/api/routes.ts";
import type { Schemas } from "#core/api/schemas.ts";
import { createAccount } from "../server/sign-in/store.ts";
import { createCompany } from "../server/companies/create.ts";
import { readConfig } from "../server/config.ts";
import { declarations, type Collections, type CompanyDocument } from "../server/database/documents.ts";
import { migrations } from "../server/database/migration-list.ts";
import { openMongo } from "../server/database/mongodb/open.ts";
import { atPath, type Database, type QueryRecord, type Values } from "../server/database/port.ts";
import { hashOf } from "../server/http/session.ts";
import { serveRequests, type RunningServer } from "../server/serve.ts";
import { openDatabase } from "../server/services.ts";
import { startMailbox } from "./smtp.ts";
import { checkOrderOfPlaces } from "./order-of-places.ts";
import { exchange, type Exchange, type Received } from "./http.ts";
import { describeOnMongo, momentsOf, mongoUri } from "./database/mongo-uri.ts";

export type Engine = Database<Collections>["engine"];
export const password = "a long walk to the river";

export interface ServerOptions {
  /** Called for each audit checkpoint. */
  announce?: (line: string) => void;
  /** Additional environment variables; every test server has a few already. */
  env?: Record<string, string>;
  start?: string;
  /** True for a server with a mail server. Without one, links are in answers and not emailed. */
  sendsEmail?: boolean;
  log?: Logger;
  onQuery?: (record: QueryRecord) => void;
  /** Called on MongoDB with every command. */
  onCommand?: (name: string, command: Record<string, unknown>) => void;
  /** Another MongoDB server than that of the tests. */
  mongoUri?: string;
  /** Wraps the server's database. */
  wrap?: (db: Database<Collections>) => Database<Collections>;
  /** Starts a second server on the database of this one, on MongoDB. */
  beside?: TestServer;
}

export interface TestUser {
  id: string;
  companyId: string;
  role: Role;
  name: string;
  username: string;
  cookie: string;
  client: Client<Schemas>;
  /** Sends a request with this user's cookie from our own origin. @returns the raw answer */
  send(request: Exchange): Promise<Received>;
}

export interface Company {
  id: string;
  /** Creates a user of this company with a session. */
  user(role: Role, details?: { name?: string; teamIds?: string[] }): Promise<TestUser>;
  set(fields: Values<CompanyDocument>): Promise<void>;
  /** Permits this role to approve, if it can't by default. */
  letApprove(role: Role): Promise<void>;
}

export interface TestServer {
  readonly engine: Engine;
  readonly running: RunningServer;
  readonly url: string;
  readonly dataDir: string;
  readonly dbName: string;
  readonly clock: ReturnType<typeof fixedClock>;
  readonly db: Database<Collections>;
  /** Sends a request without a cookie, with our Origin unless given. */
  send(request: Exchange): Promise<Received>;
  /** A client that sends these headers, a token for example. */
  clientWith(headers: Record<string, string>): Client<Schemas>;
  company(options?: { maxSOPs?: number; maxUsers?: number }): Promise<Company>;
  /** Registers over the API. @returns the administrator of a new company */
  signUp(username?: string): Promise<TestUser>;
  signIn(username: string, secret?: string): Promise<Received>;
  /** Stops the server and starts it again on the same data. @param meanwhile runs while no server has the data open */
  restart(meanwhile?: () => void): Promise<void>;
  stop(): Promise<void>;
}

/** The hash of the password that all users of a worker share. */
let passwordHash: Promise<string> | null = null;
let people = 0;
/** A number of at least five digits, because a name can't contain a year. */
const unique = () => `${10_000 + process.pid}-${10_000 + ++people}`;

export async function startServer(engine: Engine, options: ServerOptions = {}): Promise<TestServer> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "sopwright-server-"));
  const dbName = options.beside?.dbName ?? `server_${randomBytes(6).toString("hex")}`;
  const clock = options.beside?.clock ?? fixedClock(options.start ?? "2026-06-01T08:00:00.000Z");
  const mailbox = options.sendsEmail ? await startMailbox(dataDir) : null;
  let running = await open();

  async function open(): Promise<RunningServer> {
    const config = readConfig({
      PORT: "0",
      DATA_DIR: dataDir,
      LOG_LEVEL: "silent",
      PASSWORD_BLOCKLIST: "off",
      REQUESTS_PER_MINUTE: "1000000",
      // no server listens there, so that a test never reaches the hosts that are allowed by default
      MIRROR_HOSTS: "http://127.0.0.1:9",
      ...(mailbox ? { SMTP_URL: mailbox.url } : {}),
      ...options.env,
    });
    const opened = engine === "mongodb" ? await openTestMongo(dbName, options) : undefined;
    const db = options.wrap ? options.wrap(opened ?? (await openDatabase(config))) : opened;
    const started = await serveRequests({
      config,
      clock,
      ...(options.log ? { log: options.log } : {}),
      ...(options.onQuery ? { onQuery: options.onQuery } : {}),
      ...(options.announce ? { announce: options.announce } : {}),
      ...(db ? { db } : {}),
      reserveBytes: 1024 * 1024,
    });
    checkOrderOfPlaces(started.services.shares);
    return started;
  }

  const send = (request: Exchange) => {
    const origin = request.method && request.method !== "GET" ? { origin: running.url } : {};
    return exchange(running.url, { ...request, headers: { ...origin, ...request.headers } });
  };
  const clientWith = (headers: Record<string, string>) => {
    const sendWith: Send = ({ url, ...request }) =>
      send({ ...request, path: url, headers: { ...request.headers, ...headers } });
    return createClient<Schemas>(routes, sendWith);
  };
  const signedIn = (user: Omit<TestUser, "client" | "send">): TestUser => ({
    ...user,
    client: clientWith({ cookie: user.cookie }),
    send: (request) => send({ ...request, headers: { cookie: user.cookie, ...request.headers } }),
  });

  /** Opens a session like a sign-in, but without the work of hashing a password. */
  async function openSession(user: { _id: string; companyId: string; sessionVersion: number }): Promise<string> {
    const id = randomBytes(32).toString("base64url");
    const now = clock.now();
    await running.services.db.collection("sessions").insertOne({
      _id: hashOf(id),
      userId: user._id,
      companyId: user.companyId,
      sessionVersion: user.sessionVersion,
      createdAt: now,
      proofs: [{ method: "password", at: now }],
      lastSeenAt: now,
      expiresAt: new Date(clock.millis() + 365 * 24 * 3_600_000).toISOString(),
      userAgent: null,
    });
    return `sid=${id}`;
  }

  return {
    engine,
    clock,
    dataDir,
    dbName,
    get running() {
      return running;
    },
    get url() {
      return running.url;
    },
    get db() {
      return running.services.db;
    },
    send,
    clientWith,

    async company(quota = {}) {
      const { db, passwords, companies } = running.services;
      passwordHash ??= passwords.hash(password);
      const hash = await passwordHash;
      const name = `Company ${unique()}`;
      const made = await db.transaction((tx) =>
        createCompany(tx, { name, slug: name, at: clock.now(), maxUsers: 1000, maxSOPs: 20_000, ...quota }),
      );
      const change = async (fields: Values<CompanyDocument>) => {
        await db.collection("companies").updateOne({ _id: made._id }, { $set: fields });
        companies.forget(made._id);
      };
      return {
        id: made._id,
        async user(role, { name: own, teamIds = [] } = {}) {
          const username = `${role.replace("_", "-")}-${unique()}`;
          const account = { companyId: made._id, username, email: null, passwordHash: hash, role, at: clock.now() };
          const user = await db.transaction((tx) => createAccount(tx, { ...account, name: own ?? `Some ${role}` }));
          if (teamIds.length > 0) await db.collection("users").updateOne({ _id: user._id }, { $set: { teamIds } });
          const cookie = await openSession(user);
          return signedIn({ id: user._id, companyId: made._id, role, name: user.name, username, cookie });
        },
        letApprove(role) {
          return change(atPath(`settings.roleOverrides.${role}` as const, { "sop.decide": true }));
        },
        set: change,
      };
    },

    async signUp(username = `founder-${unique()}`) {
      const name = "Ada Founder";
      const answer = await send({
        method: "POST",
        path: "/api/auth/register",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ username, password, name }),
      });
      if (answer.status !== 201) throw new Error(`register answered ${answer.status}: ${answer.body}`);
      const { user } = answer.json() as { user: { id: string; companyId: string; role: Role } };
      return signedIn({ ...user, name, username, cookie: cookieOf(answer) });
    },

    signIn: (username, secret = password) =>
      send({
        method: "POST",
        path: "/api/auth/login",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ username, password: secret }),
      }),

    async restart(meanwhile) {
      await running.stop();
      meanwhile?.();
      running = await open();
    },

    async stop() {
      await running.stop();
      await mailbox?.stop();
      await rm(dataDir, { recursive: true, force: true });
      if (engine === "mongodb" && !options.beside) await drop(dbName);
    },
  };
}

/** The cookie that an answer sets, in the form for the next request. */
export function cookieOf(answer: Received): string {
  const cookies = answer.headers.all("set-cookie");
  return cookies.find((cookie) => /^(?:__Host-)?sid=/.test(cookie))?.split(";")[0] ?? "";
}

export const json = { "content-type": "application/json" };

/**
 * Runs a suite with a server on SQLite, and on MongoDB if `database/engines.ts` lists its file. The test names say
 * which.
 */
export function describeServer(
  name: string,
  define: (server: () => TestServer, engine: Engine) => void,
  options: ServerOptions = {},
): void {
  const suite = (engine: Engine) => () => {
    let server: TestServer | null = null;
    beforeAll(async () => {
      server = await startServer(engine, options);
    });
    afterAll(() => server?.stop());
    define(() => {
      if (!server) throw new Error("the server is started before the tests, not while they are collected");
      return server;
    }, engine);
  };
  describe(`${name} on SQLite`, suite("sqlite"));
  describeOnMongo(name, suite("mongodb"));
}

function ownMongoUri(): string {
  const uri = mongoUri();
  if (uri === null) throw new Error("this run, or this file, has no MongoDB server");
  return uri;
}

function openTestMongo(dbName: string, { onCommand, mongoUri: uri }: ServerOptions): Promise<Database<Collections>> {
  const monitor = onCommand ? { commandMonitor: onCommand } : {};
  const own = uri ?? ownMongoUri();
  return openMongo<Collections>(own, declarations, { migrations, dbName, ...momentsOf(own), ...monitor });
}

async function drop(dbName: string): Promise<void> {
  const client = new MongoClient(ownMongoUri());
  try {
    await client.db(dbName).dropDatabase();
  } finally {
    await client.close();
  }
}
