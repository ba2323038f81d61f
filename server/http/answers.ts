/**
 * Answers that wait for their reader. A large answer has a place of a shared resource until it is sent. Clients that
 * read too slowly are cut off.
 */
import { Readable } from "node:stream";
import type { Context, Next } from "koa";
import type { Route } from "#core/contract/route.ts";
import { AppError } from "#core/errors.ts";
import type { FairQueue, Held } from "../capacity/fair-queue.ts";
import { crowdedPace, largeAnswer, leastPace } from "../capacity/resources.ts";
import type { Pace } from "./paced.ts";
import { refusals } from "./refusals.ts";

/**
 * Waits for a place, which the response keeps until it is sent or its client leaves.
 * @throws AppError as the queue does, and `busy` if the client left
 */
export async function placeUntilSent(ctx: Context, queue: FairQueue): Promise<void> {
  const leave = await queue.enter();
  if (ctx.res.closed) {
    leave();
    throw new AppError("busy", refusals.clientLeft());
  }
  ctx.res.once("close", leave);
  ctx.state["place"] = leave;
}

/**
 * Waits for a place if the answer is in memory and large. Streams and files took their place before they read their
 * bytes.
 * @throws AppError as the queue does
 */
export async function placeForAnswer(
  ctx: Context,
  route: Route,
  answers: FairQueue,
  headers: SavedHeaders,
): Promise<void> {
  const body: unknown = ctx.body;
  if (ctx.respond === false || ctx.method === "HEAD" || ctx.state["place"] || !body) return;
  if (body instanceof Readable) return;
  // Koa would serialize the body too, but its length must be known here
  if (typeof body === "object" && !Buffer.isBuffer(body)) ctx.body = JSON.stringify(body);
  if ((ctx.length ?? 0) <= largeAnswer) return;
  try {
    await placeUntilSent(ctx, answers);
  } catch (error) {
    // a refusal would claim that nothing was done, so the connection is cut instead
    if (route.method !== "GET" && route.touches?.length) ctx.res.destroy();
    headers.restore();
    throw error;
  }
}

export interface SavedHeaders {
  /** Removes the headers that the answer added, such as its file name. Cookies stay. */
  restore(): void;
}

export function saveHeaders({ res }: Context): SavedHeaders {
  const kept = { ...res.getHeaders() };
  return {
    restore() {
      if (res.headersSent) return;
      for (const name of res.getHeaderNames()) {
        const before = kept[name];
        if (before !== undefined) res.setHeader(name, before);
        else if (name !== "set-cookie") res.removeHeader(name);
      }
    },
  };
}

const sliceBytes = 64 * 1024;

/**
 * Cuts off each answer that is taken more slowly than `pace`. While others wait for its place, the reader must be
 * faster. Event streams have a bound of their own.
 */
export function paceAnswers(pace: Pace = leastPace, crowded: Pace = crowdedPace) {
  return async (ctx: Context, next: Next) => {
    await next();
    const body: unknown = ctx.body;
    if (ctx.res.closed || (ctx.type === "text/event-stream" && ctx.respond !== false)) return;
    const place = ctx.state["place"] as Held | undefined;
    const reader = watchReader(ctx, () => (place?.isWanted() ? crowded : pace));
    const { length } = ctx.response;
    const isLarge = body instanceof Readable || (length ?? 0) > sliceBytes;
    const isBytes = body instanceof Readable || Buffer.isBuffer(body) || typeof body === "string";
    if (ctx.respond === false || ctx.method === "HEAD" || !isLarge || !isBytes) {
      reader.offer(ctx.res.writableLength + (length ?? 0));
      return;
    }
    ctx.body = Readable.from(sliceBody(body instanceof Readable ? body : [body], reader));
    if (length !== undefined) ctx.length = length;
  };
}

/** Small slices show how much the reader has taken. */
async function* sliceBody(
  body: AsyncIterable<Buffer | string> | Iterable<Buffer | string>,
  reader: ClientReader,
): AsyncGenerator<Buffer> {
  for await (const piece of body) {
    const bytes = typeof piece === "string" ? Buffer.from(piece) : piece;
    for (let at = 0; at < bytes.length; at += sliceBytes) {
      const slice = bytes.subarray(at, at + sliceBytes);
      reader.offer(slice.length);
      yield slice;
      reader.took();
    }
  }
  // the response still buffers the last slices
  reader.offer(2 * sliceBytes);
}

interface ClientReader {
  /** Call before the bytes are sent. From then on, the time that the client takes to read them counts. */
  offer(bytes: number): void;
  /** Call once the client took the bytes: until the next offer, the client waits for the server. */
  took(): void;
}

/**
 * Cuts off a reader that is too slow. A fast start earns at most `startMs`, so a client that stops later gets no more
 * time.
 */
function watchReader({ res }: Context, paceNow: () => Pace): ClientReader {
  let { startMs, bytesPerSecond } = paceNow();
  let spareMs = startMs;
  let offered = 0;
  let allowedMs = 0;
  let timer: NodeJS.Timeout | undefined;
  const cutConnection = () => {
    // the answers of one connection are sent in order, and this one waits for an earlier one
    if (res.socket === null) timer = setTimeout(cutConnection, startMs);
    else res.destroy();
  };
  res.once("close", () => clearTimeout(timer));
  return {
    offer(bytes) {
      if (res.closed) return;
      offered = performance.now();
      ({ startMs, bytesPerSecond } = paceNow());
      allowedMs = spareMs + (bytes / bytesPerSecond) * 1000;
      timer = setTimeout(cutConnection, allowedMs);
    },
    took() {
      clearTimeout(timer);
      spareMs = Math.min(startMs, Math.max(0, allowedMs - (performance.now() - offered)));
    },
  };
}
