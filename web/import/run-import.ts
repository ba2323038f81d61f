/**
 * The import in a browser: the server converts files of other tools, plans the import, then creates drafts. It is the
 * same as in `sop import`.
 */
import { ApiError } from "#core/api/client.ts";
import { placementOf, type Placement } from "#core/import/folders.ts";
import { linkedDocumentOf, sopAddress } from "#core/import/link-to.ts";
import { mergedNotes, noteTexts, type ReportLine } from "#core/import/markdown/report.ts";
import { limits } from "#core/limits.ts";
import { utf8Length } from "#core/markdown/limits.ts";
import type {
  ConvertedFile,
  ConvertQuery,
  ImportAnswer,
  ImportRequest,
  ImportResult,
} from "#core/sops/import-schema.ts";
import { browserSend, errorMessageOf, type AppClient } from "../api.ts";
import type { ImportSource } from "./sources.ts";
import { texts, megabytesText } from "./texts.ts";

export type ImportRow = Pick<ImportResult, "path" | "outcome" | "number" | "title" | "reason" | "id" | "resembling"> & {
  /** Notes on what the conversion changed, kept or lost. */
  notes: string[];
  /** The category and tags that the document gets from its folders. */
  placement?: Placement;
};
type ImportedDocument = ConvertedFile["documents"][number] & {
  /** Outer folders of the file that become no category or tag. */
  starts: readonly string[];
};

export type FolderUse = "nothing" | "categories" | "tags";

/** Converted files before the server has planned them. */
export interface ConvertedImport {
  /** The id by which the server connects the requests of one import; empty if nothing was converted. */
  importId: string;
  split: ConvertQuery["split"];
  documents: ImportedDocument[];
  /** Files that become no document. */
  leftOut: ImportRow[];
  /** Files whose images are stored when the plan is carried out. */
  withImages: File[];
  /** The size in bytes of all images and PDFs, by hash. */
  images: Map<string, number>;
}

interface FolderSettings {
  foldersAs: FolderUse;
  /** True to create categories that don't exist. */
  createCategories: boolean;
}

export interface ImportPlan extends ConvertedImport, FolderSettings {
  /** The ids of the planned SOPs by the paths of their documents. */
  ids: Map<string, string>;
  /** A row for each document, and for each file that becomes none. */
  rows: ImportRow[];
  room: ImportRoom;
}

type ImportQuota = ImportAnswer["quota"];

/** The company's remaining room: the number of SOPs, and bytes of images and PDFs. */
interface ImportRoom {
  free: number;
  bytes: NonNullable<ImportQuota["bytes"]>;
}

export type OnConflict = NonNullable<ImportRequest["onConflict"]>;
export type ShowProgress = (text: string) => void;

const maxDocumentsPerRequest = 20;
/** Bytes of a request that are reserved for everything except documents. */
const reservedBytes = 4 * 1024;

/** Converts files without storing anything. */
export async function convertSources(
  sources: readonly ImportSource[],
  split: ConvertedImport["split"],
  showProgress: ShowProgress,
): Promise<ConvertedImport> {
  const read: ConvertedImport = { importId: "", split, documents: [], leftOut: [], withImages: [], images: new Map() };
  const taken = new Set<string>();
  for (const { file, isFolder } of sources) {
    showProgress(texts.reading({ name: file.name }));
    try {
      const {
        importId,
        folder,
        documents,
        files: images,
        leftOut,
      } = await convertOnServer(file, { store: false, split });
      const starts = folder === undefined || isFolder ? [] : [folder];
      read.importId ||= importId;
      if (documents.some(({ images }) => images > 0)) read.withImages.push(file);
      for (const { sha256, size } of images) read.images.set(sha256, size);
      read.leftOut.push(
        ...leftOut.map(({ reason, hint, ...row }) => ({
          ...row,
          notes: [],
          reason: hint ? `${reason}; ${hint}` : reason,
        })),
      );
      for (const document of documents) {
        if (taken.has(document.path))
          read.leftOut.push({ path: document.path, outcome: "refused", reason: texts.twice, notes: [] });
        else read.documents.push({ ...document, starts });
        taken.add(document.path);
      }
    } catch (error) {
      const reason = errorMessageOf(error, texts.unreachable);
      read.leftOut.push({ path: file.name, outcome: "refused", reason, notes: [] });
    }
  }
  return read;
}

/** Asks the server what the import would do to each document, and reads the company's quota. Stores nothing. */
export async function planImport(
  client: AppClient,
  read: ConvertedImport,
  folders: FolderSettings,
  showProgress: ShowProgress,
): Promise<ImportPlan> {
  const plan: ImportPlan = {
    ...read,
    ...folders,
    ids: new Map(),
    rows: [...read.leftOut],
    room: { free: Infinity, bytes: { used: 0, needed: 0, limit: Infinity } },
  };
  // Links need the ids of their targets, which only the first plan returns.
  const first = await sendPlannedDocuments(client, plan, { dryRun: true }, showProgress);
  plan.rows.push(
    ...(hasLinks(plan) ? await sendPlannedDocuments(client, plan, { dryRun: true }, showProgress) : first),
  );
  await loadImageQuota(client, plan);
  return plan;
}

/** Says whether the files' folders could become categories or tags. */
export function hasUsableFolders({ documents }: ConvertedImport): boolean {
  return documents.some((document) => placementFor(document, "tags").tags?.length);
}

/**
 * Returns the category and tags from a document's folders. With `categories`, deeper folders become tags, so that no
 * folder is lost.
 */
function placementFor({ path, starts }: ImportedDocument, foldersAs: FolderUse): Placement {
  return placementOf(path, starts, { categories: foldersAs === "categories", tags: foldersAs !== "nothing" });
}

function hasLinks({ documents }: ImportPlan): boolean {
  return documents.some(({ links }) => links.length > 0);
}

/**
 * Adds to the plan how many bytes the images need and how many are free, because files that fit one by one may not fit
 * together.
 */
async function loadImageQuota(client: AppClient, plan: ImportPlan): Promise<void> {
  const [first] = plan.documents;
  const images = [...plan.images].map(([sha256, size]) => ({ sha256, size }));
  for (let at = 0; first && at < images.length; at += limits.importFiles) {
    const { path, sha256 } = first;
    const { quota } = await client.sops.import({
      body: {
        importId: plan.importId,
        dryRun: true,
        documents: [{ path, sha256 }],
        files: images.slice(at, at + limits.importFiles),
      },
    });
    if (quota.bytes) plan.room.bytes = { ...quota.bytes, needed: plan.room.bytes.needed + quota.bytes.needed };
  }
}

/**
 * Says whether the import will store a document. It never replaces an SOP that the document only resembles by its text.
 */
export function isToBeImported(
  { outcome, resembling }: Pick<ImportRow, "outcome" | "resembling">,
  onConflict: OnConflict,
): boolean {
  if (outcome !== "conflict") return outcome === "create" || outcome === "update";
  return onConflict === "copy" || (onConflict === "theirs" && resembling !== "text");
}

/** Returns why the company's quotas don't allow the plan; null if they do. */
export function limitProblemOf({ rows, room: { free, bytes } }: ImportPlan, onConflict: OnConflict): string | null {
  const isNew = ({ outcome }: ImportRow) => outcome === "create" || (onConflict === "copy" && outcome === "conflict");
  const needed = rows.filter(isNew).length;
  if (needed > free) return texts.tooMany({ needed, free });
  return bytes.needed > bytes.limit - bytes.used
    ? texts.tooLarge({
        needed: megabytesText(bytes.needed, Math.ceil),
        free: megabytesText(Math.max(0, bytes.limit - bytes.used), Math.floor),
      })
    : null;
}

/**
 * Carries out the plan: stores images, then creates or changes SOPs.
 * @returns the outcome of every document in the plan
 */
export async function applyImport(
  client: AppClient,
  plan: ImportPlan,
  onConflict: OnConflict,
  showProgress: ShowProgress,
): Promise<ImportRow[]> {
  for (const file of plan.withImages) {
    showProgress(texts.storing({ name: file.name }));
    await convertOnServer(file, { store: true, split: plan.split });
  }
  // Documents that link each other can be in several requests, so their numbers are reserved first.
  if (hasLinks(plan))
    await sendPlannedDocuments(client, plan, { dryRun: false, reserveNumbers: true, onConflict }, showProgress);
  const done = await sendPlannedDocuments(client, plan, { dryRun: false, onConflict }, showProgress);
  const paths = new Set(done.map(({ path }) => path));
  return [...plan.rows.filter(({ path }) => !paths.has(path)), ...done];
}

/**
 * Sends all documents of the plan in several requests. Stores the ids that the server returns, and the remaining number
 * of SOPs, in the plan.
 * @returns a row for each document
 */
async function sendPlannedDocuments(
  client: AppClient,
  plan: ImportPlan,
  options: Pick<ImportRequest, "dryRun"> & { reserveNumbers?: boolean; onConflict?: OnConflict },
  showProgress: ShowProgress,
): Promise<ImportRow[]> {
  const rows: ImportRow[] = [];
  const addressOf = (path: string) => {
    const id = plan.ids.get(path);
    return id === undefined ? undefined : sopAddress(id);
  };
  for (let at = 0; at < plan.documents.length;) {
    const waiting = new Map<string, ReportLine[]>();
    const sent = documentsForNextRequest(plan.documents, at, (document) => {
      const { text, sha256, notes } = linkedDocumentOf(document, addressOf);
      waiting.set(document.path, notes);
      return { path: document.path, sha256, text, ...placementFor(document, plan.foldersAs) };
    });
    const documents = plan.documents.slice(at, (at += sent.length));
    showProgress(
      (options.dryRun || options.reserveNumbers ? texts.planning : texts.importing)({ at, all: plan.documents.length }),
    );
    const { results, quota } = await client.sops.import({
      body: {
        importId: plan.importId,
        ...options,
        ...(plan.foldersAs === "categories" && { createCategories: plan.createCategories }),
        documents: sent,
      },
    });
    plan.room.free = quota.free;
    for (const [index, { notes, ...result }] of results.entries()) {
      if (result.id !== undefined && result.outcome !== "refused") plan.ids.set(result.path, result.id);
      const document = documents[index];
      rows.push({
        ...result,
        ...(document && result.outcome === "create" && { placement: placementToShow(plan, document) }),
        notes: noteTexts(mergedNotes([...(document?.notes ?? []), ...(waiting.get(result.path) ?? [])], notes)),
      });
    }
  }
  return rows;
}

/**
 * Returns the category and tags to show in the plan. No category is shown to users who can't create one, because only
 * the server knows which exist.
 */
function placementToShow({ foldersAs, createCategories }: FolderSettings, document: ImportedDocument): Placement {
  const { folders, tags } = placementFor(document, foldersAs);
  return { ...(createCategories && folders && { folders }), ...(tags && { tags }) };
}

/** Returns the next documents in the form to send, as many as fit in one request and at least one. */
function documentsForNextRequest<T, Sent>(all: readonly T[], from: number, toSend: (document: T) => Sent): Sent[] {
  const sent: Sent[] = [];
  let bytes = reservedBytes;
  for (const document of all.slice(from, from + maxDocumentsPerRequest)) {
    const next = toSend(document);
    bytes += utf8Length(JSON.stringify(next)) + 1;
    if (sent.length > 0 && bytes > limits.importRequest) break;
    sent.push(next);
  }
  return sent;
}

/** Converts a file on the server. The request has raw bytes, so it can't use the typed client, which sends JSON. */
async function convertOnServer(
  file: File,
  { store, split }: { store: boolean; split: ConvertedImport["split"] },
): Promise<ConvertedFile> {
  const answer = await browserSend({
    method: "POST",
    url: `/api/sops/import/convert?name=${encodeURIComponent(file.name)}&store=${store}&split=${split}`,
    headers: { accept: "application/json", "content-type": "application/octet-stream" },
    body: file as unknown as Uint8Array,
  });
  const text = await answer.text();
  if (answer.status > 299) throw new ApiError(answer.status, text, answer.statusText);
  return JSON.parse(text) as ConvertedFile;
}
