/** A request's body as a file on disk: what is too large for memory is read from there, and gone when the request is over. */
import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import type { Context } from "koa";
import { AppError } from "#core/errors.ts";

/** Uploads that may be under way at once: each takes disk and, later, a worker. */
const atMost = 4;
let underWay = 0;

export class ReceivedFile {
  /** A folder of this request alone. */
  readonly folder: string;
  readonly size: number;

  constructor(folder: string, size: number) {
    this.folder = folder;
    this.size = size;
  }

  get path(): string {
    return path.join(this.folder, "upload");
  }

  async remove(): Promise<void> {
    underWay -= 1;
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** @throws AppError 413 beyond the limit, 415 when packed, 503 while others are received */
export async function receiveFile(ctx: Context, limit: number): Promise<ReceivedFile> {
  const encoding = ctx.get("content-encoding");
  if (encoding && encoding !== "identity") throw new AppError("unsupported_type", "Send the body uncompressed");
  if ((ctx.request.length ?? 0) > limit) throw tooLarge(limit);
  if (underWay >= atMost) throw new AppError("busy", "Other imports are under way: try again in a moment");
  underWay += 1;
  const folder = await mkdtemp(path.join(tmpdir(), "sop-import-"));
  let size = 0;
  const counted = async function* () {
    for await (const chunk of ctx.req as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > limit) throw tooLarge(limit);
      yield chunk;
    }
  };
  try {
    await pipeline(counted(), createWriteStream(path.join(folder, "upload"), { mode: 0o600 }));
    return new ReceivedFile(folder, size);
  } catch (error) {
    await new ReceivedFile(folder, size).remove();
    throw error;
  }
}

function tooLarge(limit: number): AppError {
  return new AppError("too_large", `The file is larger than ${Math.round(limit / 1024 / 1024)} MiB`);
}
