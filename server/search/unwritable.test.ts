/** Indexes in a folder on a disk that is full. */
import { describe, expect, test } from "vitest";
import { parseQuery } from "#core/search/query.ts";
import { copySops } from "../../bench/seed-sops.ts";
import { mountSmallDisk } from "../../test/full-disk.ts";
import { currentActor } from "../../test/random-writes.ts";
import { describeServer } from "../../test/server.ts";
import { createSearchIndexes } from "./indexes.ts";
import { questionForAllTerms } from "./match.ts";

const probe = mountSmallDisk(1);
probe?.unmount();

const log = { warn: () => undefined, error: () => undefined };
const question = questionForAllTerms(parseQuery("gantry ").terms ?? []);

describe.skipIf(probe === null)(`a full disk${probe ? "" : " (SKIPPED: this process can't mount)"}`, () => {
  describeServer("a large company", (server) => {
    test("is searched by its last index, and needs space for the first", { timeout: 120_000 }, async () => {
      const disk = mountSmallDisk(8);
      if (!disk) return;
      const user = await (await server().company()).user("manager");
      const make = (title: string) => user.client.sops.create({ body: { title, description: "D", markdown: "M" } });
      await make("Inspect the gantry");
      await copySops(server().db, user.companyId, 300);
      const actor = await currentActor(server(), user);
      const search = createSearchIndexes({ dir: `${disk.dir}/search`, db: server().db, log });
      const count = async () => (await search.ask(actor, (reading) => reading.matchingRows(question)))?.length ?? 0;
      const isBehind = () => search.isBehind(user.companyId);
      try {
        disk.fill();
        await expect(count()).rejects.toMatchObject({ code: "storage_full" });
        disk.free();
        const before = await count();
        expect(before).toBeGreaterThan(0);
        disk.fill();
        // the log of the index has room for a few more
        for (let n = 0; n < 200 && !isBehind(); n++) {
          await make(`Grease the gantry ${n}`);
          await count();
        }
        expect(isBehind()).toBe(true);
        const behind = await count();
        await make("Paint the gantry");
        expect([await count(), isBehind()]).toEqual([behind, true]);
        disk.free();
        await expect.poll(async () => [await count(), isBehind()]).toEqual([behind + 2, false]);
      } finally {
        await search.close();
        disk.unmount();
      }
    });
  });
});
