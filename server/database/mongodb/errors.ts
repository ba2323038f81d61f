/** Translates the driver's errors to errors of the storage port. */
// oxlint-disable-next-line no-restricted-imports -- the engine itself
import { MongoError, MongoNetworkError, MongoServerError, MongoServerSelectionError } from "mongodb";
import { UpdateTypeError } from "../check-operation.ts";
import { DatabaseUnavailableError, DuplicateKeyError, StorageFullError } from "../port.ts";

const DUPLICATE_KEY = 11000;
const OUT_OF_DISK_SPACE = 14031;
/** BadValue, TypeMismatch and PathNotViable: the update doesn't fit the type of the stored value. */
const wrongType = new Set<unknown>([2, 14, 28]);
/**
 * The error codes of a server that starts, stops or is no longer the primary. The driver retries after the same codes.
 */
const elsewhere = new Set<unknown>([6, 7, 89, 91, 134, 189, 9001, 10107, 11600, 11602, 13435, 13436]);
const socketCodes = new Set([
  "EPIPE",
  "ECONNRESET",
  "ECONNREFUSED",
  "ECONNABORTED",
  "ETIMEDOUT",
  "ERR_STREAM_DESTROYED",
]);
/** Names of errors that the driver doesn't export. */
const withoutConnection = new Set(["MongoWaitQueueTimeoutError", "MongoPoolClosedError"]);

function translateMongoError(error: unknown): unknown {
  if (isUnavailable(error)) return new DatabaseUnavailableError(error);
  if (!(error instanceof MongoServerError)) return error;
  if (error.code === DUPLICATE_KEY)
    return new DuplicateKeyError(/index: (?:\S+\.\$)?(\S+)/.exec(error.message)?.[1] ?? "_id_");
  if (error.code === OUT_OF_DISK_SPACE) return new StorageFullError(error);
  return wrongType.has(error.code) ? new UpdateTypeError(error.message, error) : error;
}

/** Says whether the error is of the socket itself. The driver passes some of these errors on unchanged. */
export function isSocketError(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof MongoError) return false;
  return socketCodes.has((error as NodeJS.ErrnoException).code ?? "");
}

function isUnavailable(error: unknown): boolean {
  if (error instanceof MongoServerError) return elsewhere.has(error.code);
  return (
    isSocketError(error) ||
    error instanceof MongoNetworkError ||
    error instanceof MongoServerSelectionError ||
    (error instanceof MongoError && withoutConnection.has(error.name))
  );
}

/** Says whether the driver's error has the label. Also looks at the cause of an error of ours. */
export function hasLabel(error: unknown, label: string): boolean {
  const own = error instanceof DatabaseUnavailableError ? error.cause : error;
  return own instanceof MongoError && own.hasErrorLabel(label);
}

export async function translateErrors<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw translateMongoError(error);
  }
}
