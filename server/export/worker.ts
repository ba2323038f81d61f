// This process creates one document after the other. A crash of the native typesetter ends only this process.
import { AppError } from "#core/errors.ts";
import { createDocx } from "#core/export/docx/print-docx.ts";
import {
  printLimits,
  type Images,
  type PrintAsk,
  type PrintedFile,
  type PrintMessage,
  type PrintReply,
} from "#core/export/printing.ts";
import { startWorker } from "../capacity/start-thread.ts";
import { yieldToRequests } from "../capacity/yield-to-requests.ts";
import { systemFontFolders } from "./find-fonts.ts";
import { printPdf } from "./print-pdf.ts";
import { openImageScaler, type ImageScaler } from "./image-scaler.ts";
import { scaleImages } from "./scale-images.ts";
import { openTypesetter, type Typesetter } from "./typst.ts";
import { refusals } from "./refusals.ts";

/**
 * The file of the memory guard. The guard is a separate thread, because it must check the memory while native code
 * blocks this thread.
 */
const guardFile = import.meta.url.endsWith(".ts") ? "./memory-guard.ts" : "./memory-guard.js";
const guard = startWorker("printGuard", new URL(guardFile, import.meta.url), {
  megabytes: Number(process.argv[2] ?? printLimits.residentMegabytes),
});
guard.unref();
// lower the priority of this thread only after the guard has started, which keeps the normal priority
yieldToRequests("request");

// the first argument is the memory limit; the others are folders with fonts of other scripts
let typesetter: Promise<Typesetter> | undefined;
let scaler: Promise<ImageScaler | null> | undefined;
let unscaled: string | undefined;

async function printDocument(ask: PrintAsk, pictures: Images): Promise<PrintedFile> {
  const images = Object.keys(pictures).length > 0 ? await (scaler ??= openScaler()) : null;
  if (images !== null) await scaleImages(pictures, images);
  if (ask.format === "docx") return await createDocx(ask.document, ask.html, pictures);
  return printPdf(
    await (typesetter ??= openTypesetter([...process.argv.slice(3), ...systemFontFolders()])),
    ask,
    pictures,
  );
}

/**
 * Loads the image scaler.
 * @returns null without the library: images are then printed unchanged, within the same limits
 */
async function openScaler(): Promise<ImageScaler | null> {
  try {
    return await openImageScaler();
  } catch (error) {
    unscaled = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
    return null;
  }
}

async function printInWorker(ask: PrintAsk, pictures: Images): Promise<PrintReply> {
  try {
    const printed = await printDocument(ask, pictures);
    return { kind: "done", printed, full: process.memoryUsage.rss() > printLimits.restMegabytes * 2 ** 20 };
  } catch (error) {
    if (error instanceof AppError) return { kind: "refused", error: error.toBody() };
    if (error instanceof RangeError) {
      return { kind: "refused", error: new AppError("unprocessable", refusals.nestedTooDeeply()).toBody() };
    }
    return { kind: "broken", message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

function sendPrintReply(reply: PrintReply): void {
  process.send?.(unscaled === undefined ? reply : { ...reply, unscaled });
}

let received: Images = {};
process.on("message", (message: PrintMessage) => {
  if (message.kind === "image") {
    for (const name of message.names) received[name] = message.bytes;
    return;
  }
  const pictures = received;
  received = {};
  void printInWorker(message.ask, pictures).then(sendPrintReply);
});
// the parent process has ended
process.on("disconnect", () => process.exit(0));
// ^C on the terminal also reaches this process, but the server ends it
process.on("SIGINT", () => undefined);
// report ready only once the guard runs, so that no document is created without it
guard.once("message", () => sendPrintReply({ kind: "ready" }));
