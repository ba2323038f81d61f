/** Change streams; where one breaks or can't be had, looking every two seconds. */
import { setTimeout as delay } from "node:timers/promises";
// oxlint-disable-next-line no-restricted-imports -- the engine itself
import type { ChangeStream, Db } from "mongodb";

const pollMs = 2000;

/** @returns stop */
export function watchCollections(
  database: Db,
  names: readonly string[],
  changed: (names: ReadonlySet<string>) => void,
): () => Promise<void> {
  const stopping = new AbortController();
  let stream: ChangeStream | undefined;
  const tell = (written: Iterable<string>): void => {
    if (!stopping.signal.aborted) changed(new Set(written));
  };
  const follow = async (): Promise<void> => {
    stream = database.watch([
      { $match: { "ns.coll": { $in: [...names] } } },
      { $project: { ns: 1, operationType: 1 } },
    ]);
    await stream.tryNext();
    // What was written while there was no stream
    tell(names);
    while (!stopping.signal.aborted) {
      const event = (await stream.next()) as { ns?: { coll?: string } };
      if (event.ns?.coll !== undefined) tell([event.ns.coll]);
    }
  };
  const keepFollowing = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await follow().catch(() => undefined);
      await stream?.close().catch(() => undefined);
      tell(names);
      await delay(pollMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  void keepFollowing();
  return async () => {
    stopping.abort();
    await stream?.close().catch(() => undefined);
  };
}
