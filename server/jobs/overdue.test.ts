import pino from "pino";
import { expect, test } from "vitest";
import { createJobs } from "./overdue.ts";

function setUp() {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: "info" }, { write: (line: string) => void lines.push(JSON.parse(line) as never) });
  let at = 0;
  const jobs = createJobs(log, () => at);
  return { jobs, lines, pass: (ms: number) => (at += ms) };
}

const fails = () => Promise.reject(new Error("no"));
const works = () => Promise.resolve();

test("names a job that has not succeeded for three of its intervals, until it succeeds", async () => {
  const { jobs, lines, pass } = setUp();
  const job = jobs.watch("sweep", 600_000);
  const other = jobs.watch("email", 2_000);
  pass(3 * 600_000 + 60_000);
  other.succeeded();
  expect(jobs.overdue()).toEqual([]);
  pass(1);
  expect(jobs.overdue()).toEqual(['the job "sweep" has not succeeded for 1860 s']);
  expect(jobs.overdue()).toHaveLength(1);
  expect(lines).toMatchObject([{ level: 50, job: "sweep", everySeconds: 600, msg: "a job is overdue" }]);
  await job.pass(works);
  expect(jobs.overdue()).toEqual([]);
  expect(lines.at(-1)).toMatchObject({ level: 30, job: "sweep", msg: "a job runs again" });
  jobs.close();
});

test("logs a job that fails by its name, once until it succeeds, and it becomes overdue", async () => {
  const { jobs, lines, pass } = setUp();
  const job = jobs.watch("email", 2_000);
  for (let n = 0; n < 5; n++) await job.pass(fails);
  expect(lines).toMatchObject([{ level: 50, job: "email", err: { message: "no" }, msg: "a job failed" }]);
  pass(70_000);
  await job.pass(fails);
  expect(jobs.overdue()).toHaveLength(1);
  await job.pass(works);
  await job.pass(fails);
  expect(lines.filter(({ msg }) => msg === "a job failed")).toHaveLength(2);
  jobs.close();
});
