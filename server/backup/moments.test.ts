/** Backups at random moments while people write: each one is whole, and restores to the same. */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { systemClock } from "#core/clock.ts";
import { mongoUri } from "../../test/database/mongo-uri.ts";
import { count, isProof, recordFigure } from "../../test/proof.ts";
import {
  changeOne,
  createOne,
  newWord,
  peopleOfTwoCompanies,
  randomOf,
  seed,
  type Random,
  type Written,
} from "../../test/random-writes.ts";
import { describeServer, startServer, type TestServer, type TestUser } from "../../test/server.ts";
import { readCurrentKeys, sealKeys } from "./sealed-keys.ts";
import { configOf, passphrase, restoreInto, verifyAgainst } from "../../test/restored-backup.ts";
import { writeBackup } from "./write.ts";

const folder = mkdtempSync(path.join(tmpdir(), "sopwright-backup-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);

/** Never the same file twice: what follows the image is ignored by programs and counts for the hash. */
const newImage = () => Buffer.concat([png, randomBytes(200)]);

interface Writing {
  done(): number;
  stop(): Promise<void>;
}

/** Four people write, comment and upload until they are stopped. */
function startWriting(random: Random, people: readonly TestUser[], sops: Written[]): Writing {
  let [stopped, writes] = [false, 0];
  const body = () => ({ title: newWord(random), description: newWord(random), markdown: `Do ${newWord(random)}.` });
  const writeOn = async (by: TestUser): Promise<void> => {
    while (!stopped) {
      const own = sops.filter(({ companyId }) => companyId === by.companyId);
      const sop = own.length > 0 && random.below(3) > 0 ? random.pick(own) : null;
      if (sop === null) await createOne(random, by, sops, body());
      else if (random.below(4) === 0)
        await by.client.comments
          .create({ params: { id: sop.id }, body: { content: newWord(random) } })
          .catch(() => null);
      else await changeOne(random, by, sop.id, body(), people, () => undefined);
      if (random.below(5) === 0)
        await by.send({
          method: "POST",
          path: "/api/assets",
          headers: { "content-type": "image/png" },
          body: newImage(),
        });
      writes += 1;
    }
  };
  const running = people.slice(0, 4).map(writeOn);
  return {
    done: () => writes,
    async stop() {
      stopped = true;
      await Promise.all(running);
    },
  };
}

async function backUp(server: TestServer, file: string) {
  const { config, db } = server.running.services;
  const keys = await sealKeys(readCurrentKeys(config), passphrase);
  return writeBackup(file, { db, config, clock: systemClock, keys });
}

describeServer("backups", (server, engine) => {
  let others: TestServer | null = null;
  const anotherServer = async () => {
    await others?.stop();
    return (others = await startServer(engine));
  };
  afterAll(() => others?.stop());
  const rounds = count({ usual: 2, nightly: 10, proof: engine === "sqlite" ? 100 : 10 });

  test(
    "taken at random moments under writes restore to the same",
    { timeout: isProof ? 3_600_000 : 300_000 },
    async () => {
      const random = randomOf(seed);
      let [equal, own, people, sops]: [number, TestServer, TestUser[], Written[]] = [0, server(), [], []];
      for (let round = 0; round < rounds; round++) {
        // a backup takes longer with each write before it
        if (round > 0 && round % 10 === 0) own = await anotherServer();
        if (round % 10 === 0) [people, sops] = [await peopleOfTwoCompanies(own, ["company_admin", "manager"]), []];
        const file = path.join(folder, `${engine}-${round}.ndjson.gz`);
        const writing = startWriting(random, people, sops);
        try {
          const after = 3 + random.below(20);
          await expect.poll(() => writing.done(), { timeout: 60_000, interval: 1 }).toBeGreaterThanOrEqual(after);
          const { summary } = await backUp(own, file);
          expect(summary.documents["sops"]?.count).toBeGreaterThan(0);
        } finally {
          await writing.stop();
        }
        const config = configOf(folder, `${engine}-${round}`);
        await restoreInto(config, file);
        expect([await verifyAgainst(config, file), seed]).toEqual([[], seed]);
        rmSync(config.dataDir, { recursive: true });
        rmSync(file);
        equal += 1;
      }
      const goal = `= ${rounds}`;
      recordFigure({
        name: `backups under writes restored equal, ${engine}`,
        value: equal,
        unit: `of ${rounds}`,
        goal,
      });
    },
  );

  test("restored into the other engine make the same commits as the server itself", { timeout: 240_000 }, async () => {
    const manager = await (await server().company()).user("manager");
    const { id } = await manager.client.sops.create({
      body: { title: "Boiler check", description: "Check it", markdown: "Look at it.", status: "published" },
    });
    await manager.client.sops.update({ params: { id }, body: { markdown: "Look at it twice." } });
    const { repositories, db } = server().running.services;
    // the file holds what the ledger knows; the other engine has to compute it
    for (const { _id } of await db.collection("companies").find({})) await repositories.drain(_id);
    const [there, back] = [path.join(folder, `${engine}-there.gz`), path.join(folder, `${engine}-back.gz`)];
    const uri = mongoUri();
    const first = await backUp(server(), there);
    const target = engine === "sqlite" && uri !== null ? { MONGODB_URI: databaseIn(uri) } : {};
    const moved = configOf(folder, `${engine}-moved`, target);
    await restoreInto(moved, there);
    expect(await verifyAgainst(moved, there)).toEqual([]);
    const { makeBackup } = await import("./make.ts");
    const second = await makeBackup({ config: moved, clock: systemClock, target: back, passphrase });
    expect(second.summary).toEqual(first.summary);
    const again = configOf(folder, `${engine}-back`);
    await restoreInto(again, back);
    expect(await verifyAgainst(again, back)).toEqual([]);
    const head = first.summary.companies.find(({ companyId }) => companyId === manager.companyId);
    expect(head?.repository).toMatchObject(await ofHead(server(), manager.companyId));
  });
});

async function ofHead(server: TestServer, companyId: string) {
  const { seq, main, history } = await server.running.services.repositories.head(companyId);
  return { seq, main, history };
}

function databaseIn(uri: string): string {
  const url = new URL(uri);
  url.pathname = `/restored_${process.pid}_${Date.now()}`;
  return url.href;
}
