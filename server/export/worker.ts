// runs in a process of its own and sets one document after the other. A crash of the native typesetter ends only this
// process
import { AppError } from "#core/errors.ts";
import { printDocx } from "#core/export/docx/print-docx.ts";
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
import { systemFolders } from "./find-fonts.ts";
import { printPdf } from "./print-pdf.ts";
import { openImageScaler, type ImageScaler } from "./image-scaler.ts";
import { scaleImages } from "./scale-images.ts";
import { openTypesetter, type Typesetter } from "./typst.ts";
import { refusals } from "./refusals.ts";

/**
 * The guard's file. The guard has a thread of its own, because it checks the memory while native code keeps this thread
 * busy.
 */
const guardFile = import.meta.url.endsWith(".ts") ? "./memory-guard.ts" : "./memory-guard.js";
const guard = startWorker("printGuard", new URL(guardFile, import.meta.url), {
  megabytes: Number(process.argv[2] ?? printLimits.residentMegabytes),
});
guard.unref();
// the guard has started with its own priority; only this thread runs below requests
yieldToRequests("request");

// the arguments after the memory limit are folders with fonts of other scripts
let typesetter: Promise<Typesetter> | undefined;
let scaler: Promise<ImageScaler | null> | undefined;
let unscaled: string | undefined;

async function printDocument(ask: PrintAsk, pictures: Images): Promise<PrintedFile> {
  const images = Object.keys(pictures).length > 0 ? await (scaler ??= openScaler()) : null;
  if (images !== null) await scaleImages(pictures, images);
  if (ask.format === "docx") return await printDocx(ask.document, ask.html, pictures);
  return printPdf(await (typesetter ??= openTypesetter([...process.argv.slice(3), ...systemFolders()])), ask, pictures);
}

/** Returns null without the library: images are then printed as they are, within the same limits. */
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
// ^C on the terminal is for the parent program, which ends this process
process.on("SIGINT", () => undefined);
// no document is set before the guard runs
guard.once("message", () => sendPrintReply({ kind: "ready" }));
