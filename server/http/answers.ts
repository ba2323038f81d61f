/**
 * Sends large answers: each has a slot of a shared resource until it is sent, and clients that read too slowly are
 * disconnected.
 */
import { Readable } from "node:stream";
import type { Context, Next } from "koa";
import type { Route } from "#core/contract/route.ts";
import { AppError } from "#core/errors.ts";
import type { FairQueue, HeldSlot } from "../capacity/fair-queue.ts";
import { crowdedPace, largeAnswer, leastPace } from "../capacity/resources.ts";
import type { Pace } from "./paced.ts";
import { refusals } from "./refusals.ts";

/**
 * Waits for a slot, which is released when the response is sent or the client disconnects.
 * @throws AppError from the queue, and `busy` if the client has disconnected
 */
export async function holdSlotUntilSent(ctx: Context, queue: FairQueue): Promise<void> {
  const leave = await queue.enter();
  if (ctx.res.closed) {
    leave();
    throw new AppError("busy", refusals.clientLeft());
  }
  ctx.res.once("close", leave);
  ctx.state["place"] = leave;
}

/**
 * Waits for a slot if the answer is large and in memory. Streams and files already have a slot, because they needed it
 * before they read their bytes.
 * @throws AppError from the queue
 */
export async function holdSlotForAnswer(
  ctx: Context,
  route: Route,
  answers: FairQueue,
  headers: SavedHeaders,
): Promise<void> {
  const body: unknown = ctx.body;
  if (ctx.respond === false || ctx.method === "HEAD" || ctx.state["place"] || !body) return;
  if (body instanceof Readable) return;
  // serialize the body here, because its length must be known
  if (typeof body === "object" && !Buffer.isBuffer(body)) ctx.body = JSON.stringify(body);
  if ((ctx.length ?? 0) <= largeAnswer) return;
  try {
    await holdSlotUntilSent(ctx, answers);
  } catch (error) {
    // the write is done, but a refusal would tell the client that it isn't, so cut the connection instead
    if (route.method !== "GET" && route.touches?.length) ctx.res.destroy();
    headers.restore();
    throw error;
  }
}

export interface SavedHeaders {
  /** Removes the headers that the answer added, such as its file name. Cookies stay. */
  restore(): void;
}

/** Saves the headers that the response has now. */
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
 * Creates the middleware that disconnects clients which read an answer too slowly: more slowly than `pace`, or than
 * `crowded` while other requests wait for the answer's slot. Event streams have another limit.
 */
export function createPacingMiddleware(pace: Pace = leastPace, crowded: Pace = crowdedPace) {
  return async (ctx: Context, next: Next) => {
    await next();
    const body: unknown = ctx.body;
    if (ctx.res.closed || (ctx.type === "text/event-stream" && ctx.respond !== false)) return;
    const place = ctx.state["place"] as HeldSlot | undefined;
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

/** Splits a body into small slices, so that the server sees how much the client has read. */
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
  // the response still buffers the last slices, so allow time for them
  reader.offer(2 * sliceBytes);
}

interface ClientReader {
  /** Starts the time that the client has to read the bytes. Call before they are sent. */
  offer(bytes: number): void;
  /** Stops that time until the next offer. Call once the client has read the bytes. */
  took(): void;
}

/**
 * Disconnects a client that reads too slowly. Reading fast earns at most `startMs`, so a client that stops later gets
 * no more time than that.
 */
function watchReader({ res }: Context, paceNow: () => Pace): ClientReader {
  let { startMs, bytesPerSecond } = paceNow();
  let spareMs = startMs;
  let offered = 0;
  let allowedMs = 0;
  let timer: NodeJS.Timeout | undefined;
  const cutConnection = () => {
    // the answers of one connection are sent in order, and this answer still waits for an earlier one
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
