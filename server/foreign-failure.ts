/** Explains errors of SQLite, of the MongoDB driver and of the operating system to operators. */
import { resolve, sep } from "node:path";
import process from "node:process";
import { getSystemErrorMessage } from "node:util";
import { isAccessDeniedError } from "./file-errors.ts";

export interface StartFailure {
  /**
   * The exit code (`docs/cli.md`): 2 for usage or configuration, 5 for storage or network, others as in
   * `core/errors.ts`.
   */
  exit: number;
  code: string;
  message: string;
}

export const configFailure = (message: string): StartFailure => ({ exit: 2, code: "config", message });
const networkFailure = (message: string): StartFailure => ({ exit: 5, code: "network", message });
export const storageFailure = (message: string): StartFailure => ({ exit: 5, code: "storage", message });

/** Returns the reason of an error, for operators, on one line. An error of this program keeps its own message. */
export function failureReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, errno } = error as NodeJS.ErrnoException;
  // errors of reading have no path, so only their code says what failed
  const ownMessage = () => (errno === undefined ? error.message : systemErrorMessage(code, errno));
  return (explainForeignError(error)?.message ?? ownMessage()).replaceAll(/\s*\n\s*/g, " ");
}

/** Explains an error of MongoDB, SQLite or the operating system; null for any other error. */
export function explainForeignError(error: Error): StartFailure | null {
  return mongoFailure(error) ?? sqliteFailure(error) ?? systemFailure(error);
}

const wrongUriErrors = new Set([
  "MongoParseError",
  "MongoInvalidArgumentError",
  "MongoAPIError",
  "StandaloneServerError",
]);

/**
 * Recognizes errors of MongoDB by name, because the driver is loaded only if MongoDB is used. The messages name hosts,
 * never passwords.
 */
function mongoFailure(error: Error): StartFailure | null {
  if (error.name === "StandaloneServerError") return configFailure(error.message);
  if (wrongUriErrors.has(error.name)) return configFailure(`MONGODB_URI is not usable: ${error.message}`);
  if (!error.name.startsWith("Mongo")) return null;
  const { reason } = error as { reason?: { setName?: string | null; servers?: ReadonlyMap<string, unknown> } };
  if (reason?.setName && reason.servers?.size === 0)
    return configFailure(
      `MONGODB_URI: none of its servers belongs to the replica set ${reason.setName}: check replicaSet`,
    );
  const fault = connectionFault(error);
  const said = fault?.includes("certificate") ? `${fault}: check tlsCAFile` : (fault ?? error.message);
  return storageFailure(`the MongoDB server of MONGODB_URI does not answer as it should: ${said}`);
}

/** Patterns for messages of drivers and the system about a connection, with the texts for operators. */
const connectionWords: readonly (readonly [RegExp, string])[] = [
  [/greeting never received/i, "it accepts the connection and says nothing"],
  [/ECONNREFUSED/, "nothing listens there: start it, or correct the address"],
  [/ENOTFOUND|EAI_AGAIN|EDNS/, "the host is unknown: correct the address"],
  [
    /ECONNRESET|EPIPE|socket (?:close|hang up)|closed? unexpectedly|connection \d+ to .* closed/i,
    "it ended the connection",
  ],
  [/ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|timed? ?out/i, "it doesn't answer in time"],
  [/auth(?:entication|orized)/i, "it refuses the user: check the user, the password and the user's rights"],
  [/certificate|self.signed/i, "its certificate isn't accepted"],
  [/\bssl\b|\btls\b/i, "TLS fails: check the port and the settings of TLS"],
];

/**
 * Explains a failed connection.
 * @returns a text such as 'nothing listens there: start it, or correct the address (127.0.0.1:27017)'; null for other
 * errors
 */
export function connectionFault({ message, code = "" }: { message: string; code?: unknown }): string | null {
  const said = `${message} ${String(code)}`;
  const words = connectionWords.find(([pattern]) => pattern.test(said))?.[1];
  if (words === undefined) return null;
  const place = /(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNRESET|EHOSTUNREACH|ENETUNREACH) (\S+)/.exec(
    message,
  );
  return place === null ? words : `${words} (${place[1]})`;
}

const readonly = 8;
const diskError = 10;
const damaged = 11;
const unreadable = 14;

const sqliteReasons: Record<number, string> = {
  [readonly]: "it is read-only for this user: run it as its owner, or give the folder to this user",
  [diskError]: "the disk reports an error: check the disk, then start again",
  [damaged]: "it is damaged. Back up the rest with `sop admin backup`, or restore the last backup",
  [unreadable]: "it can't be opened: check that the folder exists and that this user can read and write it",
};

function sqliteFailure(error: Error): StartFailure | null {
  const { errcode } = error as { errcode?: unknown };
  if (typeof errcode !== "number") return null;
  const isEmpty = error.message.startsWith("no such table");
  const reason = isEmpty
    ? "it is empty: start the server on it first"
    : error.message === "malformed JSON"
      ? "a document is damaged: `sop admin verify` names it"
      : sqliteReasons[errcode & 0xff];
  return storageFailure(`the database in DATA_DIR: ${reason ?? error.message}`);
}

const reasons: Record<string, string> = {
  ENOENT: "there is no such file or folder",
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

interface ListenError {
  address?: string;
  port?: number;
}

function systemFailure(error: Error): StartFailure | null {
  const { code, errno, path, address, port, syscall } = error as NodeJS.ErrnoException & ListenError;
  // a port in use can become free, so the exit code isn't that of a wrong setting and a supervisor tries again
  if (syscall === "listen" && code === "EADDRINUSE") {
    const way = "stop what listens there, or set PORT to another one (0 picks a free one)";
    return networkFailure(`port ${port} is in use: ${way}`);
  }
  if (syscall === "listen" && code === "EADDRNOTAVAIL")
    return networkFailure(`this machine doesn't have the address ${address}: bring its network up, or correct HOST`);
  if (syscall === "listen" || syscall === "getaddrinfo")
    return configFailure(`HOST and PORT are not usable: ${error.message}`);
  if (code === undefined) return null;
  // errors of reading and writing have no path
  if (path === undefined) return codesWithoutPath.has(code) ? storageFailure(reasons[code] ?? error.message) : null;
  const inData = isInData(path);
  if (code === "ENOENT" && syscall === "mkdir")
    return storageFailure(`${path}: it can't be created there${inData ? ": set DATA_DIR to another folder" : ""}`);
  const reason = errno === undefined ? (reasons[code] ?? error.message) : systemErrorMessage(code, errno);
  return storageFailure(`${path}: ${reason}${isAccessDeniedError(error) ? accessAdvice(inData) : ""}`);
}

/** Returns the text for an error of the operating system. @param errno the number of the error */
export const systemErrorMessage = (code = "", errno: number) => reasons[code] ?? getSystemErrorMessage(errno);

const codesWithoutPath = new Set(["ENOSPC", "EDQUOT", "EIO", "EROFS", "EISDIR"]);

const accessAdvice = (inData: boolean) =>
  inData
    ? ": run it as the user who owns the folder, or set DATA_DIR to another one"
    : ": let this user read and write there, or name another place";

/** Says whether the path is DATA_DIR, is in DATA_DIR, or is a folder that contains DATA_DIR. */
function isInData(file: string): boolean {
  const dataDir = resolve(process.env["DATA_DIR"] || "data");
  return isBelow(file, dataDir) || isBelow(dataDir, file);
}

const isBelow = (file: string, folder: string) => `${resolve(file)}${sep}`.startsWith(`${resolve(folder)}${sep}`);
