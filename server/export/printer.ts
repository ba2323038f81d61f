import { fork, type ChildProcess } from "node:child_process";
import { AppError } from "#core/errors.ts";
import { printLimits, type PrintAsk, type Printed, type PrintReply } from "#core/export/printing.ts";

export interface PrinterOptions {
  /** Milliseconds a document may take; waiting for its turn is not counted. */
  wall?: number;
  /** Documents that may wait; beyond that the answer is `busy`. */
  queue?: number;
  /** Milliseconds without work after which the process ends. */
  idle?: number;
}

export interface Printer {
  /** Rejects with `unprocessable` for what can't be set in time, `busy` when too much waits. */
  print(ask: PrintAsk): Promise<Printed>;
  close(): Promise<void>;
}

/** Built, the process is a file beside the server's; from source it is its TypeScript. */
function workerFile(): URL {
  return new URL(import.meta.url.endsWith(".ts") ? "./worker.ts" : "./pdf.js", import.meta.url);
}

/**
 * PDFs and Word files, set one at a time in a process of their own: a text that breaks or holds up the typesetter costs that process,
 * and nothing else. It starts with the first document and ends when nothing has been asked for a while.
 */
export function createPrinter(options: PrinterOptions = {}): Printer {
  const { wall = printLimits.wall, queue = 50, idle = 5 * 60_000 } = options;
  let child: Child | undefined;
  let line: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let closed = false;
  let resting: NodeJS.Timeout | undefined;

  async function run(ask: PrintAsk): Promise<Printed> {
    if (closed) throw new AppError("busy", "The server is stopping");
    clearTimeout(resting);
    if (child === undefined || !child.alive()) child = startChild();
    try {
      return await child.run(ask, wall);
    } finally {
      resting = setTimeout(() => child?.stop(), idle);
      resting.unref();
    }
  }

  return {
    print(ask) {
      if (closed || waiting >= queue) return Promise.reject(new AppError("busy"));
      waiting += 1;
      const printed = line.then(() => run(ask)).finally(() => (waiting -= 1));
      line = printed.catch(() => undefined);
      return printed;
    },
    async close() {
      closed = true;
      clearTimeout(resting);
      child?.stop();
      await line;
    },
  };
}

interface Child {
  alive(): boolean;
  run(ask: PrintAsk, wall: number): Promise<Printed>;
  stop(): void;
}

function startChild(): Child {
  const process_ = fork(workerFile(), {
    serialization: "advanced",
    execArgv: [`--max-old-space-size=${printLimits.heapMegabytes}`],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    env: {},
  });
  quiet(process_);
  const ready = next(process_);
  ready.catch(() => undefined);
  return {
    alive: () => process_.connected && !process_.killed,
    async run(ask, wall) {
      await ready;
      process_.ref();
      process_.channel?.ref();
      let timer: NodeJS.Timeout | undefined;
      try {
        const answered = next(process_);
        process_.send(ask);
        const late = new Promise<never>((_, reject) => {
          timer = setTimeout(() => reject(overrun("takes too long")), wall);
        });
        const reply = await Promise.race([answered, late]);
        if (reply.kind === "done" && reply.full) process_.kill("SIGKILL");
        return printedOf(reply);
      } catch (error) {
        if (!(error instanceof RefusedPrint)) process_.kill("SIGKILL");
        throw error;
      } finally {
        clearTimeout(timer);
        quiet(process_);
      }
    },
    stop: () => void process_.kill("SIGKILL"),
  };
}

/** It does not keep the server alive while it waits. */
function quiet(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
}

/** The next answer; the end of the process is one too. */
function next(child: ChildProcess): Promise<PrintReply> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void): void => {
      child.off("message", onMessage).off("exit", onExit).off("error", onError);
      act();
    };
    const onMessage = (reply: unknown): void => settle(() => resolve(reply as PrintReply));
    const onExit = (): void => settle(() => reject(overrun("breaks the typesetter")));
    const onError = (error: Error): void => settle(() => reject(error));
    child.on("message", onMessage).on("exit", onExit).on("error", onError);
  });
}

function printedOf(reply: PrintReply): Printed {
  if (reply.kind === "done") return reply.printed;
  if (reply.kind === "refused") throw new RefusedPrint(reply.error.code, reply.error.message, reply.error.details);
  const message = reply.kind === "broken" ? reply.message : "it answered out of turn";
  throw new Error(`the document could not be set: ${message}`);
}

/** Said by the process itself, which goes on. */
class RefusedPrint extends AppError {}

function overrun(what: string): AppError {
  return new AppError(
    "unprocessable",
    `The document can't be set: it ${what}. Shorten or simplify it, or export it as HTML`,
  );
}
