/** Forward-only, numbered steps of the schema, recorded with a checksum. */
import { createHash } from "node:crypto";
import {
  type BaseDocument,
  type CollectionDeclaration,
  type Database,
  DatabaseUnavailableError,
  type Migration,
  StorageFullError,
  type Transaction,
  TransactionConflictError,
} from "./port.ts";

export const migrationsCollection = "migrations";
export const migrationsDeclaration: CollectionDeclaration = { tenant: false, indexes: [] };

interface MigrationRecord extends BaseDocument {
  number: number;
  name: string;
  checksum: string;
  at: string;
}

/** MongoDB ends a transaction after a minute. */
const longestStepMs = 60_000;

export class SchemaError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "SchemaError";
  }
}

export class MigrationError extends SchemaError {
  constructor({ number, name }: { number: number; name: string }, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(
      `migration ${number} (${name}) failed and changed nothing: ${reason}. Run the version before, and report this`,
    );
    this.cause = cause;
  }
}

/** The checksum of number and name: the text of `run` differs between the source and every build of it. */
function checksum({ number, name }: { number: number; name: string }): string {
  return createHash("sha256").update(`${number}\0${name}`).digest("hex");
}

type Recording = { [migrationsCollection]: MigrationRecord };

/** @throws SchemaError when the database is newer than this program, or was migrated by another history */
export async function checkMigrations<Collections>(
  database: Pick<Database<Collections>, "collection">,
  migrations: readonly Migration<Collections>[],
): Promise<void> {
  migrations.forEach(({ number }, index) => {
    if (number !== index + 1)
      throw new SchemaError(`migration ${index + 1} is missing: they are numbered without gaps`);
  });
  const records = (database as unknown as Database<Recording>).collection(migrationsCollection);
  for (const done of await records.find({}, { sort: { _id: 1 } })) {
    const known = migrations[done.number - 1];
    if (!known)
      throw new SchemaError(
        `the database has schema ${done.number} (${done.name}), this program knows up to ${migrations.length}: run the newer version`,
      );
    if (done.checksum !== checksum(known))
      throw new SchemaError(`migration ${done.number} ran as "${done.name}" and is "${known.name}" in this program`);
  }
}

export async function runMigrations<Collections>(
  database: Database<Collections>,
  migrations: readonly Migration<Collections>[],
): Promise<void> {
  await checkMigrations(database, migrations);
  for (const migration of migrations)
    await retryOnConflict(database, async (transaction) => {
      const records = (transaction as unknown as Database<Recording>).collection(migrationsCollection);
      const _id = String(migration.number).padStart(6, "0");
      if (await records.findOne({ _id })) return;
      // First the record: of two servers starting at once the second one waits or conflicts here
      await records.insertOne({
        _id,
        number: migration.number,
        name: migration.name,
        checksum: checksum(migration),
        at: new Date().toISOString(),
      });
      await migration.run(transaction);
    }).catch((error: unknown) => {
      throw isTemporary(error) ? error : new MigrationError(migration, error);
    });
}

/** A full disk, another server, a lost connection: nothing is wrong with the step. */
function isTemporary(error: unknown): boolean {
  const passing = [TransactionConflictError, DatabaseUnavailableError, StorageFullError];
  return passing.some((one) => error instanceof one);
}

/** Another server that starts now can run the same step, for longer than a transaction waits for another. */
async function retryOnConflict<Collections>(
  database: Database<Collections>,
  step: (transaction: Transaction<Collections>) => Promise<void>,
): Promise<void> {
  for (const patience = performance.now() + longestStepMs; ;) {
    try {
      await database.transaction(step);
      return;
    } catch (error) {
      if (!(error instanceof TransactionConflictError) || performance.now() > patience) throw error;
    }
  }
}
