/**
 * Finds the SOPs of files without `sop` and `id`: by their path, by the name of an exported file, or by their text.
 * Otherwise a file of an SOP from which these keys were removed would become a second SOP.
 */
import type { Actor } from "#core/permissions/actor.ts";
import { numbersInFileName } from "#core/markdown/sop-links.ts";
import { isSameDocument } from "#core/sops/likeness.ts";
import type { ImportNote } from "#core/sops/import-schema.ts";
import { firstItemsText } from "#core/language/formats.ts";
import type { SopDocument, SopSourceDocument } from "../../database/documents.ts";
import type { Services } from "../../http/services.ts";
import { findVisibleSops } from "../links/titles.ts";
import { createImportNote, noteTexts } from "./note-texts.ts";
import {
  fileNameForComparison,
  findNearTexts,
  readableSopsById,
  type DocumentWithoutIdentity,
  type NearSops,
} from "./near-texts.ts";
import type { LikelySop, ReadDocument } from "./read.ts";
import { loadExistingSops, findReadableSource } from "./stored-data.ts";

/** Says whether a file has no number and no id. A file with a chosen number says that it is a new SOP. */
function hasNoIdentity(document: ReadDocument): document is DocumentWithoutIdentity {
  const { sop, id, number } = document.content?.frontMatter ?? {};
  return document.content !== null && sop === undefined && id === undefined && number === undefined;
}

/**
 * Adds the likely SOPs of documents that have no number and no id. A document at the path of an earlier import gets a
 * likely SOP only if it has the text of another SOP.
 *
 * @param sources the result of `loadImportRecords` for the documents
 * @returns the documents, and SOPs that were loaded for them
 */
export async function withLikelySops(
  services: Pick<Services, "db">,
  actor: Actor,
  {
    importId,
    documents,
    sources,
  }: { importId: string; documents: readonly ReadDocument[]; sources: readonly SopSourceDocument[] },
): Promise<{ documents: readonly ReadDocument[]; loaded: readonly SopDocument[] }> {
  const lost = documents.filter(hasNoIdentity);
  if (lost.length === 0) return { documents, loaded: [] };
  const company = services.db.forCompany(actor.companyId);
  const loaded = await loadExistingSops(
    company,
    sources.map(({ sopId }) => sopId),
  );
  const { remembered, unchanged, byPath } = findSopsOfPaths(actor, lost, sources, readableSopsById(actor, loaded));
  const unknown = lost.filter((document) => !remembered.has(document));
  const byName = await findSopsOfFileNames(services, actor, unknown);
  const compared = lost.filter((document) => !unchanged.has(document));
  const near = await findNearTexts(company, actor, compared, { remembered, loaded, sources, importId });
  const ids = new Set(documents.map(({ content }) => content?.frontMatter.id));
  const isUnknown = new Set<ReadDocument>(unknown);
  const found = documents.map((document) => {
    const own = remembered.get(document);
    if (own !== undefined) return { ...document, ...differenceFromSopOfPath(own, near.get(document)) };
    if (!isUnknown.has(document)) return document;
    const known = byPath.get(document.path) ?? byName.get(document.path);
    // the SOP has another file in this import, so this document can be new
    const named = known !== undefined && !ids.has(known._id) ? known : undefined;
    return { ...document, ...likelySopOrNote(document, named, near.get(document)) };
  });
  return { documents: found, loaded };
}

/**
 * Compares a document with the SOP of its path. Returns nothing if it is still that SOP, and `isOther` if it resembles
 * no SOP.
 * @param own the SOP that an earlier import made from the path of the document
 */
function differenceFromSopOfPath(
  own: SopDocument,
  near: NearSops | undefined,
): Pick<ReadDocument, "likely"> | Pick<ReadDocument, "isOther"> {
  if (near === undefined) return {};
  const [first] = near.sops;
  return first === undefined ? { isOther: true } : { likely: likelyByText(near, first, own) };
}

/**
 * Returns the SOP that the document seems to be, or else a note on near SOPs.
 * @param named the SOP whose file had the path or name of the document
 */
function likelySopOrNote(
  document: ReadDocument,
  named: SopDocument | undefined,
  near: NearSops | undefined,
): Pick<ReadDocument, "likely"> | Pick<ReadDocument, "notes"> {
  const [first] = near?.sops ?? [];
  const isNear = near !== undefined && first !== undefined && isSameDocument(near.likeness);
  if (named !== undefined && (!isNear || near.sops.some(({ _id }) => _id === named._id)))
    return { likely: { sopId: named._id, by: "path" } };
  if (isNear) return { likely: likelyByText(near, first, named) };
  return near === undefined ? {} : { notes: [...document.notes, noteOnNearSops(near)] };
}

/**
 * Returns the SOP that the document seems to be by its text.
 * @param named the SOP of the document's path or name, if it isn't one of the near SOPs
 */
function likelyByText({ likeness, sops }: NearSops, first: SopDocument, named: SopDocument | undefined): LikelySop {
  const labels = sops.map(({ label }) => label);
  const likely = { sopId: first._id, by: "text" as const, ...(named && { namedAs: named.label }) };
  // a file can have the path of one SOP and the text and fields of another SOP
  const isOpen = labels.length > 1 || (named !== undefined && likeness !== "equal");
  return { ...likely, ...(isOpen && { equallyNear: labels }) };
}

/** Returns the note on a new document that is near to SOPs but seems to be none of them. */
function noteOnNearSops({ likeness, sops }: NearSops): ImportNote {
  const numbers = firstItemsText(sops.map(({ label }) => label));
  return createImportNote("near-sop", (likeness === "title" ? noteTexts.sameTitle : noteTexts.resembles)({ numbers }));
}

/** Finds the SOPs that earlier imports made from files at these paths. */
function findSopsOfPaths(
  actor: Actor,
  lost: readonly DocumentWithoutIdentity[],
  sources: readonly SopSourceDocument[],
  readable: ReadonlyMap<string, SopDocument>,
) {
  const byKey = new Map(sources.map((source) => [source.key, source]));
  const remembered = new Map<ReadDocument, SopDocument>();
  const unchanged = new Set<ReadDocument>();
  for (const document of lost) {
    const source = findReadableSource(document, actor.userId, byKey, readable);
    const sop = readable.get(source?.sopId ?? "");
    if (sop === undefined) continue;
    remembered.set(document, sop);
    if (source?.sha256 === document.sha256) unchanged.add(document);
  }
  const byPath = new Map(
    sources.flatMap(({ path, sopId }) => {
      const sop = readable.get(sopId);
      return sop === undefined ? [] : [[path, sop] as const];
    }),
  );
  return { remembered, unchanged, byPath };
}

/**
 * Finds the SOPs whose files have these names in the repository and in exports. Such a name has an SOP's number and
 * slug.
 */
async function findSopsOfFileNames(
  services: Pick<Services, "db">,
  actor: Actor,
  lost: readonly DocumentWithoutIdentity[],
): Promise<ReadonlyMap<string, SopDocument>> {
  const names = lost.map(({ path }) => ({ path, names: numbersInFileName(fileNameForComparison(path)) }));
  const seen = await findVisibleSops(
    services,
    actor,
    names.flatMap((one) => one.names.map(({ number }) => number)),
  );
  return new Map(
    names.flatMap(({ path, names: readings }) => {
      const found = readings.flatMap(({ number, slug }) => {
        const sop = seen.get(number)?.sop;
        return sop?.slug === slug && sop.deletedAt === null ? [sop] : [];
      });
      return found.slice(0, 1).map((sop) => [path, sop] as const);
    }),
  );
}
