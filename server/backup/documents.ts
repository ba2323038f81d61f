/** Reads all documents of a store that a backup includes, in the order of collections and ids. */
import type { Blobs, BlobKey } from "../blobs/port.ts";
import { declarations, type AssetDocument, type Collections, type SopVersionDocument } from "../database/documents.ts";
import type { BaseDocument, Collection, Store } from "../database/port.ts";
import { fileFault, versionProblem } from "../integrity/stored.ts";
import {
  documentText,
  isInBackups,
  savedCollections,
  BackupSummer,
  documentToJson,
  type CollectionName,
  type BackupSummary,
} from "./format.ts";

export interface SavedDocument {
  name: CollectionName;
  document: ReturnType<typeof documentToJson>;
  text: string;
}

/** The maximum number of documents in one read. Documents with files have up to 5 MiB, so `filesAtOnce` is smaller. */
const atOnce = 500;
const filesAtOnce = 10;

/** Yields the documents of all collections in batches. */
export async function* readDocumentsToSave(
  store: Store<Collections>,
  blobs: Pick<Blobs, "get">,
  /** Called for each file whose bytes are missing, and for each file and text that differs from its hash. */
  onFault?: (fault: string) => void,
): AsyncGenerator<SavedDocument[]> {
  for (const name of savedCollections) {
    const { binary } = declarations[name];
    const collection = store.collection(name) as unknown as Collection<BaseDocument>;
    const limit = binary === undefined ? atOnce : filesAtOnce;
    for (let after = ""; ;) {
      const found = await collection.find({ _id: { $gt: after } }, { sort: { _id: 1 }, limit });
      const last = found.at(-1);
      if (!last) break;
      const whole = binary === undefined ? found : await addBytesToDocuments(blobs, found, binary);
      for (const one of onFault === undefined ? [] : whole) {
        const fault = backupDocumentFault(name, one);
        if (fault !== null) onFault?.(fault);
      }
      yield whole
        .filter((one) => isInBackups(name, one))
        .map((one) => {
          const document = documentToJson(one, binary);
          return { name, document, text: documentText(document) };
        });
      after = last._id;
    }
  }
}

/** Adds the bytes of files to their documents, so that a backup is the same whether the database or S3 stores them. */
async function addBytesToDocuments(
  blobs: Pick<Blobs, "get">,
  found: readonly BaseDocument[],
  binary: string,
): Promise<BaseDocument[]> {
  const stored = await blobs.get(found as BlobKey[]);
  return found.map((one, at) => (stored[at] ? { ...one, [binary]: stored[at] } : one));
}

function backupDocumentFault(name: CollectionName, one: BaseDocument): string | null {
  if (name === "assets") return fileFault(one as AssetDocument, (one as AssetDocument).bytes ?? null);
  return name === "sop_versions" ? versionProblem(one as SopVersionDocument) : null;
}

export async function summarizeDatabase(store: Store<Collections>, blobs: Pick<Blobs, "get">): Promise<BackupSummary> {
  const sum = new BackupSummer();
  for await (const some of readDocumentsToSave(store, blobs))
    for (const { name, document, text } of some) sum.add(name, document, text);
  return sum.result();
}
