/** A request's body, cut off when it drips: a slow sender keeps a place that others wait for. */
import { AppError } from "#core/errors.ts";
import type { FairQueue } from "../capacity/fair-queue.ts";
import { crowdedPace, leastPace } from "../capacity/resources.ts";

export interface Pace {
  bytesPerSecond: number;
  /** Before this time any pace will do. */
  startMs: number;
}

/** @param places if others wait there, the body must be faster */
export const paceFor = (places: Pick<FairQueue, "load">) => (): Pace =>
  places.load().waiting > 0 ? crowdedPace : leastPace;

/** @throws AppError invalid_input once the body is slower than the pace of that moment */
export async function* paced(
  body: AsyncIterable<Buffer>,
  paceNow: () => Pace = () => leastPace,
): AsyncGenerator<Buffer> {
  const begun = performance.now();
  const chunks = body[Symbol.asyncIterator]();
  let received = 0;
  let look: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    look = setInterval(() => {
      const pace = paceNow();
      const allowed = pace.startMs + (received / pace.bytesPerSecond) * 1000;
      if (performance.now() - begun > allowed) reject(new AppError("invalid_input", "The request came too slowly"));
    }, paceNow().startMs / 10);
  });
  late.catch(() => undefined);
  try {
    for (;;) {
      const chunk = await Promise.race([chunks.next(), late]);
      if (chunk.done) return;
      received += chunk.value.length;
      yield chunk.value;
    }
  } finally {
    clearInterval(look);
  }
}
