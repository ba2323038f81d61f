/** What grows with the number of companies, and what doesn't: the figures and the table of `docs/scale.md`. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
// oxlint-disable-next-line no-restricted-imports -- counts bytes as MongoDB stores them
import { BSON } from "mongodb";
import { describe, expect, test } from "vitest";
import { newId } from "#core/ids.ts";
import { seedSops } from "../bench/seed-sops.ts";
import { declarations } from "../server/database/documents.ts";
import { mongoUri } from "./database/mongo-uri.ts";
import { count, recordFigure } from "./proof.ts";
import { startServer, type TestServer, type TestUser } from "./server.ts";

const page = readFileSync(path.join(import.meta.dirname, "../docs/scale.md"), "utf8");
/** Collection → its shard key, or `whole` where it is not divided. */
const keys = new Map(
  page.split("\n").flatMap((line) => {
    const [, names, key] = /^\| ((?:`\w+`(?:, )?)+) \| .* \| (`\{.*\}`|whole) \|$/.exec(line) ?? [];
    return [...(names ?? "").matchAll(/\w+/g)].map(([name]) => [name, key ?? ""] as const);
  }),
);

test("each collection has a row of docs/scale.md", () => {
  expect([...keys.keys()].sort()).toEqual(Object.keys(declarations).sort());
});

test.each(Object.entries(declarations))(
  "the shard key of %s is one that its unique indexes allow",
  (name, declared) => {
    const key = keys.get(name);
    if (key === "whole") return;
    const first = key === "`{ companyId: 1 }`" ? "companyId" : key === '`{ _id: "hashed" }`' ? "_id" : null;
    // every command about a company's records names the company
    expect(first).toBe(declared.tenant ? "companyId" : "_id");
    for (const index of declared.indexes) {
      if (index.unique) expect([index.name, Object.keys(index.keys)[0]]).toEqual([index.name, first]);
    }
  },
);

test("bytes of a company, by collection", { timeout: 300_000 }, async () => {
  const sops = count({ usual: 60, proof: 1_000 });
  const server = await startServer("sqlite");
  try {
    const user = await (await server.company()).user("manager");
    const { services } = server.running;
    await seedSops(services, user.username, sops);
    const bytes = await Promise.all(
      (["sops", "sop_versions", "repo_events", "audit_logs"] as const).map(async (name) => {
        const documents = await services.db.collection(name).find({ companyId: user.companyId });
        return [name, documents.reduce((sum, one) => sum + BSON.calculateObjectSize(one), 0) / sops] as const;
      }),
    );
    for (const [name, each] of bytes) {
      expect([name, each > 200 && each < 20_000]).toEqual([name, true]);
      recordFigure({
        name: `scale: ${name}, bytes for each SOP`,
        value: Math.round(each),
        unit: "bytes",
        goal: "shown",
      });
    }
  } finally {
    await server.stop();
  }
});

interface Sent {
  name: string;
  collection: string;
  filter: object;
}

/** Sent by the clock, with or without a save. */
const isByClock = ({ name, collection, filter }: Sent) =>
  name === "getMore" ||
  name === "hello" ||
  collection === "mirrors" ||
  collection === "outbox" ||
  collection === "leases" ||
  ("_id" in filter && filter._id === "paused-mirrors") ||
  "pending" in filter;

describe.skipIf(mongoUri() === null)("a save on MongoDB", () => {
  test("sends as many commands beside many companies as beside few", { timeout: 600_000 }, async () => {
    const [few, many] = [100, count({ usual: 1_000, proof: 10_000 })];
    const sent: Sent[] = [];
    const server = await startServer("mongodb", {
      onCommand: (name, command) =>
        sent.push({ name, collection: String(command[name]), filter: Object(command["filter"]) as object }),
    });
    try {
      const user = await (await server.company()).user("manager");
      const body = { title: "T", description: "D", markdown: "M" };
      const { id } = await user.client.sops.create({ body });
      await addCompanies(server, user, few);
      const besideFew = await commandsOf(server, user, id, sent);
      await addCompanies(server, user, many - few);
      const besideMany = await commandsOf(server, user, id, sent);
      process.stdout.write(
        `commands for a save and its commit: ${besideFew} of ${few}, ${besideMany} of ${many} companies\n`,
      );
      expect(besideFew).toBeGreaterThan(10);
      expect(besideMany / besideFew).toBeLessThanOrEqual(1.1);
      recordFigure({
        name: `scale: commands of a save, ${few} companies`,
        value: besideFew,
        unit: "commands",
        goal: "shown",
      });
      recordFigure({
        name: `scale: commands of a save, ${many} companies`,
        value: besideMany,
        unit: "commands",
        goal: `<= ${Math.floor(besideFew * 1.1)}`,
      });
    } finally {
      await server.stop();
    }
  });
});

describe.skipIf(mongoUri() === null)("a server that serves another company", () => {
  test("gets notices of a save, and asks for nothing", { timeout: 300_000 }, async () => {
    const saves = 20;
    const first = await startServer("mongodb");
    const sent: Sent[] = [];
    let second: TestServer | undefined;
    try {
      const user = await (await first.company()).user("manager");
      const { id } = await user.client.sops.create({ body: { title: "T", description: "D", markdown: "M" } });
      second = await startServer("mongodb", {
        beside: first,
        onCommand: (name, command) =>
          sent.push({ name, collection: String(command[name]), filter: Object(command["filter"]) as object }),
      });
      await delay(2_000);
      sent.length = 0;
      for (let n = 0; n < saves; n++) {
        const body = { title: "T", description: "D", markdown: `Text ${n} ${newId()}` };
        await user.client.sops.update({ params: { id }, body });
        await first.running.services.repositories.drain(user.companyId);
      }
      await delay(1_000);
      const asked = sent.filter((one) => !isByClock(one));
      const notices = sent.filter(({ name }) => name === "getMore").length / saves;
      expect(asked).toEqual([]);
      expect(notices).toBeLessThanOrEqual(8);
      recordFigure({
        name: "scale: notices of a save to a server of others",
        value: notices,
        unit: "getMore",
        goal: "shown",
      });
    } finally {
      await second?.stop();
      await first.stop();
    }
  });
});

/** Copies of a company, each with the records that a server reads of every company. */
async function addCompanies({ db }: TestServer, user: TestUser, more: number): Promise<void> {
  const company = await db.collection("companies").findOne({ _id: user.companyId });
  const counters = await db.collection("counters").findOne({ _id: user.companyId });
  if (!company || !counters) throw new Error("the company has no records");
  for (let left = more; left > 0; left -= 500) {
    const ids = Array.from({ length: Math.min(500, left) }, () => newId());
    await db.transaction(async (tx) => {
      await tx.collection("companies").insertMany(ids.map((_id) => ({ ...company, _id, slug: `copy-${_id}` })));
      await tx.collection("counters").insertMany(ids.map((_id) => ({ ...counters, _id, companyId: _id })));
    });
  }
}

/** From the request until the commit is made and what it woke is at rest: the fewest of five, as other work may fall into one. */
async function commandsOf(server: TestServer, user: TestUser, id: string, sent: Sent[]): Promise<number> {
  const tries: number[] = [];
  for (let n = 0; n < 5; n++) {
    await server.running.services.repositories.drain(user.companyId);
    await delay(1_000);
    sent.length = 0;
    const body = { title: "T", description: "D", markdown: `Text ${n} ${newId()}` };
    await user.client.sops.update({ params: { id }, body });
    await server.running.services.repositories.drain(user.companyId);
    await delay(1_000);
    tries.push(sent.filter((one) => !isByClock(one)).length);
  }
  return Math.min(...tries);
}
