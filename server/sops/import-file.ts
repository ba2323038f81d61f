/** `POST /api/sops/import/convert`: a file of any kind as documents for the import, made in a worker under a deadline. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { AppError } from "#core/errors.ts";
import { newId } from "#core/ids.ts";
import type { ConvertedFile } from "#core/sops/import-schema.ts";
import { storeAsset } from "../assets/store.ts";
import type { Identity, Origin } from "../http/call.ts";
import type { ReceivedFile } from "../http/received-file.ts";
import type { Services } from "../http/services.ts";
import { startThread, type Thread } from "../render/thread.ts";
import type { ConvertAsk, ConvertReply } from "./import-worker.ts";

interface ConvertCall {
  query: { name: string; store: "true" | "false" };
  body: ReceivedFile;
  identity: Identity;
  origin: Origin;
}

/** One file at a time: a hostile one takes its worker down and nothing else. */
let last: Promise<unknown> = Promise.resolve();
/** Kept for the next file of the same person, not for ever. */
const keptMs = 60_000;
let thread: Thread | undefined;
let idle: NodeJS.Timeout | undefined;
const deadline = { cpu: 30_000, wall: 60_000 };
const worker = { source: "../sops/import-worker.ts", built: "./import-worker.js", megabytes: 512 };

export async function convertFile(services: Services, call: ConvertCall): Promise<ConvertedFile> {
  const { query, body } = call;
  const name = query.name.split(/[/\\]/).at(-1) ?? "";
  const folder = query.store === "true" ? body.folder : null;
  const turn = last.then(() => convertInWorker({ file: body.path, name, folder }));
  last = turn.catch(() => undefined);
  const { stored, ...converted } = await turn;
  if (folder !== null) {
    for (const file of stored) await storeAsset(services, call, await readFile(path.join(folder, file)));
  }
  return { importId: newId(), ...converted };
}

async function convertInWorker(ask: ConvertAsk): Promise<ConvertReply> {
  clearTimeout(idle);
  if (thread?.alive !== true) thread = startThread(deadline, worker);
  const running = thread;
  try {
    return (await running.run(ask)) as ConvertReply;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "unprocessable" || error.message.startsWith(ask.name))
      throw error;
    throw new AppError("unprocessable", `${ask.name}: it takes too much time or memory: import it in smaller parts`);
  } finally {
    idle = setTimeout(() => void running.close(), keptMs).unref();
  }
}
