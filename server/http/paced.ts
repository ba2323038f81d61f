/** A request's body, cut off when it drips: a slow sender keeps a place that others wait for. */
import { AppError } from "#core/errors.ts";
import { leastPace } from "../capacity/resources.ts";

export interface Pace {
  bytesPerSecond: number;
  /** Before this time any pace will do. */
  startMs: number;
}

/** @throws AppError invalid_input once the body is slower than `pace` */
export async function* paced(body: AsyncIterable<Buffer>, pace: Pace = leastPace): AsyncGenerator<Buffer> {
  const begun = performance.now();
  const chunks = body[Symbol.asyncIterator]();
  let received = 0;
  let look: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    look = setInterval(() => {
      const allowed = pace.startMs + (received / pace.bytesPerSecond) * 1000;
      if (performance.now() - begun > allowed) reject(new AppError("invalid_input", "The request came too slowly"));
    }, pace.startMs / 10);
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
