/** Explains to the operator why a program of the server failed: the problem and how to fix it. */
import { AppError, errorTable } from "#core/errors.ts";
import { BlobsUnavailableError } from "./blobs/port.ts";
import { ConfigError } from "./config.ts";
import { DataFolderError } from "./data-files.ts";
import { backUpTheRest, DamagedFileError } from "./database/sqlite/errors.ts";
import { DataFolderInUseError } from "./database/sqlite/lock.ts";
import {
  DamagedDocumentError,
  LostCollectionError,
  DatabaseUnavailableError,
  TransactionConflictError,
} from "./database/port.ts";
import { SchemaError } from "./database/migrations.ts";
import { DamagedKeysError } from "./keys/key-file.ts";
import { explainForeignError, storageFailure, configFailure, type StartFailure } from "./foreign-failure.ts";

/** Collections that the server fills itself. A backup without their documents is complete. */
const collectionsFilledByServer = new Set(["system", "migrations"]);

/**
 * Explains an error on one line; a ConfigError has a line for each setting.
 * @returns null for an unexpected error, which is a defect of the program
 */
export function explainFailure(error: unknown): StartFailure | null {
  const failure = ownStartFailure(error);
  // show only the first line of a driver's message; a ConfigError has a line for each setting
  return failure && !(error instanceof ConfigError)
    ? { ...failure, message: failure.message.replaceAll(/\s*\n\s*/g, " ") }
    : failure;
}

function ownStartFailure(error: unknown): StartFailure | null {
  if (error instanceof ConfigError) return configFailure(error.message);
  if (error instanceof AppError) return { exit: errorTable[error.code].exit, code: error.code, message: error.message };
  const isOwn = [DataFolderInUseError, DataFolderError, SchemaError, DamagedFileError, DamagedKeysError].some(
    (one) => error instanceof one,
  );
  if (error instanceof Error && isOwn) return storageFailure(error.message);
  if (error instanceof DamagedDocumentError) return storageFailure(`${error.message}. ${backUpTheRest}`);
  if (error instanceof LostCollectionError)
    return storageFailure(
      `${error.message}. ${collectionsFilledByServer.has(error.collection) ? backUpTheRest : "Restore the last backup"}`,
    );
  if (error instanceof BlobsUnavailableError) return storageFailure(`${error.message}: check ASSET_STORE and S3_…`);
  if (error instanceof DatabaseUnavailableError)
    return storageFailure("the MongoDB server of MONGODB_URI stopped answering: check it, then start again");
  if (error instanceof TransactionConflictError)
    return storageFailure("the database is locked by another program: stop that program, then start again");
  return error instanceof Error ? explainForeignError(error) : null;
}
