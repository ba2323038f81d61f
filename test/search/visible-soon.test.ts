/** Saved text can be found, on the server that saved it and on another one of the same database. */
import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { recordTimes } from "../live.ts";
import { count } from "../proof.ts";
import { describeServer, startServer, type TestServer } from "../server.ts";
import { mongoUri } from "../database/mongo-uri.ts";

/** Far longer than promised. The time is printed; the test fails only if the text never appears. */
const patience = 60_000;
const rounds = count({ usual: 3, proof: 30 });

/** Words so different that none counts as a typo of another. */
function wordOf(round: number): string {
  return createHash("sha256").update(`${round}`).digest("hex").slice(0, 12);
}

describeServer("a saved SOP is found", (server, engine) => {
  /** ms from the answer to a save until the search at `askedAt` finds the new words instead of the old ones. */
  async function timesAt(askedAt: TestServer): Promise<number[]> {
    const user = await (await server().company()).user("manager");
    const asking = askedAt.clientWith({ cookie: user.cookie });
    const found = async (q: string) => (await asking.search.find({ query: { q } })).data.map(({ sop }) => sop.id);
    const body = { title: "Check the pump", description: "D" };
    const { id } = await user.client.sops.create({ body: { ...body, markdown: "1. Open molybdenum.\n" } });
    expect(await found("nothing of it")).toEqual([]);
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const [word, before] = [wordOf(round), wordOf(round - 1)];
      await user.client.sops.update({ params: { id }, body: { markdown: `1. Open ${word}.\n` } });
      const began = performance.now();
      while (!(await found(word)).includes(id)) {
        if (performance.now() - began > patience) throw new Error(`${word} is not found`);
        await pause(10);
      }
      times.push(performance.now() - began);
      if (round > 0) expect(await found(before)).not.toContain(id);
    }
    process.stdout.write(`search: found ${times.map(Math.round).join(", ")} ms after a save, ${engine}\n`);
    return times;
  }

  test(`where it was saved, ${rounds} times`, { timeout: 300_000 }, async () => {
    recordTimes(`search.visible.${engine}`, await timesAt(server()), "p95 <= 1000");
  });

  test.skipIf(engine === "sqlite" || mongoUri() === null)(
    `and at another server, ${rounds} times`,
    { timeout: 300_000 },
    async () => {
      const second = await startServer(engine, { beside: server() });
      try {
        recordTimes("search.visible.other-server", await timesAt(second), "p95 <= 5000");
      } finally {
        await second.stop();
      }
    },
  );
});
