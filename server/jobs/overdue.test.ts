import { once } from "node:events";
import pino from "pino";
import { expect, test } from "vitest";
import { createJobWatch, reportProgress } from "./overdue.ts";

function setUp() {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: "debug" }, { write: (line: string) => void lines.push(JSON.parse(line) as never) });
  let at = 0;
  const jobs = createJobWatch(log, () => at);
  return { jobs, lines, pass: (ms: number) => (at += ms) };
}

const fails = () => Promise.reject(new Error("no"));
const works = () => Promise.resolve();

test("names a job whose pass is a minute late, until it succeeds", async () => {
  const { jobs, lines, pass } = setUp();
  const job = jobs.watch("sweep", 600_000);
  const other = jobs.watch("email", 2_000);
  pass(600_000 + 60_000);
  other.succeeded();
  expect(jobs.overdue()).toEqual([]);
  pass(1);
  expect(jobs.overdue()).toEqual(['the job "sweep" has made no progress for 660 s']);
  expect(jobs.overdue()).toHaveLength(1);
  expect(lines.at(-1)).toMatchObject({ level: 50, job: "sweep", everySeconds: 600, msg: "a job is overdue" });
  await job.pass(works);
  expect(jobs.overdue()).toEqual([]);
  expect(lines.at(-1)).toMatchObject({ level: 30, job: "sweep", msg: "a job runs again" });
  jobs.close();
});

test("does nothing while jobs pause, and then names none as late", async () => {
  let at = 0;
  let isPaused = true;
  let ran = 0;
  const jobs = createJobWatch(
    pino({ level: "silent" }),
    () => at,
    () => isPaused,
  );
  const job = jobs.watch("sweep", 2_000);
  const run = async () => void ran++;
  at += 120_000;
  expect([await job.pass(run), ran, jobs.overdue()]).toEqual([false, 0, []]);
  isPaused = false;
  at += 62_001;
  expect(jobs.overdue()).toHaveLength(1);
  expect([await job.pass(run), ran, jobs.overdue()]).toEqual([true, 1, []]);
  jobs.close();
});

test("logs a failing job once until it succeeds, and reports it after a minute at any interval", async () => {
  const { jobs, lines, pass } = setUp();
  const job = jobs.watch("sweep", 600_000);
  for (let n = 0; n < 5; n++) expect(await job.pass(fails)).toBe(false);
  expect(lines).toMatchObject([{ level: 50, job: "sweep", err: { message: "no" }, msg: "a job failed" }]);
  pass(60_000);
  await job.pass(fails);
  expect(jobs.overdue()).toEqual([]);
  pass(1);
  expect(jobs.overdue()).toHaveLength(1);
  expect(await job.pass(works)).toBe(true);
  expect(jobs.overdue()).toEqual([]);
  await job.pass(fails);
  expect(lines.filter(({ msg }) => msg === "a job failed")).toHaveLength(2);
  jobs.close();
});

test("names a pass that hangs after a minute, and not a long one that makes progress", async () => {
  const { jobs, pass } = setUp();
  const gate = Promise.withResolvers<void>();
  const piece = new EventTarget();
  const job = jobs.watch("reminders", 3_600_000);
  const ended = job.pass(async () => {
    for (let n = 0; n < 3; n++) {
      await once(piece, "done");
      reportProgress();
    }
    await gate.promise;
  });
  // what polls starts further passes beside it
  void job.pass(() => gate.promise);
  for (let n = 0; n < 3; n++) {
    pass(50_000);
    piece.dispatchEvent(new Event("done"));
    await new Promise(setImmediate);
    expect(jobs.overdue()).toEqual([]);
  }
  void job.pass(() => gate.promise);
  pass(60_001);
  expect(jobs.overdue()).toEqual(['the job "reminders" has made no progress for 60 s']);
  gate.resolve();
  await ended;
  expect(jobs.overdue()).toEqual([]);
  jobs.close();
});

test("names a job that fails at the same place in each pass, regardless of the steps before", async () => {
  const { jobs, pass } = setUp();
  const job = jobs.watch("integrity", 900_000);
  for (let n = 0; n < 4; n++) {
    await job.pass(async () => {
      reportProgress();
      await fails();
    });
    pass(20_001);
  }
  expect(jobs.overdue()).toHaveLength(1);
  jobs.close();
});

test("says once that a job has run, and waits for its last pass when it is stopped", async () => {
  const { jobs, lines } = setUp();
  const gate = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const done: string[] = [];
  const stop = jobs.every({ name: "sweep", everyMs: 1, firstMs: 0 }, async () => {
    if (done.push("pass") < 3) return;
    begun.resolve();
    await gate.promise;
    done.push("end");
  });
  await begun.promise;
  const stopped = stop();
  gate.resolve();
  await stopped;
  expect(done).toEqual(["pass", "pass", "pass", "end"]);
  expect(lines).toMatchObject([{ level: 20, job: "sweep", msg: "a job has run" }]);
  jobs.close();
});
