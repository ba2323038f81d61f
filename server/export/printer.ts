import type { ChildProcess } from "node:child_process";
import { AppError } from "#core/errors.ts";
import {
  memorySignal,
  printLimitError,
  printLimits,
  type NamedImage,
  type PrintAsk,
  type PrintedFile,
  type PrintMessage,
  type PrintReply,
} from "#core/export/printing.ts";
import { currentCaller } from "../capacity/caller.ts";
import { createFairQueue, type QueueLimits } from "../capacity/fair-queue.ts";
import { resources } from "../capacity/resources.ts";
import { startNode } from "../capacity/start-process.ts";
import { refusals } from "./refusals.ts";

export interface PrinterOptions {
  /** The limits on running and waiting documents; `resources.print` unless a test needs others. */
  bounds?: QueueLimits;
  /** Milliseconds that a document may take once it has a slot. */
  wall?: number;
  /** The memory that a process may use, in MB. */
  megabytes?: number;
  /** Folders with further fonts. */
  fonts?: readonly string[];
  /** Milliseconds without work after which a process ends. */
  idle?: number;
  /** The program that creates documents, unless a test needs another. */
  program?: URL;
  /** Called once if this machine can't scale images down, with the reason. */
  onUnscaled?: (reason: string) => void;
}

export interface Printer {
  /** The numbers of running and waiting documents. */
  load(): { running: number; waiting: number };
  /**
   * Waits for a slot and creates the document.
   * @param images called once there is a slot; each image is sent to the process before the next is read
   * @throws AppError `unprocessable` for documents beyond the limits of time and memory; `rate_limited` and `busy` from
   * the queue
   */
  print(ask: PrintAsk, images?: ReadImages): Promise<PrintedFile>;
  close(): Promise<void>;
}

export type ReadImages = () => Promise<AsyncIterable<NamedImage>>;

/** Returns the program's file: JavaScript next to the server's bundle, or TypeScript when run from source. */
function workerFile(): URL {
  return new URL(import.meta.url.endsWith(".ts") ? "./worker.ts" : "./pdf.js", import.meta.url);
}

/**
 * Creates PDFs and Word files in separate processes, because some texts crash or block the typesetter. A process starts
 * with a document, and ends after some minutes without work.
 */
export function createPrinter(options: PrinterOptions = {}): Printer {
  const { bounds = resources.print, wall = printLimits.wall, idle = 5 * 60_000 } = options;
  const { megabytes = printLimits.residentMegabytes, program = workerFile(), fonts = [] } = options;
  const queue = createFairQueue(bounds);
  const resting = new Map<PrintProcess, NodeJS.Timeout>();
  const working = new Set<PrintProcess>();
  const running = new Set<Promise<unknown>>();
  let closed = false;
  let onUnscaled = options.onUnscaled;

  /**
   * Chooses the process for a company: the one that served it last, else a new one, else one that served another
   * company. So if a company's documents crash their processes, mainly that company waits for new ones.
   */
  function choosePrintProcess(): PrintProcess {
    const { companyId } = currentCaller();
    for (const child of resting.keys()) if (!child.alive()) removeFromIdle(child);
    const own = [...resting.keys()].find((child) => child.companyId === companyId);
    const others = resting.size + working.size < bounds.atOnce ? undefined : [...resting.keys()][0];
    const child = own ?? others ?? startPrintProcess();
    removeFromIdle(child);
    child.companyId = companyId;
    return child;
  }

  function removeFromIdle(child: PrintProcess): void {
    clearTimeout(resting.get(child));
    resting.delete(child);
  }

  function startPrintProcess(): PrintProcess {
    return spawnPrintProcess(program, [String(megabytes), ...fonts], (reason) => {
      onUnscaled?.(reason);
      onUnscaled = undefined;
    });
  }

  async function printFile(ask: PrintAsk, read: ReadImages): Promise<PrintedFile> {
    // read the images before a process is chosen, so that a refused image doesn't end a process
    const images = await read();
    if (closed) throw new AppError("busy", refusals.stopping());
    const child = choosePrintProcess();
    working.add(child);
    try {
      return await child.run(ask, images, wall);
    } finally {
      working.delete(child);
      if (!closed && child.alive()) resting.set(child, startIdleTimer(child));
    }
  }

  function startIdleTimer(child: PrintProcess): NodeJS.Timeout {
    return setTimeout(() => {
      removeFromIdle(child);
      child.stop();
    }, idle).unref();
  }

  return {
    print(ask, images = withoutImages) {
      const printed = queue.run(() => printFile(ask, images));
      const ended = printed.catch(() => undefined).finally(() => running.delete(ended));
      running.add(ended);
      return printed;
    },
    load: queue.load,
    async close() {
      closed = true;
      queue.close();
      for (const timer of resting.values()) clearTimeout(timer);
      for (const child of [...working, ...resting.keys()]) child.stop();
      resting.clear();
      await Promise.all(running);
    },
  };
}

// oxlint-disable-next-line typescript/require-await -- an empty one
async function* noImages(): AsyncGenerator<NamedImage> {}
const withoutImages: ReadImages = () => Promise.resolve(noImages());

interface PrintProcess {
  /** The company of the last document. */
  companyId: string | null;
  alive(): boolean;
  run(ask: PrintAsk, images: AsyncIterable<NamedImage>, wall: number): Promise<PrintedFile>;
  stop(): void;
}

function spawnPrintProcess(program: URL, args: string[], onUnscaled: (reason: string) => void): PrintProcess {
  const process_ = startNode("print", program, args, {
    serialization: "advanced",
    execArgv: [`--max-old-space-size=${printLimits.heapMegabytes}`],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    // this pool decodes images one after the other, and more threads would only take more memory
    env: { UV_THREADPOOL_SIZE: "1" },
  });
  unrefProcess(process_);
  const ready = nextPrintReply(process_);
  ready.catch(() => undefined);
  return {
    companyId: null,
    alive: () => process_.connected && !process_.killed,
    async run(ask, images, wall) {
      await ready;
      process_.ref();
      process_.channel?.ref();
      let timer: NodeJS.Timeout | undefined;
      try {
        const late = new Promise<never>((_, reject) => {
          timer = setTimeout(() => reject(printLimitError("time")), wall);
        });
        const sent = sendImagesToPrinter(process_, ask, images);
        sent.catch(() => undefined);
        const answered = nextPrintReply(process_, ask);
        // the race also ends if an image can't be read, the time is over, or the process ends
        const reply = await Promise.race([sent.then(() => answered), answered, late]);
        if (reply.unscaled !== undefined) onUnscaled(reply.unscaled);
        if (reply.kind === "done" && reply.full) process_.kill("SIGKILL");
        return printedOrThrow(reply);
      } catch (error) {
        if (!(error instanceof RefusedPrint)) process_.kill("SIGKILL");
        throw error;
      } finally {
        clearTimeout(timer);
        unrefProcess(process_);
      }
    },
    stop: () => void process_.kill("SIGKILL"),
  };
}

async function sendImagesToPrinter(
  child: ChildProcess,
  ask: PrintAsk,
  images: AsyncIterable<NamedImage>,
): Promise<void> {
  for await (const { names, bytes } of images) {
    if (!child.connected) return;
    await sendToPrinter(child, { kind: "image", names, bytes });
  }
  await sendToPrinter(child, { kind: "document", ask });
}

/**
 * Sends a message and waits until the process has received it. If the process has ended, resolves too, because
 * `nextPrintReply` reports that.
 */
function sendToPrinter(child: ChildProcess, message: PrintMessage): Promise<void> {
  return new Promise((resolve) => {
    child.send(message, () => resolve());
  });
}

/** Lets the server exit while the process runs. */
function unrefProcess(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
}

/** Waits for the next answer of the process. Rejects if the process ends first. */
function nextPrintReply(child: ChildProcess, ask?: PrintAsk): Promise<PrintReply> {
  return new Promise((resolve, reject) => {
    const finishOnce = (act: () => void): void => {
      child.off("message", onMessage).off("exit", onExit).off("error", onError);
      act();
    };
    const onMessage = (reply: unknown): void => finishOnce(() => resolve(reply as PrintReply));
    const onExit = (_: number | null, signal: NodeJS.Signals | null): void =>
      finishOnce(() => reject(printLimitError(signal === memorySignal ? "memory" : "broken", ask)));
    const onError = (error: Error): void => finishOnce(() => reject(error));
    child.on("message", onMessage).on("exit", onExit).on("error", onError);
  });
}

function printedOrThrow(reply: PrintReply): PrintedFile {
  if (reply.kind === "done") return reply.printed;
  if (reply.kind === "refused") throw RefusedPrint.from(reply.error);
  const message = reply.kind === "broken" ? reply.message : "it answered out of turn";
  throw new Error(`the document could not be set: ${message}`);
}

/** The process has refused the document, but keeps running. */
class RefusedPrint extends AppError {}
