// Runs in a worker thread. Unpacks and converts an untrusted uploaded file.
import { noteInFile } from "#core/import/markdown/report.ts";
import { closeSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { parentPort } from "node:worker_threads";
import { AppError } from "#core/errors.ts";
import { readArchive, createSourceTree } from "#core/import/archive.ts";
import { assertDocumentSize, createConverter, type Converter, type PreparedDocument } from "#core/import/converter.ts";
import { extensionOf, documentKindOf, type SourceFile } from "#core/import/files.ts";
import { sortIntoDocuments, type SourceDocument } from "#core/import/layouts.ts";
import { commonFolderOf } from "#core/import/folders.ts";
import { notSplitNote, withLinksToParts, splitDocument, type SplitResult } from "#core/import/split/split.ts";
import { assertHeaderReadable } from "#core/import/markdown/markdown-file.ts";
import { limits } from "#core/limits.ts";
import type { ConvertedFile } from "#core/sops/import-schema.ts";
import { yieldToRequests } from "../../capacity/yield-to-requests.ts";
import type { RenderReply } from "../../render/tasks.ts";
import { sha256 } from "../../hashing.ts";
import { refusals } from "./refusals.ts";

yieldToRequests("request");

export interface ConvertAsk {
  file: string;
  /** The name that the sender gave the file. */
  name: string;
  /** The folder for images that the server will store; null: images are only counted. */
  folder: string | null;
  /** True to split the file at its headings into several documents. */
  split: boolean;
}

/** Files of a folder, some of which are Markdown documents to convert. */
export interface ConvertFolderAsk {
  files: readonly { path: string; file: string; size: number }[];
  /** Paths of all documents, including those outside the folder, because links can lead to them. */
  documents: readonly string[];
  /** Paths of the documents to convert. */
  chosen: readonly string[];
  /** The folder of images, as in `ConvertAsk`. */
  folder: string;
}

export interface ConvertReply extends Omit<ConvertedFile, "importId" | "files"> {
  /** The images in the documents, with their names in the folder. */
  stored: { name: string; sha256: string; size: number }[];
}

/**
 * The maximum size of the texts in bytes. Browsers get the texts and send them back, so larger imports need the CLI.
 */
const textAtMost = 24 * 1024 * 1024;
const documentsAtMost = 2_000;
/** The import's limit on the length of a path. */
const pathAtMost = 500;

async function convertUpload({ file, name, folder, split }: ConvertAsk): Promise<ConvertReply> {
  const handle = openSync(file, "r");
  try {
    const { size } = fstatSync(handle);
    const read = (offset: number, length: number) => {
      const bytes = Buffer.alloc(Math.max(0, Math.min(length, size - offset)));
      return bytes.subarray(0, readSync(handle, bytes, 0, bytes.length, offset));
    };
    return await convertFiles(await importSourceFiles(name, { size, read }), { folder, split });
  } finally {
    closeSync(handle);
  }
}

async function importSourceFiles(
  name: string,
  source: { size: number; read(offset: number, length: number): Uint8Array },
): Promise<SourceFile[]> {
  if (extensionOf(name) === "zip") return readArchive(source);
  if (documentKindOf(name) === undefined) {
    throw new AppError("unsupported_type", refusals.unknownKind());
  }
  if (source.size === 0) throw new AppError("invalid_input", refusals.emptyFile());
  if (source.size > limits.importSource) {
    throw new AppError("too_large", refusals.largeFile({ mebibytes: limits.importSource / 1024 / 1024 }));
  }
  return [{ path: name, size: source.size, read: () => source.read(0, source.size) }];
}

async function convertFiles(
  files: readonly SourceFile[],
  { folder, split }: Pick<ConvertAsk, "folder" | "split">,
): Promise<ConvertReply> {
  const { documents, leftOut } = sortIntoDocuments(files);
  if (documents.length > documentsAtMost) throw manyForTerminal(documents.length);
  const converter = createConverter({ documents, tree: createSourceTree(files), sha256, split });
  const reply = await convertDocuments(converter, documents, { folder, split });
  const [outer] = commonFolderOf(files.map(({ path: of }) => of));
  return {
    ...reply,
    ...(outer !== undefined && { folder: outer }),
    leftOut: [...leftOut.map(({ code: _code, ...row }) => row), ...reply.leftOut],
  };
}

async function convertFolder({ files, documents, chosen, folder }: ConvertFolderAsk): Promise<ConvertReply> {
  const sources = files.map(({ path: of, file, size }) => ({ path: of, size, read: () => readFileSync(file) }));
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const documentAt = (of: string): SourceDocument => {
    const elsewhere = { path: of, size: 0, read: () => Buffer.alloc(0) };
    return { path: of, kind: "markdown", file: byPath.get(of) ?? elsewhere };
  };
  const tree = createSourceTree(sources);
  // a push lacks images that the repository already has, and the import finds those in the store
  const isStored = (of: string) => /(?:^|\/)assets\/[0-9a-f]{2}\/[0-9a-f]{64}\.[a-z0-9]+$/.test(of);
  const converter = createConverter({ documents: documents.map(documentAt), tree, sha256, isStored });
  return await convertDocuments(converter, chosen.map(documentAt), { folder, split: false, isPush: true });
}

async function convertDocuments(
  converter: Converter,
  documents: readonly SourceDocument[],
  { folder, split, isPush = false }: Pick<ConvertAsk, "folder" | "split"> & { isPush?: boolean },
): Promise<ConvertReply> {
  const reply: ConvertReply = { documents: [], leftOut: [], stored: [] };
  const readable = [];
  for (const document of documents) {
    if (await refuseOnError(reply, document.path, () => converter.examine(document))) readable.push(document);
  }
  const stored = new Map<string, ConvertReply["stored"][number]>();
  let characters = 0;
  const cut = new Map<string, SplitResult>();
  const all: PreparedDocument[] = [];
  for (const document of readable) {
    const prepared = await refuseOnError(reply, document.path, async () => {
      const made = await converter.convert(document);
      if (isPush) assertHeaderReadable(made.text);
      return made;
    });
    if (prepared === undefined) continue;
    characters += prepared.text.length;
    if (characters > textAtMost) throw new AppError("too_large", refusals.muchTextOnTerminal());
    const made = split
      ? await refuseOnError(reply, document.path, async () => splitDocument(prepared, sha256) ?? null)
      : null;
    if (made === undefined) continue;
    if (made !== null) cut.set(document.path, made);
    else if (split) prepared.notes.push(notSplitNote(document.path));
    all.push(...(made?.parts ?? [prepared]));
    if (all.length > documentsAtMost) throw manyForTerminal(all.length);
  }
  for (const whole of all) {
    const prepared = await refuseOnError(reply, whole.path, async () => {
      const retargeted = withLinksToParts(whole, cut);
      assertDocumentSize(retargeted.text);
      if (whole.path.length > pathAtMost) {
        throw new AppError("invalid_input", refusals.longPath({ pathAtMost }));
      }
      return retargeted;
    });
    if (prepared === undefined) continue;
    for (const image of prepared.files) {
      const name = `${image.sha256}.${image.ext}`;
      if (folder !== null && !stored.has(name)) await writeFile(path.join(folder, name), await image.read());
      stored.set(name, { name, sha256: image.sha256, size: image.size });
    }
    const notes = prepared.notes.map(noteInFile);
    const { path: of, sha256: sum, text, links } = prepared;
    reply.documents.push({ path: of, sha256: sum, text, links, images: prepared.files.length, notes });
  }
  return { ...reply, stored: [...stored.values()] };
}

/** Converts a document so that its failure never stops the others. */
async function refuseOnError<T>(reply: ConvertReply, of: string, act: () => Promise<T>): Promise<T | undefined> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    reply.leftOut.push({ path: of, outcome: "refused", reason: error.message });
    return undefined;
  }
}

function manyForTerminal(count: number): AppError {
  return new AppError("too_large", refusals.manyOnTerminal({ count }));
}

function threadCpuMicroseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

async function runConversion(ask: ConvertAsk | ConvertFolderAsk): Promise<RenderReply> {
  try {
    return {
      kind: "done",
      output: "files" in ask ? await convertFolder(ask) : await convertUpload(ask),
      cpu: threadCpuMicroseconds(),
    };
  } catch (error) {
    if (error instanceof AppError) return { kind: "refused", error: error.toBody(), cpu: threadCpuMicroseconds() };
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { kind: "broken", message, cpu: threadCpuMicroseconds() };
  }
}

parentPort?.on(
  "message",
  (ask: ConvertAsk | ConvertFolderAsk) => void runConversion(ask).then((reply) => parentPort?.postMessage(reply)),
);
parentPort?.postMessage({ kind: "ready", cpu: threadCpuMicroseconds() } satisfies RenderReply);
