import { expect, test } from "vitest";
import type { ServerStatus } from "#core/status/schema.ts";
import { createReadiness } from "./readiness.ts";

const statusOf = (problem: string | null): ServerStatus =>
  ({ parts: [{ part: "database", state: problem ? "problem" : "ok", text: problem ?? "it answers" }] }) as ServerStatus;
const jobs = { overdue: () => [] };

test("readiness answers with the state of before while the database is slow, and then with the new one", async () => {
  const slow = Promise.withResolvers<ServerStatus>();
  const answers = [Promise.resolve(statusOf(null)), slow.promise];
  const ends: string[] = [];
  const given = { waitMs: 20, keptMs: 600_000 };
  const readiness = createReadiness(
    () => answers.shift() ?? slow.promise,
    jobs,
    () => ends,
    given,
  );
  expect((await readiness()).problems).toEqual([]);
  expect((await readiness()).problems).toEqual([]);
  // what this server knows by itself is never late
  ends.push("stopping");
  expect((await readiness()).problems).toEqual(["stopping"]);
  slow.resolve(statusOf("the database does not answer"));
  await slow.promise;
  expect((await readiness()).problems).toEqual(["stopping", "the database does not answer"]);
});

test("readiness waits where it knows nothing of a short time ago", async () => {
  const slow = Promise.withResolvers<ServerStatus>();
  const answers = [Promise.resolve(statusOf(null)), slow.promise];
  const readiness = createReadiness(
    () => answers.shift() ?? slow.promise,
    jobs,
    () => [],
    { waitMs: 0, keptMs: -1 },
  );
  await readiness();
  const late = readiness();
  setImmediate(() => slow.resolve(statusOf("the database does not answer")));
  expect((await late).problems).toEqual(["the database does not answer"]);
});
