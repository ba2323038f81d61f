/** Typesets PDFs and Word files on this machine, with the same program that a server starts. */
import type { ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { AppError, type ErrorBody } from "#core/errors.ts";
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
import { CliError, exit, invalidInputError } from "../exit.ts";
import { startNode } from "../limited-program.ts";
import { typesetterInstallCommand } from "../package-folder.ts";

export interface LocalPrinter {
  /** Prints one document at a time. */
  print(ask: PrintAsk, images: readonly NamedImage[]): Promise<PrintedFile>;
  close(): void;
}

/** @param fonts folders with fonts of other scripts */
export function createLocalPrinter(signal: AbortSignal, fonts: readonly string[] = []): LocalPrinter {
  let child: ChildProcess | undefined;
  let line: Promise<unknown> = Promise.resolve();
  const stopChild = () => void child?.kill("SIGKILL");
  signal.addEventListener("abort", stopChild, { once: true });
  return {
    print(ask, images) {
      const printed = line.then(async () => {
        signal.throwIfAborted();
        child = child?.connected && !child.killed ? child : await startPrinterProcess(fonts);
        return await printInProcess(child, ask, images);
      });
      line = printed.catch(() => undefined);
      return printed;
    },
    close: stopChild,
  };
}

function printerProgramPath(): string {
  const inSources = join(import.meta.dirname, "../../server/export/worker.ts");
  const file = import.meta.url.endsWith(".ts") ? inSources : join(dirname(import.meta.filename), "pdf.js");
  if (existsSync(file)) return file;
  throw invalidInputError("not_built", `${file} is missing`, { hint: "build it with `npm run build`", path: file });
}

async function startPrinterProcess(fonts: readonly string[]): Promise<ChildProcess> {
  const child = startNode("print", printerProgramPath(), [String(printLimits.residentMegabytes), ...fonts], {
    serialization: "advanced",
    execArgv: [`--max-old-space-size=${printLimits.heapMegabytes}`],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  await awaitPrintReply(child);
  return child;
}

async function printInProcess(child: ChildProcess, ask: PrintAsk, images: readonly NamedImage[]): Promise<PrintedFile> {
  let timer: NodeJS.Timeout | undefined;
  try {
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(printLimitError("time"));
        child.kill("SIGKILL");
      }, printLimits.wall);
    });
    const answered = Promise.race([awaitPrintReply(child, ask), late]);
    const send = (message: PrintMessage) => child.send(message);
    for (const image of images) send({ kind: "image", ...image });
    send({ kind: "document", ask });
    const answer = await answered;
    if (answer.kind === "done") {
      if (answer.full) child.kill("SIGKILL");
      return answer.printed;
    }
    if (answer.kind === "refused") throw printErrorOf(answer.error);
    throw new Error(answer.kind === "broken" ? answer.message : "the typesetter answered out of turn");
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the error for a print that failed. A missing typesetter is an error of the machine, not of the document. */
function printErrorOf(refused: ErrorBody): Error {
  const { code, message } = refused;
  if (code !== "unavailable") return AppError.from(refused);
  const command = typesetterInstallCommand();
  if (command === null) {
    return new CliError(exit.invalid, {
      code,
      message,
      hint: "--format html works everywhere; --format docx does too",
    });
  }
  return new CliError(exit.invalid, { code, message: "PDF needs the typesetter and its fonts (80 MB)", hint: command });
}

function awaitPrintReply(child: ChildProcess, ask?: PrintAsk): Promise<PrintReply> {
  return new Promise((resolve, reject) => {
    const onMessage = (answer: unknown): void => settle(() => resolve(answer as PrintReply));
    const onExit = (_: number | null, signal: NodeJS.Signals | null): void =>
      settle(() => reject(printLimitError(signal === memorySignal ? "memory" : "broken", ask)));
    const onError = (error: Error): void => settle(() => reject(error));
    const settle = (act: () => void): void => {
      child.off("message", onMessage).off("exit", onExit).off("error", onError);
      act();
    };
    child.on("message", onMessage).on("exit", onExit).on("error", onError);
  });
}
