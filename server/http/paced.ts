/**
 * Reads a request's body, and fails if it arrives too slowly, because a slow client would keep a slot that others need.
 */
import { AppError } from "#core/errors.ts";
import type { HeldSlot } from "../capacity/fair-queue.ts";
import { crowdedPace, leastPace } from "../capacity/resources.ts";
import { refusals } from "./refusals.ts";

export interface Pace {
  bytesPerSecond: number;
  /** Milliseconds that a body may be late from the start. */
  startMs: number;
  /** Further milliseconds that a body can earn by arriving faster. */
  earnedMs?: number;
}

/**
 * Creates a function that returns the pace which a body needs now.
 * @param place the slot of the body: while another company waits for that slot, the body must be faster
 */
export const createPaceFor = (place: Pick<HeldSlot, "isWanted">) => (): Pace =>
  place.isWanted() ? crowdedPace : leastPace;

/**
 * Yields the chunks of a body. Only time in which the server waits for bytes counts. The time that a fast start earns
 * has a limit, because a client could otherwise send most of a body at once and then keep its slot for an hour.
 * @throws AppError invalid_input once the body is slower than the present pace
 */
export async function* pacedChunks(
  body: AsyncIterable<Buffer>,
  paceNow: () => Pace = () => leastPace,
): AsyncGenerator<Buffer> {
  const chunks = body[Symbol.asyncIterator]();
  let behindMs = 0;
  let asked: number | null = null;
  let looked = paceNow();
  /** Returns the milliseconds that the body is late; negative if it is early. */
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
