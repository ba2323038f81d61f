/** Opens the configured store of images and PDFs, after a check that this installation's bytes are in it. */
import type { Logger } from "pino";
import type { Clock } from "#core/clock.ts";
import type { Config } from "../config.ts";
import { DataFolderError } from "../data-files.ts";
import { readInstallationId } from "../data-folder/installation.ts";
import type { Collections } from "../database/documents.ts";
import { DamagedDocumentError, type Store } from "../database/port.ts";
import { createDatabaseBlobs } from "./in-database.ts";
import type { Blobs, StoreKind } from "./port.ts";

type AssetStoreSetting = Pick<Config, "assetStore">;

const id = "asset-store";
const configuredStoreKind = ({ assetStore }: AssetStoreSetting): StoreKind => (assetStore === null ? "database" : "s3");

/** Opens the store and writes nothing. @throws DataFolderError when the bytes are in another store */
export async function openBlobs(
  { assetStore, dataDir }: AssetStoreSetting & Pick<Config, "dataDir">,
  store: Store<Collections>,
  log?: Pick<Logger, "error" | "info">,
): Promise<Blobs> {
  const known = await findStoreKind(store);
  const kind = configuredStoreKind({ assetStore });
  if (known !== null && known !== kind) {
    const [found, way] =
      known === "s3" ? ["an S3 store", "Set ASSET_STORE"] : ["the database", "Leave ASSET_STORE out"];
    throw new DataFolderError(
      `the images and PDFs of this installation are in ${found}. ${way}, or move them by backup and restore (docs/backup.md)`,
    );
  }
  // the database store works without the installation's id, so `sop admin verify` can read its bytes even if that id is
  // damaged
  if (kind === "database") return createDatabaseBlobs(store);
  const installation = await loadInstallationId(store, dataDir);
  if (installation === undefined)
    throw new DataFolderError("the database has no id of its installation yet: start the server on it first");
  return openNewBlobs({ assetStore }, store, installation, log);
}

/**
 * Returns the id of the installation. If its document is damaged, reads the id from the data folder, so that a backup
 * still finds the bytes.
 */
async function loadInstallationId(store: Store<Collections>, dataDir: string): Promise<string | undefined> {
  try {
    return (await store.collection("system").findOne({ _id: "installation" }))?.value;
  } catch (error) {
    const known = error instanceof DamagedDocumentError ? readInstallationId(dataDir) : null;
    if (known === null) throw error;
    return known;
  }
}

/** Opens the store of a new installation, without a check. Loads the S3 client only if S3 is configured. */
export async function openNewBlobs(
  { assetStore }: AssetStoreSetting,
  store: Store<Collections>,
  installation: string,
  log?: Pick<Logger, "error" | "info">,
): Promise<Blobs> {
  if (assetStore === null) return createDatabaseBlobs(store);
  const { createS3Blobs } = await import("./in-s3.ts");
  return createS3Blobs(assetStore, installation, (reason) =>
    reason === null ? log?.info("the store of images and PDFs answers again") : log?.error(reason),
  );
}

/**
 * Finds the kind of store that has the bytes of this installation.
 * @returns null if no bytes are stored yet, or if the entry about them can't be read
 */
async function findStoreKind(store: Store<Collections>): Promise<StoreKind | null> {
  const first = { sort: { _id: 1 }, limit: 1, projection: { companyId: 1 } } as const;
  if ((await store.collection("assets").find({ _id: { $gt: "" } }, first)).length === 0) return null;
  try {
    return (await store.collection("system").findOne({ _id: id }))?.value === "s3" ? "s3" : "database";
  } catch (error) {
    if (!(error instanceof DamagedDocumentError)) throw error;
    // without a readable entry, the configured store is used
    return null;
  }
}

/** Records which store has the bytes. Call before the first bytes are stored. No entry means the database. */
export async function recordStoreKind(
  store: Store<Collections>,
  settings: AssetStoreSetting,
  clock: Clock,
): Promise<void> {
  const system = store.collection("system");
  const value = configuredStoreKind(settings);
  if (((await system.findOne({ _id: id }))?.value ?? "database") === value) return;
  await system.updateOne({ _id: id }, { $set: { value, at: clock.now() } }, { upsert: true });
}
