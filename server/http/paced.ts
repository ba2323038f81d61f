/** A request's body, cut off when it drips: a slow sender keeps a place that others wait for. */
import { AppError } from "#core/errors.ts";
import type { Held } from "../capacity/fair-queue.ts";
import { crowdedPace, leastPace } from "../capacity/resources.ts";

export interface Pace {
  bytesPerSecond: number;
  /** So much the other end can be behind. */
  startMs: number;
  /** So much more time a body can earn by bytes that come faster. */
  earnedMs?: number;
}

/** @param place if another company waits for it, its holder must be faster */
export const paceFor = (place: Pick<Held, "isWanted">) => (): Pace => (place.isWanted() ? crowdedPace : leastPace);

/**
 * Time counts only while the server waits for bytes. Bytes of long ago excuse no silence: who sends most of a body at
 * once and then waits would keep a place for an hour.
 * @throws AppError invalid_input once the body is behind the pace of that moment
 */
export async function* paced(
  body: AsyncIterable<Buffer>,
  paceNow: () => Pace = () => leastPace,
): AsyncGenerator<Buffer> {
  const chunks = body[Symbol.asyncIterator]();
  let behindMs = 0;
  let asked: number | null = null;
  let looked = paceNow();
  /** Less than zero: ahead. */
  const behindNow = () => {
    const waitedMs = asked === null ? 0 : performance.now() - asked;
    return Math.max(-(looked.earnedMs ?? 0), behindMs) + waitedMs;
  };
  let look: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    look = setInterval(() => {
      looked = paceNow();
      if (behindNow() > looked.startMs) reject(new AppError("invalid_input", "The request came too slowly"));
    }, looked.startMs / 10);
  });
  late.catch(() => undefined);
  try {
    for (;;) {
      asked = performance.now();
      const chunk = await Promise.race([chunks.next(), late]);
      if (chunk.done) return;
      behindMs = Math.max(-(looked.earnedMs ?? 0), behindNow() - (chunk.value.length / looked.bytesPerSecond) * 1000);
      asked = null;
      yield chunk.value;
    }
  } finally {
    clearInterval(look);
  }
}
