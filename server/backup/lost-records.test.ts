/** Single records without which a company, or the installation, could not go on: what a restore without them leaves. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "#core/clock.ts";
import { describeOnMongo, mongoUri } from "../../test/database/mongo-uri.ts";
import { configOf, passphrase, restoreInto, verifyAgainst } from "../../test/restored-backup.ts";
import { cookieOf, json, password, startServer, type TestServer, type TestUser } from "../../test/server.ts";
import { checkDataPart } from "../admin/verify-parts.ts";
import type { Config } from "../config.ts";
import { openDatabaseForReading } from "../open-for-reading.ts";
import type { Collections } from "../database/documents.ts";
import type { BaseDocument, Collection } from "../database/port.ts";
import { makeBackup } from "./make.ts";

const folder = mkdtempSync(path.join(tmpdir(), "sopwright-lost-records-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const suite = (engine: "sqlite" | "mongodb") => () => {
  const started: TestServer[] = [];
  let made = 0;
  let source: TestServer;
  const databaseOf = (name: string): Record<string, string> => {
    const uri = engine === "mongodb" ? mongoUri() : null;
    if (uri === null) return {};
    const url = new URL(uri);
    url.pathname = `/lost_records_${process.pid}_${Date.now()}_${name}`;
    return { MONGODB_URI: url.href };
  };
  const start = async (env: Record<string, string>) => {
    const server = await startServer("sqlite", { env });
    started.push(server);
    return server;
  };
  beforeEach(async () => void (source = await start(databaseOf(`source${(made += 1)}`))));
  afterEach(async () => {
    for (const server of started.splice(0)) await server.stop();
  });

  const documents = (name: keyof Collections) => source.db.collection(name) as unknown as Collection<BaseDocument>;
  const lose = async (name: keyof Collections, _id: string): Promise<void> => {
    expect(await documents(name).deleteOne({ _id })).toBe(1);
  };
  /** A document without one of its fields can't be read. */
  const damage = async (name: keyof Collections, _id: string, field: string): Promise<void> => {
    const { matchedCount } = await documents(name).updateOne({ _id }, { $unset: { [field]: "" } as never });
    expect(matchedCount).toBe(1);
  };
  const restored = async (from = source) => {
    const name = `${engine}-${(made += 1)}`;
    const file = path.join(folder, `${name}.gz`);
    await makeBackup({ config: from.running.services.config, clock: systemClock, target: file, passphrase });
    const env = databaseOf(name);
    const config = configOf(folder, name, env);
    await restoreInto(config, file);
    const findings = await verifyAgainst(config, file);
    const known = await knownIn(config);
    const there = await start({ ...env, DATA_DIR: config.dataDir });
    return { there, findings, known, config };
  };
  const partOf = async (config: Config, part: "database" | "audit") => {
    const db = await openDatabaseForReading(config);
    try {
      return await checkDataPart(part, { config, db, options: {} });
    } finally {
      await db.close();
    }
  };
  const knownIn = async (config: Config) => (await partOf(config, "database")).known;
  const verified = async (config: Config, part: "audit") => (await partOf(config, part)).findings;
  const signedIn = async (there: TestServer, { username }: Pick<TestUser, "username">): Promise<TestUser> => {
    const cookie = cookieOf(await there.signIn(username));
    return { username, client: there.clientWith({ cookie }) } as TestUser;
  };
  const text = { title: "Valve", description: "D", markdown: "Open it.\n" };
  const make = async ({ client }: TestUser, title = text.title) => {
    const { id, number } = await client.sops.create({ body: { ...text, title } });
    return { id, number };
  };
  const ready = async (there: TestServer) =>
    ((await there.send({ path: "/readyz" })).json() as { warnings?: string[] }).warnings ?? [];
  const storedDamage = async (there: TestServer, { client }: TestUser) => ({
    warned: (await ready(there)).filter((line) => /damaged|made records/.test(line)),
    named: (await client.status.get()).damage,
  });
  const madeAgain =
    "a restore made records of companies again: check the settings and plan limits that sop admin status names";

  /** A company whose administrator chose almost everything, and an administrator of the system. */
  const story = async () => {
    const ada = await source.signUp();
    const root = await (await source.company()).user("system_admin");
    const params = { id: ada.companyId };
    await ada.client.company.update({ body: { name: "Acme Mills", website: "https://acme.example" } });
    const settings = { numberScheme: "QM-{seq:3}", reviewMonths: 6, glossary: [["mill", "grinder"]] };
    await ada.client.company.update({ body: { settings } });
    await ada.client.roles.set({ body: { role: "manager", permission: "sop.decide", granted: true } });
    await root.client.companies.update({ params, body: { slug: "acme", maxUsers: 20, maxSOPs: 300 } });
    await make(ada);
    const before = await ada.client.company.get();
    return { ada, root, params, before };
  };
  const lossOf = (companyId: string, fact: string) => `company ${companyId}: its ${fact} are missing`;

  describe("a company's record", () => {
    test("is made again of the audit log and the ledger", async () => {
      const { ada, root, params, before } = await story();
      await damage("companies", ada.companyId, "name");
      const { there, known, findings } = await restored();
      const lines = ["settings", "plan limits"].map((fact) => lossOf(ada.companyId, fact));
      expect(known).toEqual(lines.map((line) => expect.stringContaining(line) as unknown));
      expect(findings.filter((line) => !line.startsWith("backup: "))).toEqual([]);

      const [again, boss] = [await signedIn(there, ada), await signedIn(there, root)];
      const { updatedAt, ...same } = before;
      expect(await again.client.company.get()).toEqual({
        ...same,
        settingsLost: true,
        updatedAt: expect.not.stringContaining(updatedAt),
      });
      expect((await make(again, "Pump")).number).toBe("QM-002");
      expect((await again.client.auth.me()).user.company.slug).toBe("acme");
      const { token } = await again.client.tokens.create({ body: { name: "git", scopes: ["repo:read"] } });
      const refs = await there.send({
        path: "/git/acme.git/info/refs?service=git-upload-pack",
        headers: { authorization: `Basic ${Buffer.from(`x:${token}`).toString("base64")}` },
      });
      expect(refs.status).toBe(200);

      expect((await again.client.stats.needs()).settingsLost).toBe(true);
      expect(await storedDamage(there, boss)).toEqual({
        warned: [madeAgain],
        named: lines.map((line) => `${line} (company acme)`),
      });
      await there.running.stop();
      const next = await restored(there);
      expect(next.known).toEqual(known);
      const [later, chief] = [await signedIn(next.there, ada), await signedIn(next.there, root)];
      expect((await later.client.company.update({ body: { settingsLost: false } })).settingsLost).toBe(false);
      expect((await later.client.stats.needs()).settingsLost).toBe(false);
      expect((await storedDamage(next.there, chief)).named).toEqual([`${lines[1]} (company acme)`]);
      const { name, maxUsers, maxSOPs } = before;
      await chief.client.companies.update({ params, body: { name, maxUsers, maxSOPs } });
      expect(await storedDamage(next.there, chief)).toEqual({ warned: [], named: [] });
      await next.there.running.stop();
      expect((await restored(next.there)).known).toEqual([]);
    });

    test("has the strictest settings where entries of the audit log are lost too", async () => {
      const { ada } = await story();
      const logs = source.db.forCompany(ada.companyId).collection("audit_logs");
      await source.running.sequencer.run();
      const [entry] = await logs.find({ action: "company.update" }, { sort: { seq: 1 }, limit: 1 });
      await lose("audit_logs", entry?._id ?? "");
      await lose("companies", ada.companyId);
      const { there } = await restored();
      const again = await signedIn(there, ada);
      expect(await again.client.company.get()).toMatchObject({
        name: "Ada Founder's company",
        slug: "acme",
        maxSOPs: 300,
        settings: { documentControl: "strict", aiEnabled: false, allowSelfApproval: false, numberScheme: "QM-{seq:3}" },
      });
    });

    test("that names a limit below what is stored gets as much as that", async () => {
      const company = await source.company({ maxUsers: 1000 });
      const boss = await company.user("company_admin");
      for (let n = 0; n < 11; n += 1) await company.user("editor");
      await lose("companies", company.id);
      const { there } = await restored();
      const again = await signedIn(there, boss);
      expect(await again.client.company.get()).toMatchObject({ userCount: 12, maxUsers: 12 });
    });
  });

  test("a document with an altered company makes no company", async () => {
    const { ada, before } = await story();
    const { id } = await make(ada, "Pump");
    await documents("sops").updateOne({ _id: id }, { $set: { companyId: "elsewhere" } as never });
    const { there, findings, known } = await restored();
    expect([...findings, ...known].join("\n")).toContain("company elsewhere: its record is missing");
    expect(await there.db.collection("companies").findOne({ _id: "elsewhere" })).toBeNull();
    expect((await (await signedIn(there, ada)).client.company.get()).slug).toBe(before.slug);
  });

  test("the counters of a company are counted again, and give no number twice", async () => {
    const { ada } = await story();
    await make(ada, "Pump");
    const { id } = await make(ada, "Gauge");
    await ada.client.sops.publish({ params: { id }, body: {} });
    const before = await source.db.collection("counters").findOne({ _id: ada.companyId });
    // the SOP with the last number is lost too
    await lose("sops", id);
    await damage("counters", ada.companyId, "sopNumber");
    const { there, findings } = await restored();
    expect(findings.filter((line) => !line.startsWith("backup: "))).toEqual([]);
    const after = await there.db.collection("counters").findOne({ _id: ada.companyId });
    const { sopNumber, counts, repoSeq, eventSeq, textBytes } = before ?? {};
    expect(after).toMatchObject({
      sopNumber,
      counts,
      repoSeq,
      eventSeq,
      textBytes,
      byStatus: { draft: 2 },
      published: 0,
    });
    expect((await make(await signedIn(there, ada), "Fan")).number).toBe("QM-004");
  });

  test("the only system administrator gives way to another one, by a new set-up link", async () => {
    const setUp = (there: TestServer, username: string) =>
      there.send({
        method: "POST",
        path: "/api/setup",
        headers: json,
        body: JSON.stringify({ token: there.running.setupToken, username, name: "Boss Person", password }),
      });
    expect((await setUp(source, "boss")).status).toBe(201);
    const user = await source.db.collection("users").findOne({ username: "boss" });
    await damage("users", user?._id ?? "", "name");
    const { there } = await restored();
    expect((await setUp(there, "chief")).status).toBe(201);
    expect((await setUp(there, "third")).status).toBe(403);
    expect((await there.signIn("chief")).status).toBe(200);
  });

  test("the only administrator of a company gives way to another one, whom a system administrator adds", async () => {
    const { ada, root } = await story();
    await damage("users", ada.id, "name");
    const { there } = await restored();
    const boss = await signedIn(there, root);
    const user = { username: "eve-admin", name: "Eve Admin", password, role: "company_admin" } as const;
    await boss.client.adminUsers.create({ body: { ...user, companyId: ada.companyId } });
    expect((await make(await signedIn(there, user), "Pump")).number).toBe("QM-002");
  });

  test("entries of system are made again", async () => {
    const { ada } = await story();
    const at = "2026-06-01T08:00:00.000Z";
    for (const _id of ["installation", "keyring", "asset-store", "lost-facts", "first-admin"]) {
      await source.db.collection("system").updateOne({ _id }, { $set: { value: "{}", at } }, { upsert: true });
      await damage("system", _id, "value");
    }
    const { there } = await restored();
    expect((await make(await signedIn(there, ada), "Pump")).number).toBe("QM-002");
  });

  const spoilt: [string, string, (id: string) => Promise<void>, (id: string) => string][] = [
    [
      "record",
      "damaged",
      (id) => damage("companies", id, "name"),
      (id) => `document ${id} of companies: it can't be read`,
    ],
    ["record", "gone", (id) => lose("companies", id), (id) => `company ${id}: its record is missing`],
    [
      "counters",
      "damaged",
      (id) => damage("counters", id, "eventSeq"),
      (id) => `document ${id} of counters: it can't be read`,
    ],
    ["counters", "gone", (id) => lose("counters", id), (id) => `company ${id}: its counters are missing`],
  ];
  test.each(spoilt)(
    "%s of a company that is %s while the server runs is named at once",
    async (...[, , spoil, line]) => {
      const { ada, root } = await story();
      await spoil(ada.companyId);
      source.running.services.companies.forget(ada.companyId);
      await ada.client.auth.me().catch(() => null);
      await expect(make(ada, "Pump")).rejects.toThrow();
      const { warned, named } = await storedDamage(source, root);
      expect(warned).toEqual(["stored data is damaged: run sop admin verify"]);
      expect(named).toEqual([expect.stringContaining(line(ada.companyId))]);
    },
  );

  test("a right password at a lost record of the company isn't called wrong", async () => {
    const { ada } = await story();
    await lose("companies", ada.companyId);
    source.running.services.companies.forget(ada.companyId);
    expect((await source.signIn(ada.username)).status).toBe(500);
    expect((await source.signIn(ada.username, "not the password")).status).toBe(401);
  });

  test("the last entry of an audit log leaves a gap, and the next one follows it", async () => {
    const { ada } = await story();
    await source.running.sequencer.run();
    source.clock.advance(24 * 3_600_000);
    await source.running.sequencer.run();
    const logs = source.db.forCompany(ada.companyId).collection("audit_logs");
    const [last] = await logs.find({}, { sort: { seq: -1 }, limit: 1 });
    const [signed] = await source.db.forCompany(ada.companyId).collection("audit_checkpoints").find({});
    expect(signed?.seq).toBe(last?.seq);
    await lose("audit_logs", last?._id ?? "");
    // what lacks nothing else was rewritten, and has no known loss
    await damage("counters", ada.companyId, "sopNumber");
    const { there, config, findings } = await restored();
    expect(findings.filter((line) => !line.startsWith("backup: "))).toEqual([]);
    await make(await signedIn(there, ada), "Pump");
    await there.running.sequencer.run();
    await there.running.stop();
    expect(await verified(config, "audit")).toEqual([]);
  });
};

describe("a restored installation on SQLite", suite("sqlite"));
describeOnMongo("a restored installation", suite("mongodb"));
