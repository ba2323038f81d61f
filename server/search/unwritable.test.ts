/** Indexes in a folder on a disk that is full. */
import { existsSync, readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseQuery } from "#core/search/query.ts";
import { copySops } from "../../bench/seed-sops.ts";
import { mountSmallDisk } from "../../test/full-disk.ts";
import { currentActor } from "../../test/random-writes.ts";
import { describeServer } from "../../test/server.ts";
import { createSearchIndexes, type SearchIndexes } from "./indexes.ts";
import { allOf } from "./match.ts";

const probe = mountSmallDisk(1);
probe?.unmount();

const log = { warn: () => undefined, error: () => undefined };
const question = allOf(parseQuery("gantry ").terms ?? []);

describe.skipIf(probe === null)(`a full disk${probe ? "" : " (SKIPPED: this process can't mount)"}`, () => {
  describeServer("a large company without an index", (server) => {
    test("is searched from memory, and from its file when there is space", { timeout: 120_000 }, async () => {
      const disk = mountSmallDisk(8);
      if (!disk) return;
      const dir = `${disk.dir}/search`;
      const indexes = () => (existsSync(dir) ? readdirSync(dir).filter((name) => name.endsWith(".db")) : []);
      const user = await (await server().company()).user("manager");
      const make = (title: string) => user.client.sops.create({ body: { title, description: "D", markdown: "M" } });
      await make("Inspect the gantry");
      await copySops(server().db, user.companyId, 300);
      const actor = await currentActor(server(), user);
      const count = async (search: SearchIndexes) =>
        (await search.ask(actor, (reading) => reading.all(question)))?.length ?? 0;
      disk.fill();
      const search = createSearchIndexes({ dir, db: server().db, log });
      try {
        const before = await count(search);
        expect(before).toBeGreaterThan(0);
        await make("Grease the gantry");
        expect([await count(search), search.isBehind(user.companyId), indexes()]).toEqual([before + 1, false, []]);
        disk.free();
        const written = async () => [await count(search), indexes()];
        const done = [before + 1, [`${user.companyId}.db`]];
        await expect.poll(written, { timeout: 60_000, interval: 500 }).toEqual(done);
        await make("Paint the gantry");
        expect(await count(search)).toBe(before + 2);
      } finally {
        await search.close();
        disk.unmount();
      }
    });
  });
});
