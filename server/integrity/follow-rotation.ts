/** Re-encrypts values when the first key has changed: at the server's start, and when the key file changes. */
import type { Jobs } from "../jobs/overdue.ts";
import type { Services } from "../http/services.ts";
import { resealOlderValues } from "./reseal.ts";

const everyMs = 2_000;

export function startFollowingRotation(
  { db, keys, clock, log }: Pick<Services, "db" | "keys" | "clock" | "log">,
  jobs: Jobs,
): () => Promise<void> {
  const job = jobs.watch("key rotation", everyMs);
  let done: string | null = null;
  let running: Promise<unknown> | null = null;
  const followRotation = async () => {
    const first = keys.firstId();
    if (first === done) return;
    const { resealed, unreadable } = await resealOlderValues(db, keys, clock);
    done = first;
    if (resealed > 0) log.info({ kid: first, resealed }, "stored keys and tokens re-encrypted");
    if (unreadable.length > 0)
      log.warn({ values: unreadable.length }, "stored keys and tokens whose encryption key is not in the ring");
  };
  const runOnce = () => {
    running ??= job.pass(followRotation).finally(() => (running = null));
  };
  runOnce();
  const timer = setInterval(runOnce, everyMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
