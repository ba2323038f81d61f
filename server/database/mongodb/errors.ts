/** The driver's errors in the port's words. */
// oxlint-disable-next-line no-restricted-imports -- the engine itself
import { MongoServerError } from "mongodb";
import { UpdateTypeError } from "../check-operation.ts";
import { DuplicateKeyError, StorageFullError } from "../port.ts";

const DUPLICATE_KEY = 11000;
const OUT_OF_DISK_SPACE = 14031;
/** BadValue, TypeMismatch and PathNotViable: the update does not fit the stored value. */
const wrongType = new Set<unknown>([2, 14, 28]);

export function translated(error: unknown): unknown {
  if (!(error instanceof MongoServerError)) return error;
  if (error.code === DUPLICATE_KEY)
    return new DuplicateKeyError(/index: (?:\S+\.\$)?(\S+)/.exec(error.message)?.[1] ?? "_id_");
  if (error.code === OUT_OF_DISK_SPACE) return new StorageFullError(error);
  return wrongType.has(error.code) ? new UpdateTypeError(error.message, error) : error;
}

export async function translateErrors<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw translated(error);
  }
}
