import { readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { parseQuery } from "#core/search/query.ts";
import { currentActor } from "../../test/random-writes.ts";
import { describeServer, startServer, type TestUser } from "../../test/server.ts";
import { copySops } from "../../bench/seed-sops.ts";
import { mongoUri } from "../../test/database/mongo-uri.ts";
import { resources } from "../capacity/resources.ts";
import type { Collections } from "../database/documents.ts";
import type { Database } from "../database/port.ts";
import { createSearchIndexes, type SearchIndexesOptions } from "./indexes.ts";
import { questionForAllTerms } from "./match.ts";

const question = questionForAllTerms(parseQuery("gantry ").terms ?? []);
const page = { offset: 0, limit: 10 };
const log = { warn: () => undefined, error: () => undefined };

/** The database, except that it says when texts are first read, and waits with them. */
function holdingTexts(db: Database<Collections>, begun: () => void, go: Promise<void>): Database<Collections> {
  const held = async <T>(work: () => Promise<T>): Promise<T> => {
    begun();
    await go;
    return work();
  };
  return {
    ...db,
    forCompany(companyId) {
      const company = db.forCompany(companyId);
      const versions = company.collection("sop_versions");
      const slow = {
        ...versions,
        find: (...given: Parameters<typeof versions.find>) => held(() => versions.find(...given)),
      };
      return {
        ...company,
        collection: (name) =>
          (name === "sop_versions" ? slow : company.collection(name)) as ReturnType<
            typeof company.collection<typeof name>
          >,
      };
    },
  };
}

describeServer("searches that share one thread", (server) => {
  const make = (user: TestUser, title: string) =>
    user.client.sops.create({ body: { title, description: "D", markdown: "M" } });
  const indexes = (options: Partial<SearchIndexesOptions>) =>
    createSearchIndexes({ dir: path.join(server().dataDir, "search-shared"), db: server().db, log, ...options });

  test("refuse a user with too many waiting, and answer other companies", async () => {
    const people = await Promise.all([1, 2].map(async () => (await server().company()).user("manager")));
    await Promise.all(people.map((user) => make(user, "Inspect the gantry")));
    const [one, other] = await Promise.all(people.map((user) => currentActor(server(), user)));
    if (!one || !other) throw new Error("two were made");
    const search = indexes({ bounds: { ...resources.search, atOnce: 2, companyAtOnce: 1, userWaiting: 1 } });
    try {
      const running = Promise.withResolvers<void>();
      const held = Promise.withResolvers<void>();
      const first = search.ask(one, () => {
        running.resolve();
        return held.promise;
      });
      await running.promise;
      const waiting = search.ask(one, async () => "answered");
      const refused = await search.ask(one, async () => "answered").catch((error: unknown) => error);
      expect(refused).toMatchObject({ code: "rate_limited", details: { retryAfterSeconds: 5 } });
      expect(await search.ask(other, (reading) => reading.bestRows(question, page))).toHaveLength(1);
      held.resolve();
      await first;
      expect(await waiting).toBe("answered");
    } finally {
      await search.close();
    }
  });

  test("ask a client to retry while the index is built, and answer afterwards", async () => {
    const user = await (await server().company()).user("manager");
    await make(user, "Inspect the gantry");
    const actor = await currentActor(server(), user);
    const hurried = indexes({ patience: 0 });
    const refused = await hurried.ask(actor, async () => "answered").catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "busy", details: { retryAfterSeconds: 5 } });
    // it is made all the same
    try {
      const answered = () => hurried.ask(actor, (reading) => reading.bestRows(question, page)).catch(() => null);
      await expect.poll(answered, { timeout: 20_000 }).toHaveLength(1);
    } finally {
      await hurried.close();
    }
  });

  test("stop building an index when closed, leave no file, and build it at the next start", async () => {
    const user = await (await server().company()).user("manager");
    await make(user, "Inspect the gantry");
    await copySops(server().db, user.companyId, 300);
    const actor = await currentActor(server(), user);
    const begun = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    const slow = holdingTexts(server().db, begun.resolve, go.promise);
    const dir = path.join(server().dataDir, "search-stopped");
    const stopped = createSearchIndexes({ dir, db: slow, log });
    const refused = stopped.ask(actor, async () => "answered").catch((error: unknown) => error);
    await begun.promise;
    const closed = stopped.close();
    go.resolve();
    await closed;
    expect(await refused).toMatchObject({ code: "busy" });
    expect(readdirSync(dir)).toEqual([]);
    const search = createSearchIndexes({ dir, db: server().db, log });
    try {
      expect(await search.ask(actor, (reading) => reading.bestRows(question, page))).toHaveLength(1);
    } finally {
      await search.close();
    }
  });
});

describe.each([
  { engine: "sqlite" as const, isThere: true },
  { engine: "mongodb" as const, isThere: mongoUri() !== null },
])("a search on $engine", ({ engine, isThere }) => {
  test.skipIf(!isThere)("reads as much for a word in drafts as for a missing word", async () => {
    const asked: string[] = [];
    const server = await startServer(engine, {
      onQuery: ({ collection, filter, detail }) => asked.push(`${collection} ${JSON.stringify(filter)} ${detail}`),
      onCommand: (name, command) => asked.push(`${String(command[name])} ${JSON.stringify(command["filter"])}`),
    });
    try {
      const company = await server.company();
      const [author, reader] = [await company.user("manager"), await company.user("viewer")];
      const words = ["zirconium", "molybdenum"];
      const body = { description: "D", markdown: `The ${words.join(" and the ")} valve.` };
      for (const n of [1, 2, 3]) await author.client.sops.create({ body: { title: `Draft ${n}`, ...body } });
      const published = { title: "Inspect the pump", description: "D", markdown: "M", status: "published" as const };
      await author.client.sops.create({ body: published });
      const { id } = await author.client.sops.create({ body: { ...published, title: "Restricted", ...body } });
      await author.client.sops.restrict({ params: { id }, body: { restricted: true } });
      await server.running.services.repositories.drain(reader.companyId);
      const readFor = async (q: string) => {
        await reader.client.search.find({ query: { q: "pump" } });
        asked.length = 0;
        expect(await reader.client.search.find({ query: { q } })).toEqual({ data: [] });
        expect(await reader.client.sops.list({ query: { search: q } })).toEqual({ data: [] });
        // jobs look at all companies
        return asked.filter((one) => one.startsWith("sops ") && one.includes(reader.companyId)).toSorted();
      };
      for (const [hidden, nowhere] of [
        ["zirconium", "zanzibarite"],
        ["molybdenun", "marmaladene"],
        ["zirconium molybdenum", "zanzibarite marmaladene"],
      ] as const) {
        expect([hidden, await readFor(hidden)]).toEqual([hidden, await readFor(nowhere)]);
      }
    } finally {
      await server.stop();
    }
  });
});
