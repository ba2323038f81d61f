import { mkdtempSync, rmSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { loose } from "../../test/database/test-documents.ts";
import type { Collections } from "../database/documents.ts";
import { describeServer, type TestServer, type TestUser } from "../../test/server.ts";
import { createDatabaseLedger } from "../repository/database-ledger.ts";
import { createRepositories } from "../repository/repositories.ts";
import type { Jobs } from "../jobs/overdue.ts";
import type { Leases } from "../jobs/leases.ts";
import { createIntegrityChecks, startIntegrityChecks, type IntegrityChecks } from "./daily.ts";
import { isCounterFinding } from "../findings/known-losses.ts";
import { findMissingDocumentLines } from "./gaps.ts";
import { createKeysCheck } from "./keys.ts";
import { createLedgerCheck } from "./ledger.ts";
import { checkAllShares } from "./report.ts";
import { createReferencesCheck } from "./references.ts";
import { createAssetsCheck, createSopsCheck, createVersionsCheck } from "./stored.ts";
import { systemClock } from "#core/clock.ts";
import { makeBackup } from "../backup/make.ts";
import { pngOf as png } from "../../test/images.ts";

const store = async (user: TestUser, body: Buffer) => {
  const headers = { "content-type": "image/png" };
  const answer = await user.send({ method: "POST", path: "/api/assets", headers, body });
  return (answer.json() as { sha256: string }).sha256;
};

describeServer("the check of stored data", (server) => {
  const written = async () => {
    const user = await (await server().company()).user("manager");
    const body = { title: "Valve", description: "D", markdown: "Open it." };
    const { id } = await user.client.sops.create({ body });
    await user.client.sops.publish({ params: { id }, body: {} });
    await user.client.sops.update({ params: { id }, body: { markdown: "Open it slowly." } });
    return { user, id };
  };

  test("finds no damage after use: files, versions, SOPs, ledger, counters, keys, database", async () => {
    const { user } = await written();
    for (let n = 0; n < 9; n++) await store(user, png(`picture ${n}`));
    await user.client.settings.update({ body: { openaiApiKey: "sk-a-key-of-this-person" } });
    const { db, running } = server();
    expect(await checkAllShares(createAssetsCheck(db, running.services.blobs))).toEqual({ checked: 9, findings: [] });
    expect(await checkAllShares(createVersionsCheck(db))).toEqual({ checked: 2, findings: [] });
    expect(await checkAllShares(createSopsCheck(db))).toEqual({ checked: 1, findings: [] });
    expect(await checkAllShares(createLedgerCheck(db, user.companyId))).toEqual({ checked: 4, findings: [] });
    expect(await checkAllShares(createKeysCheck(db, running.services.keys))).toEqual({ checked: 1, findings: [] });
    expect(await db.damage()).toEqual([]);
  });

  test("names each damage: a file, a version, an SOP, an event, a counter, an encrypted value", async () => {
    const { user, id } = await written();
    const { db, running } = server();
    const company = db.forCompany(user.companyId);
    const sha256 = await store(user, png("chart"));
    await store(user, png("another"));
    await company.collection("assets").updateOne({ sha256 }, { $set: { bytes: new Uint8Array(png("chbrt")) } });
    await company.collection("sop_versions").updateOne({ sopId: id, version: 1 }, { $set: { markdown: "Close it." } });
    await company.collection("sops").updateOne({ _id: id }, { $set: { title: "Valwe" } });
    await company.collection("repo_events").deleteOne({ seq: 1 });
    await db.collection("counters").updateOne({ _id: user.companyId }, { $inc: { published: 1, repoSeq: 1 } });
    await user.client.settings.update({ body: { openaiApiKey: "sk-a-key-of-this-person" } });
    const sealed = (await db.collection("users").findOne({ _id: user.id }))?.openaiApiKey ?? "";
    await db
      .collection("users")
      .updateOne({ _id: user.id }, { $set: { openaiApiKey: sealed.replace(/^v1\.[^.]+/, "v1.gone") } });

    const found = async (check: Parameters<typeof checkAllShares>[0]) => (await checkAllShares(check)).findings;
    expect(await found(createAssetsCheck(db, running.services.blobs))).toEqual([
      `file ${sha256} of company ${user.companyId}: its bytes don't match its hash`,
    ]);
    expect(await found(createVersionsCheck(db))).toEqual([`version 1 of SOP ${id}: its text doesn't match its hash`]);
    expect(await found(createSopsCheck(db))).toEqual([`version 2 of SOP ${id}: it differs from the SOP`]);
    expect(await found(createLedgerCheck(db, user.companyId))).toEqual([
      `company ${user.companyId}: event 1 is missing`,
      `company ${user.companyId}: the ledger ends at event 3, not at 4`,
      `company ${user.companyId}: the counter published is 2, but there are 1`,
    ]);
    expect(await found(createKeysCheck(db, running.services.keys))).toEqual([
      `AI key of user ${user.id}: key gone is not in the keyring`,
    ]);
  });

  test("a version that is missing shows once it is asked for", async () => {
    const { user, id } = await written();
    const { db, running } = server();
    const { damage } = running.services;
    await db.forCompany(user.companyId).collection("sop_versions").deleteOne({ sopId: id, version: 2 });
    const { status } = await user.send({ method: "GET", path: `/api/sops/${id}` });
    expect(status).toBe(500);
    expect(await damage.lines()).toContain(`version 2 of SOP ${id}: it is missing`);
    await user.send({ method: "GET", path: `/api/sops/${id}/versions/9` });
    expect((await damage.lines()).filter((line) => line.includes(id) && line.endsWith("it is missing"))).toHaveLength(
      1,
    );
  });

  test("names what is missing, and so does a backup: versions, an SOP, an event, a file, a user, a category", async () => {
    const { user, id } = await written();
    const { user: other, id: lost } = await written();
    const { db, running } = server();
    const body = { name: "Reactor", requiresApproval: true };
    const { id: categoryId } = await user.client.categories.create({ body });
    await user.client.sops.update({ params: { id }, body: { categoryId } });
    await db.forCompany(user.companyId).collection("categories").deleteOne({ _id: categoryId });
    const sha256 = await store(user, png("missing"));
    await user.client.sops.update({ params: { id }, body: { markdown: `Open it.\n\n![A](/api/assets/${sha256})` } });
    const company = db.forCompany(user.companyId);
    const there = await db.collection("users").countDocuments({ companyId: user.companyId });
    const { userCount } = (await db.collection("companies").findOne({ _id: user.companyId })) ?? { userCount: 0 };
    expect(userCount).toBe(there);
    await company.collection("sop_versions").deleteOne({ sopId: id, version: 1 });
    await company.collection("assets").deleteOne({ sha256 });
    await company.collection("repo_events").deleteOne({ seq: 2 });
    await company.collection("users").updateOne({ _id: user.id }, { $set: { status: "deleted" } });
    await db.collection("sops").deleteOne({ _id: lost });
    const lines = [
      `document ${categoryId} of categories is missing`,
      `document ${lost} of sops is missing`,
      `file ${sha256} of company ${user.companyId}: its bytes are missing`,
      `version 1 of SOP ${id}: it is missing`,
      `company ${user.companyId}: event 2 is missing`,
      `company ${user.companyId}: the counter userCount is ${userCount}, but there are ${there - 1}`,
      `company ${other.companyId}: the counter published is 1, but there are 0`,
    ];
    const checks = [
      createVersionsCheck(db),
      createSopsCheck(db),
      createReferencesCheck(db),
      createLedgerCheck(db, user.companyId),
      createLedgerCheck(db, other.companyId),
    ];
    const found: string[] = [];
    for (const check of checks) found.push(...(await checkAllShares(check)).findings);
    expect(found).toEqual(expect.arrayContaining(lines));
    expect(await db.snapshot((moment) => findMissingDocumentLines(moment))).toEqual(expect.arrayContaining(lines));
    const { config } = running.services;
    // on MongoDB the tests' server has a configuration of its own
    if (db.engine === "mongodb") return;
    const dir = mkdtempSync(path.join(tmpdir(), "sopwright-gaps-"));
    const made = await makeBackup({ config, clock: systemClock, target: path.join(dir, "one.gz"), passphrase: null });
    rmSync(dir, { recursive: true, force: true });
    // beside damaged documents a backup names no counters, which are off because of them
    expect(made.missing).toEqual(expect.arrayContaining(lines.filter((line) => !isCounterFinding(line))));
  });
});

const damaged = ["stored data is damaged: run sop admin verify"];

/** The daily checks, with what they log. */
function daily(server: TestServer) {
  const { db, clock, running, dataDir } = server;
  const { keys, repositories, blobs } = running.services;
  const logged: unknown[] = [];
  const log = { error: (details: object) => logged.push(details) } as never;
  const checks = createIntegrityChecks({
    db,
    blobs,
    clock,
    log,
    keys,
    repositories,
    config: { dataDir, witnessFile: null },
  });
  const ready = async () => (await server.send({ path: "/readyz" })).json() as { warnings?: string[] };
  // without commits that wait: the clock is days ahead
  const warnings = async () => (await ready()).warnings?.filter((text) => !text.startsWith("a change has waited"));
  return {
    db,
    checks,
    logged,
    warnings: async () => (((await warnings()) ?? []).length === 0 ? undefined : warnings()),
  };
}

/** Each has a server of its own, because it looks at all that is stored. */
function dailyTest(name: string, run: (server: TestServer) => Promise<void>): void {
  describeServer("the daily check of stored data", (server) => test(name, () => run(server())));
}

dailyTest(
  "works share by share: damage is logged once, shown by /readyz, and cleared when repaired",
  async (server) => {
    const { db, checks, logged, warnings } = daily(server);
    const user = await (await server.company()).user("manager");
    const look = () => checks.database();
    for (let n = 0; n < 50; n++) await store(user, png(`picture ${n}`));
    await look();
    expect([logged, await warnings()]).toEqual([[], undefined]);
    const [last] = await db.collection("assets").find({}, { sort: { _id: -1 }, limit: 1 });
    const sha256 = last?.sha256 ?? "";
    await db.collection("assets").updateOne({ sha256 }, { $set: { bytes: new Uint8Array(png("rotten")) } });
    for (let n = 0; n < 4; n++) await look();
    const line = `file ${sha256} of company ${user.companyId}: its bytes don't match its hash`;
    expect(logged).toEqual([{ check: "assets", findings: [line] }]);
    expect(await warnings()).toEqual(damaged);
    await store(user, png("picture 49"));
    for (let n = 0; n < 4; n++) await look();
    expect(await warnings()).toBeUndefined();
  },
);

dailyTest(
  "covers more companies than a share over time: each ledger and each repository, once a day",
  async (server) => {
    const { db, checks, logged, warnings } = daily(server);
    const companies = [];
    for (let n = 0; n < 12; n++) companies.push(await server.company());
    // the one that is looked at last
    const id =
      companies
        .map((company) => company.id)
        .toSorted()
        .at(-1) ?? "";
    const company = companies.find((one) => one.id === id)!;
    const { slug } = (await db.collection("companies").findOne({ _id: id }))!;
    const user = await company.user("manager");
    await user.client.sops.create({ body: { title: "Valve", description: "D", markdown: "Open it." } });
    const { repositories } = server.running.services;
    await repositories.drain(id);
    const look = async () => {
      await checks.database();
      await checks.repositories();
    };
    await look();
    await look();
    expect([logged, await warnings()]).toEqual([[], undefined]);
    await db.collection("counters").updateOne({ _id: id }, { $inc: { published: 1 } });
    await db
      .forCompany(id)
      .collection("repo_events")
      .updateOne({ seq: 1 }, { $set: { "oids.history": "0".repeat(40) } });
    await look();
    expect(logged).toEqual([]);
    server.clock.advance(24 * 3_600_000);
    await look();
    expect(logged).toEqual([]);
    await look();
    expect(logged).toEqual([
      { check: "ledger", findings: [`company ${id}: the counter published is 1, but there are 0`] },
      { check: "repositories", findings: [expect.stringMatching(`^${slug}: event 1 makes `)] },
    ]);
    expect(await warnings()).toEqual(damaged);
  },
);

dailyTest("reports a company that can't be read, and still checks the others", async (server) => {
  const { checks, logged, warnings } = daily(server);
  const ids = [(await server.company()).id, (await server.company()).id].toSorted();
  const { repositories } = server.running.services;
  for (const id of ids) await repositories.drain(id);
  const [one = "", other = ""] = ids.map((id) => repositories.path(id));
  await mkdir(path.join(one, "objects/pack/pack-1.pack"), { recursive: true });
  await rm(path.join(other, "refs/heads/history"), { force: true });
  await writeFile(path.join(other, "packed-refs"), `${"0".repeat(40)} refs/heads/history\n`);
  await checks.repositories();
  expect(logged).toEqual([
    {
      check: "repositories",
      findings: [expect.stringMatching(/it can't be read: there is a folder in the place of a file$/)],
    },
    { check: "repositories", findings: expect.arrayContaining([expect.stringContaining("history points at 0000")]) },
  ]);
  expect(await warnings()).toEqual(damaged);
});

dailyTest("starts again if its own record is damaged, and hides no other damage", async (server) => {
  const { db, checks, warnings } = daily(server);
  const { id } = await server.company();
  await db.collection("counters").updateOne({ _id: id }, { $inc: { published: 1 } });
  await mkdir(path.join(server.dataDir, "repositories"), { recursive: true });
  await writeFile(path.join(server.dataDir, "repositories/checked.json"), "{");
  await checks.database();
  expect(await warnings()).toEqual(damaged);
  await checks.repositories();
  expect(await checks.damage()).toEqual([`company ${id}: the counter published is 1, but there are 0`]);
});

dailyTest("checks the SQLite file and lost documents after each start, and then once a day", async (server) => {
  const { db, checks, warnings } = daily(server);
  if (db.engine !== "sqlite") return;
  const company = await server.company();
  const { client } = await company.user("company_admin");
  const { id } = await client.categories.create({ body: { name: "Reactor" } });
  await client.categories.create({ body: { name: "Valves", parentId: id } });
  const { id: empty } = await client.categories.create({ body: { name: "Pipes" } });
  await checks.database();
  expect(await checks.damage()).toEqual([]);

  const file = new DatabaseSync(path.join(server.dataDir, "sopwright.db"));
  const elements = () => Number(file.prepare(`SELECT count(*) AS n FROM "users/words"`).get()?.["n"]);
  const before = elements();
  const loseElements = () => file.exec(`DELETE FROM "users/words"`);
  loseElements();
  await db.collection("categories").deleteMany({ _id: { $in: [id, empty] } });
  await checks.database();
  expect([elements(), await checks.damage()]).toEqual([0, []]);
  const restarted = daily(server);
  await restarted.checks.database();
  const lost = [
    ...["pipes", "reactor"].map((slug) => `company ${company.id}: its category ${slug} is missing`),
    ...[id, empty].map((one) => `document ${one} of categories is missing`).toSorted(),
  ];
  expect([elements(), (await checks.damage()).toSorted()]).toEqual([before, lost]);
  expect(await warnings()).toEqual(damaged);

  loseElements();
  await restarted.checks.database();
  expect(elements()).toBe(0);
  server.clock.advance(24 * 3_600_000);
  await restarted.checks.database();
  expect(elements()).toBe(before);
  file.close();
});

dailyTest("ends a round that a stop interrupted, and then begins the round of this start", async (server) => {
  const { db, checks } = daily(server);
  if (db.engine !== "sqlite") return;
  const { id } = await server.company();
  const round = { after: "repo_events", since: server.clock.now(), found: [], before: [] };
  const $set = { value: JSON.stringify(round), at: server.clock.now() };
  await db.collection("system").updateOne({ _id: "integrity:references" }, { $set }, { upsert: true });
  const [category] = await db.forCompany(id).collection("categories").find({}, { limit: 1 });
  const change = { $set: { parentId: "no-such-id" } };
  await db.collection("categories").updateOne({ _id: category?._id ?? "" }, change);
  await checks.database();
  expect(await checks.damage()).toEqual([]);
  await checks.database();
  expect(await checks.damage()).toEqual(["document no-such-id of categories is missing"]);
});

test("the first check comes soon after the start, before the others' pause", () => {
  const times: Record<string, { everyMs: number; firstMs: number }> = {};
  const every: Jobs["every"] = ({ name, ...one }) => {
    times[name] = one;
    return async () => undefined;
  };
  startIntegrityChecks({} as IntegrityChecks, { leases: {} as Leases, jobs: { every } });
  expect(times).toEqual({
    integrity: { everyMs: 900_000, firstMs: 60_000 },
    "integrity of repositories": { everyMs: 900_000, firstMs: 900_000 },
  });
});

dailyTest("stops between two pieces of work", async (server) => {
  const { checks } = daily(server);
  await server.company();
  await expect(checks.repositories(AbortSignal.abort())).rejects.toThrow("aborted");
});

describeServer("valid JSON that is damaged", (server, engine) => {
  const changes: [string, Record<string, Record<string, unknown>>][] = [
    ["without the field tags", { $unset: { tags: "" } }],
    ["without the field published", { $unset: { published: "" } }],
    ["with grants null", { $set: { grants: null } }],
    ["with a number as title", { $set: { title: 5 } }],
    ["with a text as tags", { $set: { tags: "x" } }],
  ];
  test.each(changes)("names an SOP %s, which costs itself", async (_, change) => {
    const user = await (await server().company()).user("manager");
    const valve = { title: "Valve", description: "D", markdown: "Open it." };
    const { id } = await user.client.sops.create({ body: valve });
    const body = { title: "Boiler", description: "D", markdown: "Heat it." };
    const other = await user.client.sops.create({ body });
    const { db, running } = server();
    await loose(db.collection("sops")).updateOne({ _id: id }, change);
    expect((await user.client.sops.list({ query: {} })).data.map((row) => row.id)).toEqual([other.id]);
    expect((await user.client.search.find({ query: { q: "heat" } })).data.map(({ sop }) => sop.id)).toEqual([other.id]);
    await expect(user.client.sops.get({ params: { id } })).rejects.toMatchObject({ code: "damaged" });
    const named = `document ${id} of sops: it can't be read`;
    // on MongoDB, tests open the database themselves
    if (engine === "sqlite") expect(await running.services.damage.lines()).toContain(named);
    expect(await db.damage()).toContain(named);
  });

  const others: [keyof Collections & string, Record<string, Record<string, unknown>>][] = [
    ["categories", { $unset: { name: "" } }],
    ["users", { $set: { name: null } }],
    ["users", { $unset: { permissions: "" } }],
    ["sop_versions", { $set: { markdown: null } }],
    ["sop_versions", { $unset: { frontMatter: "" } }],
    ["sop_versions", { $set: { createdAt: "yesterday" } }],
  ];
  test.each(others)("lists go on beside a damaged one of %s: %o", async (collection, change) => {
    const company = await server().company();
    const admin = await company.user("company_admin");
    const user = await company.user("manager");
    await admin.client.categories.create({ body: { name: "Machines" } });
    await user.client.sops.create({ body: { title: "Valve", description: "D", markdown: "Open it." } });
    const { db } = server();
    const one = collection === "users" ? { _id: user.id } : { companyId: company.id };
    const [document] = await db.collection(collection).find(one, { limit: 1 });
    await loose(db.collection(collection)).updateOne({ _id: document?._id ?? "" }, change);
    await admin.client.users.list({});
    await admin.client.categories.list({});
    await admin.client.sops.list({ query: {} });
    expect(await db.damage()).toContain(`document ${document?._id} of ${collection}: it can't be read`);
  });

  const events: [string, Record<string, Record<string, unknown>>][] = [
    ["without items", { $unset: { items: "" } }],
    ["with an item without places", { $set: { items: [{ sopId: "x", version: 1, number: 1, title: "T" }] } }],
    ["with null as its time", { $set: { at: null } }],
  ];
  test.each(events)("a lost repository is made again beside an event %s", async (_, change) => {
    const company = await server().company();
    const user = await company.user("manager");
    for (const title of ["Valve", "Boiler", "Pump"])
      await user.client.sops.create({ body: { title, description: "D", markdown: "Look." } });
    const { db, running } = server();
    await loose(db.forCompany(company.id).collection("repo_events")).updateOne({ seq: 2 }, change);
    const dir = mkdtempSync(path.join(tmpdir(), "sopwright-again-"));
    const damage: string[] = [];
    const repositories = createRepositories({
      dir,
      ledger: createDatabaseLedger(db, running.services.blobs),
      log: running.services.log,
      git: null,
      onDamage: (what) => damage.push(what),
    });
    await repositories.drain(company.id);
    expect(damage).toEqual([`event 2 of company ${company.id}: it can't be committed`]);
    expect((await repositories.head(company.id)).history).not.toBeNull();
    const { findings } = await repositories.verify(company.id);
    expect(findings.map(({ message }) => message)).toContain("event 2 is missing");
    await repositories.close();
    rmSync(dir, { recursive: true });
  });
});
