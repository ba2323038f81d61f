/** One server process per data folder: `sopwright.lock` names the process that has it. */
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { StorageFullError } from "../port.ts";
import type { Connection } from "./connection.ts";

export class DataFolderInUseError extends Error {
  readonly pid: number;
  constructor(folder: string, pid: number) {
    super(`the data folder ${folder} is in use by process ${pid}: stop it first, or choose another DATA_DIR`);
    this.name = "DataFolderInUseError";
    this.pid = pid;
  }
}

interface Holder {
  pid: number;
  /** Distinguishes a process from a later one with the same id. */
  started: string;
}

/**
 * Takes the folder if it is free or its process is gone. The database's own write lock separates two starting
 * processes, so they can never both hold it.
 * @returns release
 * @throws DataFolderInUseError
 */
export function lockFolder(folder: string, connection: Connection): () => void {
  const file = join(folder, "sopwright.lock");
  const self: Holder = { pid: process.pid, started: startOf(process.pid) ?? "" };
  connection.exec("BEGIN IMMEDIATE");
  try {
    const holder = readHolder(file);
    if (holder && startOf(holder.pid) === holder.started) throw new DataFolderInUseError(folder, holder.pid);
    const draft = `${file}.${process.pid}`;
    try {
      writeFileSync(draft, `${JSON.stringify(self)}\n`, { mode: 0o600 });
      renameSync(draft, file);
    } catch (error) {
      rmSync(draft, { force: true });
      if (!["ENOSPC", "EDQUOT"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
      throw new StorageFullError(error);
    }
  } finally {
    connection.exec("ROLLBACK");
  }
  return () => {
    const holder = readHolder(file);
    if (holder?.pid === self.pid && holder.started === self.started) rmSync(file, { force: true });
  };
}

function readHolder(file: string): Holder | undefined {
  try {
    const { pid, started } = JSON.parse(readFileSync(file, "utf8")) as Partial<Holder>;
    return typeof pid === "number" && typeof started === "string" ? { pid, started } : undefined;
  } catch {
    return undefined;
  }
}

/** When a process began, in the system's own terms; undefined when there is no such process. */
function startOf(pid: number): string | undefined {
  if (process.platform === "linux") {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      const ticks = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
      return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()} ${ticks}`;
    } catch {
      return undefined;
    }
  }
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return undefined;
  }
  if (process.platform === "win32") return "running";
  try {
    return execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).trim();
  } catch {
    return "running";
  }
}
