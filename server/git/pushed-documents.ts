/**
 * Prepares the files of a push for the import: stores images that they use, and turns links to other documents into
 * links to SOPs.
 */
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { documentKindOf } from "#core/import/files.ts";
import { replaceDocumentLinks, sopAddress } from "#core/import/link-to.ts";
import { imageFilePattern } from "#core/import/image-name.ts";
import { limits } from "#core/limits.ts";
import type { ImportDocument, ImportResult } from "#core/sops/import-schema.ts";
import type { Identity, Origin } from "../http/call.ts";
import type { Services } from "../http/services.ts";
import { convertFolder } from "../sops/import/convert-file.ts";
import { PushRefused, type PushedFile, type Quarantine } from "./quarantine.ts";
import { sha256 } from "../hashing.ts";

/**
 * The maximum number of bytes of files in one batch: as many as an import request may have, less room for file names.
 */
const batchBytes = 12 * 1024 * 1024;

export interface UnpackedFile {
  path: string;
  size: number;
  /**
   * The path of the file on disk. The name on disk is a number, so that the path in the push can't lead out of the
   * folder.
   */
  file: string;
}

/**
 * Says whether the path is in a folder for documents. Files directly in `templates/` aren't documents: `sop new` copies
 * them.
 */
export function isDocumentPath(name: string): boolean {
  return /^(?:sops\/|archive\/|templates\/[^/]+\/)/.test(name) && documentKindOf(name) === "markdown";
}

export function isImagePath(name: string): boolean {
  return imageFilePattern.test(name);
}

/** Writes documents and images of a push to a folder. @throws PushRefused beyond `limits.pushUnpacked` */
export async function unpackFiles(
  quarantine: Quarantine,
  folder: string,
  files: readonly PushedFile[],
): Promise<UnpackedFile[]> {
  const wanted = files.filter(({ oid, path: name }) => oid !== null && (isDocumentPath(name) || isImagePath(name)));
  const bytes = wanted.reduce((sum, { size }) => sum + size, 0);
  if (bytes > limits.pushUnpacked) {
    const message = `The files of the push have ${roundUpToMebibytes(bytes)}. At most ${roundUpToMebibytes(limits.pushUnpacked)} are taken at once`;
    throw new PushRefused(message, { hint: "git push in smaller parts, or sop import" });
  }
  const unpacked: UnpackedFile[] = [];
  for (const batch of batchesForImport(wanted)) {
    const contents = await quarantine.read(
      batch.flatMap(({ oid }) => oid ?? []),
      limits.asset,
    );
    const batched = contents.map((content, index) => ({
      path: batch[index]?.path ?? "",
      size: content.length,
      file: path.join(folder, String(unpacked.length + index)),
      content,
    }));
    await Promise.all(batched.map(({ file, content }) => writeFile(file, content, { mode: 0o600 })));
    unpacked.push(...batched.map(({ content: _content, ...file }) => file));
  }
  return unpacked;
}

function roundUpToMebibytes(bytes: number): string {
  return `${Math.ceil(bytes / 1024 / 1024)} MiB`;
}

/** Splits the files into batches that fit into an import request. */
export function* batchesForImport<File extends { size: number }>(files: readonly File[]): Generator<File[]> {
  let batch: File[] = [];
  let bytes = 0;
  for (const file of files) {
    if (batch.length === limits.importDocuments || (bytes + file.size > batchBytes && batch.length > 0)) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(file);
    bytes += file.size;
  }
  if (batch.length > 0) yield batch;
}

export interface PreparedPush {
  documents: ImportDocument[];
  /** Documents that can't be read. */
  refused: ImportResult[];
  /** The notes about each document, by path. */
  notes: Map<string, ImportResult["notes"]>;
}

export interface PreparePushOptions {
  services: Services;
  origin: Origin;
  identity: Identity;
  /** A folder for the images. */
  folder: string;
  all: readonly UnpackedFile[];
  /** Paths of all documents that links can lead to. */
  names: readonly string[];
  batch: readonly UnpackedFile[];
  /** The SOPs that documents are or become, by path. */
  idsOf: (paths: readonly string[]) => Promise<ReadonlyMap<string, string>>;
}

export async function prepareDocuments({
  services,
  idsOf,
  all,
  names,
  batch,
  folder,
  ...by
}: PreparePushOptions): Promise<PreparedPush> {
  const small = batch.filter(({ size }) => size <= limits.document);
  const converted = await convertFolder(services, by, {
    files: all,
    documents: names,
    chosen: small.map(({ path: name }) => name),
    folder,
  });
  const large = batch.filter((file) => !small.includes(file));
  const refused = [
    ...large.map(({ path: name }) => refusedResult(name, `it is larger than ${roundUpToMebibytes(limits.document)}`)),
    ...converted.leftOut.map(({ path: name, reason }) => refusedResult(name, reason)),
  ];
  const linked = new Set(converted.documents.flatMap(({ links }) => links.map((link) => link.path)));
  const ids = linked.size === 0 ? new Map<string, string>() : await idsOf([...linked]);
  const addressOfName = (name: string) => {
    const id = ids.get(name);
    return id === undefined ? undefined : sopAddress(id);
  };
  return {
    documents: converted.documents.map(({ path: name, sha256, text, links }) => ({
      path: name,
      sha256,
      text: replaceDocumentLinks(text, links, addressOfName),
    })),
    refused,
    notes: new Map(converted.documents.map(({ path: name, notes }) => [name, notes])),
  };
}

export function refusedResult(name: string, reason: string): ImportResult {
  return { path: name, outcome: "refused", reason, notes: [] };
}

/** Reads a document as it was pushed, for a preview of its import. */
export async function readPushedDocument({ path: name, file }: UnpackedFile): Promise<ImportDocument> {
  const bytes = await readFile(file);
  return { path: name, sha256: sha256(bytes), text: bytes.toString("utf8") };
}
