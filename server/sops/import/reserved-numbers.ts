/**
 * Reserves numbers for documents that an import creates, and then gives them, so that a text can link a document before
 * its SOP exists (`docs/decisions/0055-numbers-addresses-and-links.md`).
 */
import { AppError } from "#core/errors.ts";
import { isId, newId } from "#core/ids.ts";
import type { ImportRequest } from "#core/sops/import-schema.ts";
import { numberKey } from "#core/numbers/numbers.ts";
import type { CategoryDocument, Collections, ReservedNumberDocument } from "../../database/documents.ts";
import type { Transaction } from "../../database/port.ts";
import { assignNumbers, type SopNumber } from "../edit/numbers.ts";
import type { SopAuthor } from "../edit/write.ts";
import { ChangedMeanwhile } from "../edit/concurrent-change.ts";
import type { DecidedDocument } from "./decide.ts";
import { findReservation } from "./stored-data.ts";

/** A document to create, and its category. */
export interface DocumentToCreate {
  document: DecidedDocument;
  categoryId: string | null;
}

/**
 * Checks that the reservations are still those on which the decisions are based.
 * @throws ChangedMeanwhile when another import reserved or used one of the numbers since they were read
 */
export async function assertReservedAsDecided(
  tx: Transaction<Collections>,
  companyId: string,
  request: ImportRequest,
  creates: readonly DecidedDocument[],
): Promise<void> {
  const rows = await reservedNumbersCollection(tx, companyId).find({ key: { $in: creates.map(({ key }) => key) } });
  for (const { key, title, reserved } of creates)
    if (findReservation(rows, request, key, title)?.labelKey !== reserved?.labelKey) throw new ChangedMeanwhile();
}

/**
 * Gives each document its number: the reserved number, the number that the file asks for, or the next free one. Removes
 * a reservation that the document doesn't use.
 * @throws ChangedMeanwhile if a number was taken since the decision
 */
export async function assignImportNumbers(
  tx: Transaction<Collections>,
  { user: { companyId }, at }: SopAuthor,
  placed: readonly DocumentToCreate[],
  categories: readonly CategoryDocument[],
): Promise<Map<DecidedDocument, SopNumber>> {
  const rest = placed.filter(({ document }) => !isReserved(document));
  const asks = rest.map(({ document: { wanted }, categoryId }) => ({
    category: categories.find(({ _id }) => _id === categoryId)?.slug ?? null,
    wanted,
  }));
  // releases the earlier reservations of these files
  await releaseReserved(tx, companyId, rest);
  const taken = await assignNumbers(tx, companyId, at, asks).catch((error: unknown) => {
    // the number was taken since the decision, so the import decides again
    throw error instanceof AppError && error.code === "conflict" ? new ChangedMeanwhile() : error;
  });
  const numbers = new Map<DecidedDocument, SopNumber>();
  for (const { document } of placed) {
    const number = isReserved(document) ? document.reserved : taken.shift();
    if (number) numbers.set(document, { number: number.number, label: number.label });
  }
  return numbers;
}

/** Says whether the document gets its reserved number. A number that the file asks for comes first. */
function isReserved({ reserved, wanted }: DecidedDocument): boolean {
  return reserved !== undefined && (wanted === undefined || numberKey(wanted) === reserved.labelKey);
}

/** Removes the reservations of these documents. */
export async function releaseReserved(
  tx: Transaction<Collections>,
  companyId: string,
  placed: readonly Pick<DocumentToCreate, "document">[],
): Promise<void> {
  const ids = placed.flatMap(({ document }) => document.reserved?._id ?? []);
  if (ids.length > 0) await reservedNumbersCollection(tx, companyId).deleteMany({ _id: { $in: ids } });
}

/**
 * Returns the documents that can have a reservation. A company can have as many as SOPs, because unused reservations
 * stay.
 */
export async function limitReservations(
  tx: Transaction<Collections>,
  companyId: string,
  creates: readonly DecidedDocument[],
): Promise<DecidedDocument[]> {
  const company = await tx.collection("companies").findOne({ _id: companyId });
  let room = (company?.maxSOPs ?? 0) - (await reservedNumbersCollection(tx, companyId).countDocuments({}));
  return creates.filter(({ reserved }) => reserved !== undefined || room-- > 0);
}

/**
 * Stores reservations of the numbers that `assignImportNumbers` gave.
 * @returns the reservations, by document
 */
export async function storeReservations(
  tx: Transaction<Collections>,
  { user: { companyId }, at }: SopAuthor,
  { importId }: ImportRequest,
  numbers: ReadonlyMap<DecidedDocument, SopNumber>,
): Promise<Map<DecidedDocument, ReservedNumberDocument>> {
  const reserved = new Map<DecidedDocument, ReservedNumberDocument>();
  const added: ReservedNumberDocument[] = [];
  for (const [document, { number, label }] of numbers) {
    const { key, title = "", plannedId, reserved: before } = document;
    const labelKey = numberKey(label);
    const same = before?.labelKey === labelKey;
    const _id = before?._id ?? plannedId ?? newId();
    const row = same ? before : { _id, companyId, key, title, number, label, labelKey, importId, at };
    if (!same) added.push(row);
    reserved.set(document, row);
  }
  if (added.length > 0) await reservedNumbersCollection(tx, companyId).insertMany(added);
  return reserved;
}

/**
 * Loads the numbers and titles of link targets in these documents, by id: of SOPs that this request creates, and of
 * SOPs that a later request will create.
 */
export async function loadLinkTargets(
  tx: Transaction<Collections>,
  companyId: string,
  decided: readonly DecidedDocument[],
  numbers: ReadonlyMap<DecidedDocument, SopNumber>,
): Promise<Map<string, { number: string; title: string }>> {
  const ids = new Set(decided.flatMap(({ links }) => links?.sops.map(({ to }) => to).filter(isId) ?? []));
  const known = new Map<string, { number: string; title: string }>();
  if (ids.size === 0) return known;
  for (const { _id, label, title } of await reservedNumbersCollection(tx, companyId).find({ _id: { $in: [...ids] } }))
    known.set(_id, { number: label, title });
  for (const [{ plannedId, linkedAs, text }, { label }] of numbers)
    for (const id of [plannedId, linkedAs])
      if (id !== undefined) known.set(id, { number: label, title: text?.frontMatter.title ?? "" });
  return known;
}

function reservedNumbersCollection(tx: Transaction<Collections>, companyId: string) {
  return tx.forCompany(companyId).collection("reserved_numbers");
}
