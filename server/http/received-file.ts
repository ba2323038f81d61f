/** Receives a request's body into a file, if it is too large for memory. The file is deleted when the request ends. */
import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import type { Context } from "koa";
import { AppError } from "#core/errors.ts";
import type { FairQueue } from "../capacity/fair-queue.ts";
import { pacedChunks, createPaceFor } from "./paced.ts";
import { refusals } from "./refusals.ts";

export class ReceivedFile {
  /** A folder that only this request uses. */
  readonly folder: string;
  readonly size: number;
  readonly #leave: () => void;

  constructor(folder: string, size: number, leave: () => void) {
    this.folder = folder;
    this.size = size;
    this.#leave = leave;
  }

  get path(): string {
    return path.join(this.folder, "upload");
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true }).finally(this.#leave);
  }
}

/**
 * Receives a body into a file.
 * @param places the queue for a slot; null for a body so small that it needs none
 * @param within the folder in which the request's folder is created
 * @throws AppError 413 beyond the limit, 415 when compressed, 429 or 503 without a slot, 400 when it arrives too slowly
 */
export async function receiveFile(
  ctx: Context,
  limit: number,
  places: Pick<FairQueue, "enter"> | null,
  within = tmpdir(),
): Promise<ReceivedFile> {
  const encoding = ctx.get("content-encoding");
  if (encoding && encoding !== "identity") throw new AppError("unsupported_type", refusals.compressedBody());
  if ((ctx.request.length ?? 0) > limit) throw fileTooLargeError(limit);
  const place = await places?.enter();
  const leave = place ?? (() => undefined);
  const folder = await mkdtemp(path.join(within, "sop-import-")).catch((error: unknown) => {
    leave();
    throw error;
  });
  let size = 0;
  const countedChunks = async function* () {
    for await (const chunk of pacedChunks(ctx.req as AsyncIterable<Buffer>, place && createPaceFor(place))) {
      size += chunk.length;
      if (size > limit) throw fileTooLargeError(limit);
      yield chunk;
    }
  };
  try {
    await pipeline(countedChunks(), createWriteStream(path.join(folder, "upload"), { mode: 0o600 }));
    return new ReceivedFile(folder, size, leave);
  } catch (error) {
    await new ReceivedFile(folder, size, leave).remove();
    throw error;
  }
}

function fileTooLargeError(limit: number): AppError {
  return new AppError("too_large", refusals.largeFile({ mebibytes: Math.round(limit / 1024 / 1024) }));
}
