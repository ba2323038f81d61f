/** Documents in requests of at most 50 and at most 16 MiB, read when their turn comes. */
import { limits } from "#core/limits.ts";
import type { ImportDocument } from "#core/sops/import-schema.ts";
import { readSource } from "../read-source.ts";
import type { Candidate } from "./examine.ts";
import { refusedRow } from "./examine.ts";
import type { PlanRow } from "./plan.ts";

export interface Batch {
  documents: ImportDocument[];
  /** Files that could be read a moment ago and can't any more. */
  refused: PlanRow[];
}

/** Room for everything in the request that is not a document. */
const frame = 4 * 1024;

export function chunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

export async function* batches(candidates: readonly Candidate[]): AsyncGenerator<Batch> {
  let batch: Batch = { documents: [], refused: [] };
  let bytes = frame;
  for (const candidate of candidates) {
    const source = await readSource(candidate);
    if ("code" in source) {
      batch.refused.push(refusedRow(source, candidate.path));
      continue;
    }
    const document = { path: candidate.path, sha256: source.sha256, text: source.text };
    const size = Buffer.byteLength(JSON.stringify(document)) + 1;
    if (batch.documents.length === limits.importDocuments || bytes + size > limits.importRequest) {
      yield batch;
      batch = { documents: [], refused: [] };
      bytes = frame;
    }
    batch.documents.push(document);
    bytes += size;
  }
  if (batch.documents.length + batch.refused.length > 0) yield batch;
}
