/**
 * Splits an import into requests of at most 50 documents and 16 MiB. Each document is read shortly before its request.
 */
import { limits } from "#core/limits.ts";
import type { StoredFile } from "#core/import/stored-files.ts";
import type { ReportLine } from "#core/import/markdown/report.ts";
import { linkedDocumentOf, sopAddress } from "#core/import/link-to.ts";
import type { ImportDocument } from "#core/sops/import-schema.ts";
import type { ImportCandidate } from "./examine.ts";
import { refusedRow, type PlanRow } from "./plan.ts";

export interface ImportBatch {
  documents: ImportDocument[];
  /** The images and PDFs that the documents show or link. */
  files: StoredFile[];
  /** Notes about the conversion of each document, by path, and the number of lines before it in its file. */
  notes: Map<string, { lines: ReportLine[]; lineShift: number }>;
  /** Files that were readable before and no longer are. */
  refused: PlanRow[];
}

/** Bytes reserved for the parts of a request other than documents. */
const reservedBytes = 4 * 1024;

export function splitIntoChunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

/** @param idOf the id of the SOP that a document, by its path, is or becomes */
export async function* loadImportBatches(
  candidates: readonly ImportCandidate[],
  idOf: (path: string) => string | undefined,
): AsyncGenerator<ImportBatch> {
  let batch = emptyBatch();
  let bytes = reservedBytes;
  const addressOf = (path: string) => {
    const id = idOf(path);
    return id === undefined ? undefined : sopAddress(id);
  };
  for (const candidate of candidates) {
    const prepared = await candidate.load();
    if ("code" in prepared) {
      batch.refused.push(refusedRow(prepared, candidate.path));
      continue;
    }
    const { path, files } = prepared;
    const { text, sha256, notes: waiting } = linkedDocumentOf(prepared, addressOf);
    const notes = [...prepared.notes, ...waiting];
    const document = { path, sha256, text, ...candidate.placement };
    const size = Buffer.byteLength(JSON.stringify(document)) + 1;
    if (batch.documents.length === limits.importDocuments || bytes + size > limits.importRequest) {
      yield batch;
      batch = emptyBatch();
      bytes = reservedBytes;
    }
    batch.documents.push(document);
    batch.files.push(...files);
    const { lineShift = 0 } = candidate;
    if (notes.length > 0 || lineShift !== 0) batch.notes.set(path, { lines: notes, lineShift });
    bytes += size;
  }
  if (batch.documents.length + batch.refused.length > 0) yield batch;
}

/** Reads and converts the next batch while the server works on the current one. */
export async function* readAhead<T>(source: AsyncGenerator<T>): AsyncGenerator<T> {
  for (let next = source.next(); ;) {
    const { value, done } = await next;
    if (done === true) return;
    next = source.next();
    // The loop reports this error when it awaits the batch.
    next.catch(() => {});
    yield value;
  }
}

function emptyBatch(): ImportBatch {
  return { documents: [], files: [], notes: new Map(), refused: [] };
}
