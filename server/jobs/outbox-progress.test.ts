/** What an outbox reports of itself: slow work is no silence, a database that refuses is. */
import pino from "pino";
import { expect, test } from "vitest";
import { fixedClock } from "#core/clock.ts";
import { describeEachEngine } from "../../test/database/each-engine.ts";
import { withFullDisk } from "../../test/full-disk.ts";
import { currentCaller, withCaller, type Caller } from "../capacity/caller.ts";
import { declarations, type Collections } from "../database/documents.ts";
import { createLeases } from "./leases.ts";
import { enqueueOutboxItem, startOutbox, type OutboxHandler } from "./outbox.ts";
import { createJobWatch } from "./overdue.ts";

const log = pino({ level: "silent" });
const companyId = "one";

describeEachEngine<Collections>("an outbox", declarations, (openDatabase) => {
  async function setUp(handler: OutboxHandler) {
    const open = await openDatabase();
    const clock = fixedClock("2026-06-01T08:00:00.000Z");
    const disk = { full: false };
    let at = 0;
    const lines: string[] = [];
    const jobs = createJobWatch(pino({}, { write: (line: string) => void lines.push(line) }), () => at);
    const db = withFullDisk(open, disk);
    const outbox = startOutbox({
      db,
      clock,
      jobs,
      log,
      leases: createLeases(open),
      handlers: { note: handler },
      name: "emails",
      pollMs: 20,
    });
    const add = () =>
      open.transaction((tx) => enqueueOutboxItem(tx, { companyId, kind: "note", payload: {}, at: clock.now() }));
    return { db: open, jobs, lines, disk, outbox, add, pass: (ms: number) => (at += ms) };
  }

  test("with a receiver that takes minutes is not reported as overdue", async () => {
    const gate = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const { jobs, outbox, add, pass } = await setUp(() => {
      begun.resolve();
      return gate.promise;
    });
    await add();
    await begun.promise;
    for (let n = 0; n < 5; n++) {
      pass(61_000);
      await expect.poll(() => jobs.overdue(), { interval: 5 }).toEqual([]);
    }
    gate.resolve();
    await outbox.close();
    jobs.close();
  });

  test("works as the server for the item's company, also if a request's commit wakes it", async () => {
    const callers: Caller[] = [];
    const { jobs, outbox, add } = await setUp(async () => void callers.push(currentCaller()));
    await withCaller({ companyId: "another", userId: "ann", network: "192.0.2.0/24" }, add);
    await expect.poll(() => callers).toEqual([{ companyId, userId: "server" }]);
    await outbox.close();
    jobs.close();
  });

  test("on a full disk is reported after a minute, sends each email once, and continues with space", async () => {
    let sent = 0;
    const { db, jobs, lines, disk, outbox, add, pass } = await setUp(async () => {
      // it fills up while the email is on its way
      disk.full = true;
      sent += 1;
    });
    await add();
    await expect.poll(() => lines.join(), { interval: 5 }).toContain("a job failed");
    pass(61_000);
    for (let n = 0; n < 3; n++) await expect(outbox.drain()).rejects.toThrow("no space left");
    expect(jobs.overdue()).toEqual(['the job "emails" has made no progress for 61 s']);
    disk.full = false;
    await expect.poll(() => jobs.overdue()).toEqual([]);
    await outbox.drain();
    expect(await db.collection("outbox").find({})).toMatchObject([{ state: "done" }]);
    expect(sent).toBe(1);
    await outbox.close();
    jobs.close();
  });
});
