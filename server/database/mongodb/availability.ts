/**
 * Watches whether MongoDB answers, so that operations fail soon after it stops answering. The driver alone would wait
 * for seconds with each operation, and without end for a server that accepts connections but sends nothing.
 */
import { clearInterval, setInterval } from "node:timers";
// oxlint-disable-next-line no-restricted-imports -- the engine itself
import { type MongoClient, TopologyType, type TopologyDescription } from "mongodb";
import { DatabaseUnavailableError } from "../port.ts";

/** The interval in milliseconds at which the driver checks that the server answers. */
export const heartbeatMs = 500;
/**
 * Milliseconds without an answer after which the server counts as unavailable. Three missing heartbeats are more than a
 * lost packet.
 */
const silenceMs = 1_500;
const tickMs = 100;

export interface Availability {
  /**
   * Performs an operation.
   * @throws DatabaseUnavailableError at once while MongoDB doesn't answer, and as soon as it stops answering
   */
  guard<T>(perform: () => Promise<T>): Promise<T>;
  stop(): void;
}

/**
 * Starts to watch a client. Call before the client connects.
 * @param changed called when the server stops answering, and when it answers again
 */
export function watchAvailability(client: MongoClient, changed: (answers: boolean) => void): Availability {
  const waiting = new Set<(error: DatabaseUnavailableError) => void>();
  let writable: string | null = null;
  // no check before the first answer, because connecting has a time limit of its own
  let answeredAt = Infinity;
  let tickedAt = performance.now();
  let answers = true;

  function noteAnswer(): void {
    answeredAt = performance.now();
    if (answers) return;
    answers = true;
    changed(true);
  }

  function checkSilence(): void {
    const now = performance.now();
    // leave out time in which this process was blocked, because the server's answers couldn't be read then
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
    writable = writableServerIn(newDescription);
    if (writable !== null && writable !== before) noteAnswer();
  });
  client.on("serverHeartbeatSucceeded", ({ connectionId }) => {
    if (connectionId === writable) noteAnswer();
  });
  const timer = setInterval(checkSilence, tickMs);
  timer.unref();

  return {
    async guard(perform) {
      if (!answers) throw new DatabaseUnavailableError();
      let reportFailure: (error: DatabaseUnavailableError) => void = () => undefined;
      const silence = new Promise<never>((_, reject) => {
        reportFailure = reject;
      });
      waiting.add(reportFailure);
      try {
        const result = await Promise.race([perform(), silence]);
        answeredAt = performance.now();
        return result;
      } finally {
        waiting.delete(reportFailure);
      }
    },
    stop: () => clearInterval(timer),
  };
}

function writableServerIn(description: TopologyDescription): string | null {
  if (description.type === TopologyType.Unknown) return null;
  for (const [address, server] of description.servers) if (server.isWritable) return address;
  return null;
}
