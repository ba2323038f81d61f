/**
 * Reads a request's body and cuts it off when it arrives too slowly: a slow sender keeps a place that others wait for.
 */
import { AppError } from "#core/errors.ts";
import type { Held } from "../capacity/fair-queue.ts";
import { crowdedPace, leastPace } from "../capacity/resources.ts";
import { refusals } from "./refusals.ts";

export interface Pace {
  bytesPerSecond: number;
  /** Milliseconds by which a body can be late from the start. */
  startMs: number;
  /** Additional milliseconds that a body can earn by faster bytes. */
  earnedMs?: number;
}

/** @param place if another company waits for it, its holder must be faster */
export const paceFor = (place: Pick<Held, "isWanted">) => (): Pace => (place.isWanted() ? crowdedPace : leastPace);

/**
 * Yields the chunks of a body. Time counts only while the server waits for bytes. The earned time is bounded: a sender
 * could otherwise send most of a body at once and then keep its place for an hour.
 * @throws AppError invalid_input once the body is behind the pace of that moment
 */
export async function* assertPace(
  body: AsyncIterable<Buffer>,
  paceNow: () => Pace = () => leastPace,
): AsyncGenerator<Buffer> {
  const chunks = body[Symbol.asyncIterator]();
  let behindMs = 0;
  let asked: number | null = null;
  let looked = paceNow();
  /** Milliseconds that the body is late; less than zero if it is early. */
  const lateMsNow = () => {
    const waitedMs = asked === null ? 0 : performance.now() - asked;
    return Math.max(-(looked.earnedMs ?? 0), behindMs) + waitedMs;
  };
  let look: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    look = setInterval(() => {
      looked = paceNow();
      if (lateMsNow() > looked.startMs) reject(new AppError("invalid_input", refusals.slowRequest()));
    }, looked.startMs / 10);
  });
  late.catch(() => undefined);
  try {
    for (;;) {
      asked = performance.now();
      const chunk = await Promise.race([chunks.next(), late]);
      if (chunk.done) return;
      behindMs = Math.max(-(looked.earnedMs ?? 0), lateMsNow() - (chunk.value.length / looked.bytesPerSecond) * 1000);
      asked = null;
      yield chunk.value;
    }
  } finally {
    clearInterval(look);
  }
}
