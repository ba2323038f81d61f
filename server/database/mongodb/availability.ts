/**
 * True if MongoDB answers. For a server that is gone, the driver waits for seconds with each operation. For one that
 * accepts and stays silent, it waits without end. Here every operation fails after a moment without any answer.
 */
import { clearInterval, setInterval } from "node:timers";
// oxlint-disable-next-line no-restricted-imports -- the engine itself
import { type MongoClient, TopologyType, type TopologyDescription } from "mongodb";
import { DatabaseUnavailableError } from "../port.ts";

/** The driver asks the server this often whether it is there. */
export const heartbeatMs = 500;
/** Three answers in a row are missing: not one lost packet, not a short pause of either process. */
const silenceMs = 1_500;
const tickMs = 100;

export interface Availability {
  /** @throws DatabaseUnavailableError at once while MongoDB does not answer, and as soon as it stops to */
  guard<T>(perform: () => Promise<T>): Promise<T>;
  stop(): void;
}

/** Call before the client connects. @param changed called when the server stops answering, and when it answers again */
export function watchAvailability(client: MongoClient, changed: (answers: boolean) => void): Availability {
  const waiting = new Set<(error: DatabaseUnavailableError) => void>();
  let writable: string | null = null;
  // the first connection has a patience of its own
  let answeredAt = Infinity;
  let tickedAt = performance.now();
  let answers = true;

  function noteAnswer(): void {
    answeredAt = performance.now();
    if (answers) return;
    answers = true;
    changed(true);
  }

  function tick(): void {
    const now = performance.now();
    // time in which this process was held up is no silence of the server
    answeredAt += Math.max(0, now - tickedAt - tickMs);
    tickedAt = now;
    if (!answers || now - answeredAt < silenceMs) return;
    answers = false;
    for (const fail of waiting) fail(new DatabaseUnavailableError());
    waiting.clear();
    changed(false);
  }

  client.on("topologyDescriptionChanged", ({ newDescription }) => {
    const before = writable;
    writable = writableIn(newDescription);
    if (writable !== null && writable !== before) noteAnswer();
  });
  client.on("serverHeartbeatSucceeded", ({ connectionId }) => {
    if (connectionId === writable) noteAnswer();
  });
  const timer = setInterval(tick, tickMs);
  timer.unref();

  return {
    async guard(perform) {
      if (!answers) throw new DatabaseUnavailableError();
      let fail: (error: DatabaseUnavailableError) => void = () => undefined;
      const silence = new Promise<never>((_, reject) => {
        fail = reject;
      });
      waiting.add(fail);
      try {
        const result = await Promise.race([perform(), silence]);
        answeredAt = performance.now();
        return result;
      } finally {
        waiting.delete(fail);
      }
    },
    stop: () => clearInterval(timer),
  };
}

function writableIn(description: TopologyDescription): string | null {
  if (description.type === TopologyType.Unknown) return null;
  for (const [address, server] of description.servers) if (server.isWritable) return address;
  return null;
}
