/** Writes the decisions of an import: one transaction, one ledger event, one commit. */
import { loadTextRoom } from "../../companies/text-room.ts";
import { AppError } from "#core/errors.ts";
import { withoutHiddenCharacters } from "#core/contract/shown-name.ts";
import { newId } from "#core/ids.ts";
import type { SopWrite } from "#core/life-cycle/ledger.ts";
import { createStep, saveStep } from "#core/life-cycle/save.ts";
import { slugify } from "#core/repository/slugs.ts";
import { findCategory } from "#core/categories/rules.ts";
import { chooseCategory, categoryNamedIn } from "#core/sops/import-rules.ts";
import type { ImportRequest } from "#core/sops/import-schema.ts";
import type { VersionWriter } from "#core/approvals/writers.ts";
import { recordChange } from "../../effects/record.ts";
import { insertCategory, recordCategoriesInRepository } from "../../categories/store.ts";
import { transactionFor } from "../../database/turns.ts";
import type { CategoryDocument, Collections, SopDocument, SopSourceDocument } from "../../database/documents.ts";
import type { BulkOperation, Transaction } from "../../database/port.ts";
import type { Services } from "../../http/services.ts";
import { createImportNote, noteTexts } from "./note-texts.ts";
import type { DecidedDocument } from "./decide.ts";
import { foldersOfDocument } from "./chosen-numbers.ts";
import {
  assertReservedAsDecided,
  releaseReserved,
  loadLinkTargets,
  assignImportNumbers,
  storeReservations,
  limitReservations,
  type DocumentToCreate,
} from "./reserved-numbers.ts";
import { withNumbersForIds, storedLinks } from "../links/link-sops.ts";
import { ChangedMeanwhile } from "../edit/concurrent-change.ts";
import { createVersion, buildNextVersion } from "../edit/version-of.ts";
import { writeSops, type SopAuthor } from "../edit/write.ts";
import { refusals } from "./refusals.ts";

/**
 * Makes further writes in the transaction of an import. An error undoes the import.
 * @param written the SOP of each document after the import
 */
export type FurtherWrites = (
  tx: Transaction<Collections>,
  decided: readonly DecidedDocument[],
  written: ReadonlyMap<DecidedDocument, SopDocument | null>,
) => Promise<void>;

/** The other authors of the imported words, and the version that the words are based on. */
export interface ImportedWords {
  writers: readonly VersionWriter[];
  /** The version that a proposal is based on. A merge names the latest one. */
  madeFrom?: number | null;
}

export async function applyImport(
  services: Services,
  author: SopAuthor,
  request: ImportRequest,
  decided: DecidedDocument[],
  { also, words }: { also?: FurtherWrites | undefined; words?: ImportedWords | undefined } = {},
): Promise<void> {
  const { db, repositories, companies } = services;
  const companyId = author.user.companyId;
  const room = await loadTextRoom(services, companyId);
  const done = await transactionFor(db, companyId, async (tx) => {
    const creates = decided.filter(({ outcome }) => outcome === "create");
    await assertSourcesAsDecided(tx, companyId, decided);
    await assertReservedAsDecided(tx, companyId, request, creates);
    const categories = await loadCategories(tx, companyId);
    const writes: { document: DecidedDocument; write: SopWrite }[] = [];
    const placed = await assignCategoriesToNew(tx, author, request, creates, categories);
    const numbers = await assignImportNumbers(tx, author, placed, categories);
    await releaseReserved(tx, companyId, placed);
    const categoryIds = new Map(placed.map(({ document, categoryId }) => [document, categoryId]));
    const known = await loadLinkTargets(tx, companyId, decided, numbers);
    for (const document of decided) {
      const { text, relations, sop } = document;
      if (!text || !document.links || !relations) continue;
      const { markdown, links } = withNumbersForIds(text.markdown, document.links, known);
      const next = {
        text: { ...text, markdown },
        links: { ...links, sops: storedLinks(links.sops) },
        relations,
        author: { ...author.user },
        writers: [...(words?.writers ?? []), ...(document.copied ?? [])],
        madeFrom: words?.madeFrom ?? document.base ?? null,
        at: author.at,
        note: request.note?.trim() || null,
        changeClass: "major" as const,
      };
      const number = numbers.get(document);
      if (document.outcome === "create" && number) {
        const slug = slugify(text.frontMatter.title ?? "");
        const id = document.plannedId ?? newId();
        const identity = { id, companyId, slug, categoryId: categoryIds.get(document) ?? null, ...number };
        const made = createVersion({ _id: id, companyId, label: number.label, version: 1 }, next);
        writes.push({ document, write: { before: null, steps: [createStep(identity, made)] } });
      } else if (document.outcome === "update" && sop) {
        writes.push({ document, write: { before: sop, steps: [saveStep(sop, buildNextVersion(sop, next))] } });
      }
    }
    if (writes.length > 0) {
      await writeSops(
        tx,
        author,
        writes.map(({ document, write }) => ({ ...write, source: document.key })),
        { importId: request.importId, categories, room },
      );
    }
    const states = new Map(writes.map(({ document, write }) => [document, write.steps[0]?.sop ?? null]));
    await rememberSources(tx, author, request, decided, states);
    await also?.(tx, decided, states);
    return states;
  });
  for (const [document, sop] of done) document.sop = sop;
  if (done.size > 0) {
    companies.forget(companyId);
    repositories.wake(companyId);
  }
}

/** Reserves numbers and creates the categories of new documents, but no SOP. */
export async function reserveImport(
  { db, companies, repositories }: Pick<Services, "db" | "companies" | "repositories">,
  author: SopAuthor,
  request: ImportRequest,
  decided: readonly DecidedDocument[],
): Promise<void> {
  const companyId = author.user.companyId;
  const reserved = await transactionFor(db, companyId, async (tx) => {
    const creates = decided.filter(({ outcome }) => outcome === "create");
    await assertReservedAsDecided(tx, companyId, request, creates);
    const categories = await loadCategories(tx, companyId);
    const placed = await assignCategoriesToNew(
      tx,
      author,
      request,
      await limitReservations(tx, companyId, creates),
      categories,
    );
    return await storeReservations(tx, author, request, await assignImportNumbers(tx, author, placed, categories));
  });
  companies.forget(companyId);
  repositories.wake(companyId);
  for (const [document, row] of reserved) {
    document.reserved = row;
    document.plannedId = row._id;
  }
}

/**
 * Checks that the records of imported files are still those on which the decisions are based.
 * @throws ChangedMeanwhile when another import of the same documents was faster
 */
async function assertSourcesAsDecided(
  tx: Transaction<Collections>,
  companyId: string,
  decided: readonly DecidedDocument[],
): Promise<void> {
  const stored = await tx
    .forCompany(companyId)
    .collection("sop_sources")
    .find({ key: { $in: decided.map(({ key }) => key) } });
  const now = new Map(stored.map((source) => [source.key, source]));
  const isSameSource = ({ key, source }: DecidedDocument) => {
    const found = now.get(key);
    return found?.sopId === source?.sopId && found?.version === source?.version && found?.sha256 === source?.sha256;
  };
  if (!decided.every(isSameSource)) throw new ChangedMeanwhile();
}

function loadCategories(tx: Transaction<Collections>, companyId: string): Promise<CategoryDocument[]> {
  return tx
    .forCompany(companyId)
    .collection("categories")
    .find({}, { sort: { order: 1 } });
}

/**
 * Finds or creates the categories of new documents. Numbers are given afterwards, because a number can name its
 * category.
 */
async function assignCategoriesToNew(
  tx: Transaction<Collections>,
  author: SopAuthor,
  request: ImportRequest,
  creates: readonly DecidedDocument[],
  categories: CategoryDocument[],
): Promise<DocumentToCreate[]> {
  const placed: DocumentToCreate[] = [];
  for (const document of creates) {
    const named = categoryNamedIn(document.text?.frontMatter);
    // removes the notes of an earlier attempt, because a transaction may run again
    document.notes = document.notes.filter(({ code }) => code !== "uncategorized" && code !== "category-unknown");
    const categoryId = await findOrCreateCategoryOfDocument(tx, author, request, document, named, categories);
    if (named !== undefined && findCategory(categories, named) === undefined) {
      document.notes.push(createImportNote("category-unknown", noteTexts.categoryUnknown({ category: named })));
    }
    placed.push({ document, categoryId });
  }
  return placed;
}

/** Stores a record of each imported or unchanged document, with its hash, for the next import. */
async function rememberSources(
  tx: Transaction<Collections>,
  author: SopAuthor,
  request: ImportRequest,
  decided: readonly DecidedDocument[],
  states: ReadonlyMap<DecidedDocument, { _id: string; version: number } | null>,
): Promise<void> {
  const sources = tx.forCompany(author.user.companyId).collection("sop_sources");
  const rows = decided.flatMap((document) => {
    const written = states.get(document);
    if (written) {
      const { _id: sopId, version } = written;
      const { importId } = request;
      const before = document.source?.imported;
      // an import that is resumed can write a file again
      const imported = before?.importId === importId ? before : { importId, version };
      return [{ document, sopId, version, imported }];
    }
    // an unchanged older file stays based on its version, because it lacks later edits of the SOP
    const { sop, basedOn, outcome } = document;
    return sop && basedOn !== undefined && outcome !== "refused"
      ? [{ document, sopId: sop._id, version: basedOn }]
      : [];
  });
  if (rows.length === 0) return;
  await sources.bulkWrite(
    rows.map(({ document: { key, path, sha256 }, ...versions }): BulkOperation<SopSourceDocument> => ({
      updateOne: {
        filter: { key },
        update: {
          $set: { path, sha256, ...versions, importId: request.importId, at: author.at },
          $setOnInsert: { _id: newId() },
        },
        upsert: true,
      },
    })),
  );
}

/**
 * Finds the category of a document: that of its folder or of a `category` in foreign front matter (slug or name), or
 * else that of the request. If the request allows it, creates a missing category.
 * @returns the category's id; null if there is no category, which a note says
 */
async function findOrCreateCategoryOfDocument(
  tx: Transaction<Collections>,
  author: SopAuthor,
  request: ImportRequest,
  document: DecidedDocument,
  named: string | undefined,
  categories: CategoryDocument[],
): Promise<string | null> {
  const folders = foldersOfDocument(request, document.path);
  if (folders !== undefined) {
    const own = named === undefined ? undefined : findCategory(categories, named);
    const inFolders = own ?? (await findOrCreateCategoryOfFolders(tx, author, request, folders, categories));
    if (inFolders) return inFolders._id;
  }
  const { found, wanted } = chooseCategory(categories, request, folders ? "" : document.path, named);
  if (found) return found._id;
  if (wanted !== undefined && request.createCategories) {
    return (await createCategory(tx, author, { name: wanted, parentId: null }, request, categories))._id;
  }
  if (request.category !== undefined) {
    throw unknownCategoryError(request.category);
  }
  document.notes.push(createImportNote("uncategorized", noteTexts.uncategorized()));
  return null;
}

/**
 * Finds the category of a file's folders, or creates it if the request allows that. Names are unique: if the name of an
 * inner folder is taken, the folder's category becomes `Network (IT)` in IT.
 *
 * @returns the outer category if there is no inner one and none is created
 */
async function findOrCreateCategoryOfFolders(
  tx: Transaction<Collections>,
  author: SopAuthor,
  request: ImportRequest,
  [outerName, innerName]: readonly string[],
  categories: CategoryDocument[],
): Promise<CategoryDocument | undefined> {
  if (outerName === undefined) return undefined;
  const createFolderCategory = (name: string, parentId: string | null) =>
    createCategory(tx, author, { name, parentId }, request, categories);
  let outer = findCategory(categories, outerName);
  if (!outer && request.createCategories) outer = await createFolderCategory(outerName, null);
  if (!outer || innerName === undefined || outer.parentId !== null || findCategory([outer], innerName)) return outer;
  const outerId = outer._id;
  const inside = categories.filter(({ parentId }) => parentId === outerId);
  const longName = `${innerName.slice(0, 40).trim()} (${outer.name.slice(0, 36).trim()})`;
  const inner = findCategory(inside, innerName) ?? findCategory(inside, longName);
  if (inner || !request.createCategories) return inner ?? outer;
  const free = [innerName, longName].find((name) => !findCategory(categories, name));
  return free === undefined ? outer : await createFolderCategory(free, outerId);
}

export function unknownCategoryError(name: string): AppError {
  return new AppError("invalid_input", refusals.unknownCategory({ name }));
}

async function createCategory(
  tx: Transaction<Collections>,
  author: SopAuthor,
  { name, parentId }: { name: string; parentId: string | null },
  { importId }: ImportRequest,
  categories: CategoryDocument[],
): Promise<CategoryDocument> {
  const { user, at, origin } = author;
  const category = await insertCategory(tx, {
    companyId: user.companyId,
    name: withoutHiddenCharacters(name).trim().slice(0, 80),
    color: "primary",
    parentId,
    teamId: null,
    at,
  });
  await recordCategoriesInRepository(tx, user, at);
  await recordChange(
    tx,
    { user, origin },
    { companyId: user.companyId, at },
    {
      action: "category.create",
      entityType: "category",
      entityId: category._id,
      changes: { name: category.name, color: category.color, importId },
    },
  );
  categories.push(category);
  return category;
}
