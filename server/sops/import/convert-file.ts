/**
 * Handles `POST /api/sops/import/convert`: converts a file of any kind to documents for the import, in a worker with a
 * time limit.
 */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { AppError } from "#core/errors.ts";
import { newId } from "#core/ids.ts";
import type { ConvertedFile, ConvertQuery } from "#core/sops/import-schema.ts";
import { assertStorageRoom } from "../../assets/room.ts";
import { storeAsset } from "../../assets/store.ts";
import type { Identity, Origin } from "../../http/call.ts";
import type { ReceivedFile } from "../../http/received-file.ts";
import type { Services } from "../../http/services.ts";
import { refusals as renderRefusals } from "../../render/refusals.ts";
import { startThread, type WorkerThread } from "../../render/thread.ts";
import type { ConvertAsk, ConvertFolderAsk, ConvertReply } from "./convert-worker.ts";
import { refusals } from "./refusals.ts";

interface ConvertCall {
  query: ConvertQuery;
  body: ReceivedFile;
  identity: Identity;
  origin: Origin;
}

/** Milliseconds for which an idle thread waits for another file. */
const keptMs = 60_000;
/** Idle threads. A thread converts one file at a time, so that a hostile file can only end its own worker. */
const idle = new Map<WorkerThread, NodeJS.Timeout>();
export const deadline = { cpu: 30_000, wall: 60_000 };
/** The id of the message about a thread that was ended. Other refusals are about the file. */
const beyondLimits = renderRefusals.costlyText({ what: "time" }).id;
const worker = { source: "../sops/import/convert-worker.ts", built: "./import-worker.js", as: "convert" } as const;

export async function convertFile(services: Services, call: ConvertCall): Promise<ConvertedFile> {
  const { query, body } = call;
  const name = query.name.split(/[/\\]/).at(-1) ?? "";
  const folder = query.store === "true" ? body.folder : null;
  const convertInTurn = () => convertInWorker({ file: body.path, name, folder, split: query.split === "heading" });
  const { stored, ...converted } = await services.shares.conversions.run(convertInTurn);
  await storeImages(services, call, stored, folder);
  return { importId: newId(), ...converted, files: stored.map(({ sha256, size }) => ({ sha256, size })) };
}

/** Converts files of a folder and stores the images that they show. */
export async function convertFolder(
  services: Services,
  call: Pick<ConvertCall, "identity" | "origin">,
  ask: ConvertFolderAsk,
): Promise<Pick<ConvertReply, "documents" | "leftOut">> {
  const convertInTurn = () => convertInWorker(ask);
  const { stored, ...converted } = await services.shares.conversions.run(convertInTurn);
  await storeImages(services, call, stored, ask.folder);
  return converted;
}

async function storeImages(
  services: Services,
  call: Pick<ConvertCall, "identity" | "origin">,
  stored: ConvertReply["stored"],
  folder: string | null,
): Promise<void> {
  await assertStorageRoom(services, call.identity.actor, stored);
  if (folder === null) return;
  for (const { name } of stored) await storeAsset(services, call, await readFile(path.join(folder, name)));
}

async function convertInWorker(ask: ConvertAsk | ConvertFolderAsk): Promise<ConvertReply> {
  const running = takeIdleThread() ?? startThread(deadline, worker);
  try {
    return (await running.run(ask)) as ConvertReply;
  } catch (error) {
    if (!(error instanceof AppError) || error.reason?.id !== beyondLimits) throw error;
    throw new AppError("unprocessable", refusals.costlyFile());
  } finally {
    if (running.alive) idle.set(running, setTimeout(() => closeThread(running), keptMs).unref());
  }
}

function takeIdleThread(): WorkerThread | undefined {
  for (const [thread, timer] of idle) {
    clearTimeout(timer);
    idle.delete(thread);
    if (thread.alive) return thread;
  }
  return undefined;
}

function closeThread(thread: WorkerThread): void {
  idle.delete(thread);
  void thread.close();
}
