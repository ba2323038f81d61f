/**
 * Defines the store of the bytes of images and PDFs: the database, or an S3-compatible store. Each document has its own
 * bytes. Bytes are written before their document and removed after it, so that no document lacks its bytes.
 */
import type { AssetDocument } from "../database/documents.ts";
import { DatabaseUnavailableError } from "../database/port.ts";

export type StoreKind = "database" | "s3";
export type BlobKey = Pick<AssetDocument, "_id" | "companyId">;

export interface Blobs {
  readonly kind: StoreKind;
  /**
   * Stores or replaces the bytes.
   * @returns fields that the document gets with them
   * @throws BlobsUnavailableError
   */
  put(key: BlobKey, bytes: Uint8Array): Promise<Pick<AssetDocument, "bytes">>;
  /**
   * Reads the bytes of several documents.
   * @returns the bytes of each key, in the order of `keys`; null for a key without bytes
   * @throws BlobsUnavailableError, DatabaseUnavailableError
   */
  get(keys: readonly BlobKey[]): Promise<(Uint8Array | null)[]>;
  /**
   * Removes the bytes. Call once no document refers to them. Missing bytes are no error.
   * @throws BlobsUnavailableError
   */
  remove(key: BlobKey): Promise<void>;
  /** Checks that the store answers. @throws BlobsUnavailableError */
  ping(): Promise<void>;
}

/** The store of images and PDFs doesn't answer, or refuses the request. The last write may have succeeded. */
export class BlobsUnavailableError extends DatabaseUnavailableError {
  constructor(reason: string, cause?: unknown) {
    super(cause);
    this.name = "BlobsUnavailableError";
    this.message = `the store of images and PDFs can't be used: ${reason}`;
  }
}

export async function readBlob(blobs: Pick<Blobs, "get">, key: BlobKey): Promise<Uint8Array | null> {
  const [bytes] = await blobs.get([key]);
  return bytes ?? null;
}
