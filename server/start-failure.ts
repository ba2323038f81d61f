/** The operator's message when a program of the server can't do its work: the problem and how to fix it. */
import { resolve, sep } from "node:path";
import process from "node:process";
import { AppError, errorTable } from "#core/errors.ts";
import { BlobsUnavailableError } from "./blobs/port.ts";
import { ConfigError } from "./config.ts";
import { DataFolderError } from "./data-folder/installation.ts";
import { DataFolderInUseError } from "./database/sqlite/lock.ts";
import {
  DamagedDocumentError,
  LostCollectionError,
  DatabaseUnavailableError,
  StorageFullError,
  TransactionConflictError,
} from "./database/port.ts";
import { SchemaError } from "./database/migrations.ts";
import { isDenied } from "./file-errors.ts";

export interface StartFailure {
  /** Exit code (`docs/cli.md`): 2 usage or configuration, 5 storage or network, others as in `core/errors.ts`. */
  exit: number;
  code: string;
  message: string;
}

const usage = (message: string): StartFailure => ({ exit: 2, code: "config", message });
const storage = (message: string): StartFailure => ({ exit: 5, code: "storage", message });

/** @returns null for an unexpected error: a defect of the program */
export function startFailure(error: unknown): StartFailure | null {
  const failure = failureOf(error);
  // a driver's message can have several lines; a ConfigError has one for each setting
  return failure && !(error instanceof ConfigError)
    ? { ...failure, message: failure.message.replaceAll(/\s*\n\s*/g, " ") }
    : failure;
}

function failureOf(error: unknown): StartFailure | null {
  if (error instanceof ConfigError) return usage(error.message);
  if (error instanceof AppError) return { exit: errorTable[error.code].exit, code: error.code, message: error.message };
  if (error instanceof DataFolderInUseError || error instanceof DataFolderError || error instanceof SchemaError)
    return storage(error.message);
  if (error instanceof StorageFullError) return storage("the disk is full: free some space, then run it again");
  if (error instanceof DamagedDocumentError)
    return storage(`${error.message}. Make a backup of the rest with \`sop admin backup\` and restore it elsewhere`);
  if (error instanceof LostCollectionError) return storage(`${error.message}. Restore the last backup`);
  if (error instanceof BlobsUnavailableError) return storage(`${error.message}: check ASSET_STORE and S3_…`);
  if (error instanceof DatabaseUnavailableError)
    return storage("the MongoDB server of MONGODB_URI stopped answering: check it, then start again");
  if (error instanceof TransactionConflictError)
    return storage("the database is locked by another program: stop that program, then start again");
  return error instanceof Error ? (mongoFailure(error) ?? sqliteFailure(error) ?? systemFailure(error)) : null;
}

const wrongUri = new Set(["MongoParseError", "MongoInvalidArgumentError", "MongoAPIError", "StandaloneServerError"]);

/** By name, so that the driver is loaded only where it is the engine. Its messages name hosts, never passwords. */
function mongoFailure(error: Error): StartFailure | null {
  if (error.name === "StandaloneServerError") return usage(error.message);
  if (wrongUri.has(error.name)) return usage(`MONGODB_URI is not usable: ${error.message}`);
  if (!error.name.startsWith("Mongo")) return null;
  const { reason } = error as { reason?: { setName?: string | null; servers?: ReadonlyMap<string, unknown> } };
  if (reason?.setName && reason.servers?.size === 0)
    return usage(`MONGODB_URI: none of its servers belongs to the replica set ${reason.setName}: check replicaSet`);
  return storage(`the MongoDB server of MONGODB_URI does not answer as it should: ${error.message}`);
}

const readonly = 8;
const damaged = 11;
const unreadable = 14;
const noDatabase = 26;

const sqliteReasons: Record<number, string> = {
  [readonly]: "it is read-only for this user: run it as its owner, or give the folder to this user",
  [damaged]: "it is damaged: restore the last backup",
  [unreadable]: "it can't be opened: check that the folder exists and that this user can read and write it",
  [noDatabase]: "it is not a database: check DATA_DIR",
};

function sqliteFailure(error: Error): StartFailure | null {
  const { errcode } = error as { errcode?: unknown };
  if (typeof errcode !== "number") return null;
  const isEmpty = error.message.startsWith("no such table");
  const reason = isEmpty ? "it is empty: start the server on it first" : sqliteReasons[errcode & 0xff];
  return storage(`the database in DATA_DIR: ${reason ?? error.message}`);
}

const reasons: Record<string, string> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full: free some space, then run it again",
  EDQUOT: "the disk quota is used up: free some space, then run it again",
  ENOTDIR: "a part of the path is a file, not a folder",
  EEXIST: "there is a file in the place of a folder",
  EISDIR: "there is a folder in the place of a file",
  ELOOP: "a link in the path leads back to itself",
  ENAMETOOLONG: "the path is too long",
  EIO: "the disk reports an error",
};

function systemFailure(error: Error): StartFailure | null {
  const { code, path, port, syscall } = error as NodeJS.ErrnoException & { port?: number };
  if (syscall === "listen" && code === "EADDRINUSE") {
    const way = "stop what listens there, or set PORT to another one (0 picks a free one)";
    return usage(`port ${port} is in use: ${way}`);
  }
  if (syscall === "listen" || syscall === "getaddrinfo") return usage(`HOST and PORT are not usable: ${error.message}`);
  if (code === undefined) return null;
  // writing names no path
  if (path === undefined) return noPath.has(code) ? storage(reasons[code] ?? error.message) : null;
  const inData = isInData(path);
  if (code === "ENOENT" && syscall === "mkdir")
    return storage(`${path}: it can't be created there${inData ? ": set DATA_DIR to another folder" : ""}`);
  if (reasons[code] === undefined) return storage(error.message);
  return storage(`${path}: ${reasons[code]}${isDenied(error) ? wayIn(inData) : ""}`);
}

const noPath = new Set(["ENOSPC", "EDQUOT", "EIO", "EROFS"]);

const wayIn = (inData: boolean) =>
  inData
    ? ": run it as the user who owns the folder, or set DATA_DIR to another one"
    : ": let this user read and write there, or name another place";

/** Also the folders above, which DATA_DIR needs. */
function isInData(file: string): boolean {
  const dataDir = resolve(process.env["DATA_DIR"] || "data");
  return isBelow(file, dataDir) || isBelow(dataDir, file);
}

const isBelow = (file: string, folder: string) => `${resolve(file)}${sep}`.startsWith(`${resolve(folder)}${sep}`);
