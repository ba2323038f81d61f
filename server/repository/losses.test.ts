/** The ledger around an image that is lost: later it can be uploaded again. */
import { expect, test } from "vitest";
import type { RepositoryLoss } from "../findings/known-losses.ts";
import { eventsWithLossStandIns, findNewLoss, isRecommitted } from "./losses.ts";
import { createRepositories } from "./repositories.ts";
import { createCompanyStory } from "./testing/company-story.ts";
import { silentLog, type MemoryLedger } from "./testing/memory-ledger.ts";
import { scratchFolder } from "./testing/scratch.ts";

/** As the database reads and records it. */
function around(ledger: MemoryLedger, losses: readonly RepositoryLoss[]): MemoryLedger {
  return {
    ...ledger,
    events: async (companyId, from, limit) =>
      eventsWithLossStandIns(losses, companyId, await ledger.events(companyId, from, limit), { from, limit }),
    acknowledge: async (companyId, commits) => {
      for (const { seq } of commits) {
        const event = ledger.stored[seq];
        if (event && isRecommitted(losses, seq)) event.state = "pending";
      }
      await ledger.acknowledge(companyId, commits);
    },
  };
}

test("a lost image leaves its version in git, and comes back with a later one", async () => {
  const story = createCompanyStory();
  const { companyId, ledger } = story;
  const bytes = Buffer.from("an image");
  const image = ledger.putAsset(bytes);
  const shown = story.create("Shown", "a\n");
  story.save(shown, "Shown", "![](asset)\n", [image]);
  story.publish(shown);
  const open = (of: MemoryLedger) =>
    createRepositories({ dir: scratchFolder(), ledger: of, log: silentLog, git: null });
  const first = open(ledger);
  await first.drain(companyId);
  const before = await first.head(companyId);
  await first.close();

  ledger.assetBytes.delete(image);
  const asked = { companyId, last: 3, sops: [] };
  const loss = await findNewLoss(ledger, asked, []);
  expect(loss).toEqual({ companyId, from: 2, to: 3, events: [], changes: [], versions: [], assets: [image] });
  const losses = loss === null ? [] : [loss];
  expect(await findNewLoss(ledger, asked, losses)).toBeNull();
  const read = around(ledger, losses);
  const types = (await read.events(companyId, 0, 10)).map(({ type }) => type);
  expect(types).toEqual(["found", "create", "unreadable", "publish"]);

  const second = open(read);
  await second.drain(companyId);
  expect((await second.head(companyId)).history).not.toBe(before.history);
  expect(await second.verify(companyId)).toMatchObject({ ok: true, findings: [] });
  ledger.putAsset(bytes);
  story.save(shown, "Shown", "![](asset) again\n", [image]);
  await second.drain(companyId);
  const head = await second.head(companyId);
  await second.close();
  expect(ledger.stored.map(({ seq, state }) => [seq, state])).toEqual([0, 1, 2, 3, 4].map((seq) => [seq, "committed"]));
  expect(ledger.stored.at(-1)?.oids.history).toBe(head.history);

  // the same from the beginning, with the image there
  const third = open(read);
  await third.drain(companyId);
  expect(await third.head(companyId)).toEqual(head);
  expect(await third.verify(companyId)).toMatchObject({ ok: true, findings: [] });
  await third.close();
});

test("a wide gap comes from an altered number, and is no loss", async () => {
  const story = createCompanyStory();
  const made = story.create("One", "a\n");
  story.save(made, "One", "b\n");
  const last = story.ledger.stored.at(-1);
  if (last) last.seq = 10 ** 12;
  expect(await findNewLoss(story.ledger, { companyId: story.companyId, last: 2, sops: [] }, [])).toBeNull();
});
