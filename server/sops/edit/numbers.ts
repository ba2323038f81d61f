/**
 * Gives numbers to new SOPs: the chosen number if it is free and fits the company's scheme, or else the next number of
 * the scheme.
 */
import type { CompanySettings } from "#core/companies/settings.ts";
import { AppError } from "#core/errors.ts";
import {
  defaultNumberScheme,
  spellNumberByScheme,
  hasFixedNumber,
  numberKey,
  numberFromScheme,
  numberStart,
  constantStartOf,
  readNumber,
  parseStoredScheme,
} from "#core/numbers/numbers.ts";
import type { Services } from "../../http/services.ts";
import { tryUnlessDamaged } from "../../database/beside-damage.ts";
import type { Collections, SopDocument } from "../../database/documents.ts";
import type { Transaction } from "../../database/port.ts";
import { refusals } from "./refusals.ts";
import type { MessageWithId } from "#core/language/catalog.ts";

/** A new SOP that needs a number. */
export interface NumberAsk {
  /** The slug of the SOP's category; null without one. */
  category: string | null;
  /** The chosen number, as written; absent for the next one. */
  wanted?: string | undefined;
}

export type SopNumber = Pick<SopDocument, "number" | "label">;

/** The number of lookups at once if many numbers in a row are taken. */
const triedAtOnce = 100;

/**
 * Gives numbers to new SOPs, in order, and raises the company's counters. Archived and deleted SOPs keep their numbers.
 *
 * @param at the time of creation, for `{year}` (UTC)
 * @throws AppError invalid_input for a chosen number that doesn't fit, conflict for a number that is taken
 */
export async function assignNumbers(
  tx: Transaction<Collections>,
  companyId: string,
  at: string,
  asks: readonly NumberAsk[],
): Promise<SopNumber[]> {
  if (asks.length === 0) return [];
  const company = await tx.collection("companies").findOne({ _id: companyId });
  const counters = await tx
    .collection("counters")
    .findOneAndUpdate({ _id: companyId }, { $inc: { sopNumber: asks.length } }, { returnDocument: "after" });
  if (!company || !counters) throw new AppError("damaged");
  const source = numberSchemeOf(company.settings);
  const scheme = parseStoredScheme(source);
  const first = counters.sopNumber - asks.length + 1;
  const year = Number(at.slice(0, 4));
  const chosen = asks.map(({ category, wanted }) =>
    wanted === undefined ? null : numberInScheme(source, { category, year }, wanted),
  );
  const given = new Set<string>();
  const taken = await findTakenNumberKeys(tx, companyId, chosen);
  for (const label of chosen) {
    if (label === null) continue;
    const key = numberKey(label);
    if (taken.has(key) || given.has(key)) throw numberTakenError(label);
    given.add(key);
  }
  const isTaken = createNumberLookup(tx, companyId, asks.length, given);
  const counts: Record<string, number> = { ...counters.counts };
  const labels: string[] = [];
  for (const [index, ask] of asks.entries()) {
    const facts = { category: ask.category, year };
    const start = numberStartFieldName(numberStart(scheme, facts));
    // with another scheme, stores the count of `SOP-`, so that it continues if the company returns to that scheme
    if (start !== "SOP-") counts["SOP-"] ??= first - 1;
    const last = counts[start] ?? (start === "SOP-" ? first - 1 : 0);
    const wanted = chosen[index];
    if (wanted !== null && wanted !== undefined) {
      labels.push(wanted);
      // after a chosen number, stores the count of this start, because it no longer equals the number of SOPs
      counts[start] = last;
      continue;
    }
    let count = last + 1;
    while (await isTaken((more) => numberFromScheme(scheme, facts, count + more))) count += 1;
    const label = numberFromScheme(scheme, facts, count);
    given.add(numberKey(label));
    labels.push(label);
    counts[start] = count;
  }
  const before = counters.counts ?? {};
  // the count of `SOP-` isn't stored while it equals `sopNumber`
  if (before["SOP-"] === undefined && counts["SOP-"] === counters.sopNumber) delete counts["SOP-"];
  if (Object.keys(counts).some((start) => counts[start] !== before[start]))
    await tx.collection("counters").updateOne({ _id: companyId }, { $set: { counts } });
  return labels.map((label, index) => ({ number: first + index, label }));
}

/** Returns the numbering scheme of a company. Companies created before there were schemes have the default. */
export function numberSchemeOf(settings: Partial<CompanySettings>): string {
  return settings.numberScheme ?? defaultNumberScheme;
}

/**
 * Loads the starts that a bare number, such as `42`, can mean. If the scheme of the company counts all SOPs together,
 * these are all starts that the company has used; otherwise there are none.
 */
export async function loadNumberStarts(
  db: Pick<Transaction<Collections>, "collection">,
  companyId: string,
): Promise<readonly string[]> {
  const company = await db.collection("companies").findOne({ _id: companyId });
  const start = constantStartOf(numberSchemeOf(company?.settings ?? {}));
  if (start === null) return [];
  const counters = await db.collection("counters").findOne({ _id: companyId });
  const counted = Object.keys(counters?.counts ?? {}).map((name) => name.replaceAll("·", "."));
  return [...new Set([start, "SOP-", ...counted])];
}

/**
 * Finds the new number of an SOP. Only an SOP that was never published, and that no other SOP links by its number, can
 * get a new one.
 *
 * @returns null if the SOP keeps its number
 * @throws AppError invalid_input or conflict, with advice
 */
export async function findNewNumber(
  { db, companies, clock }: Pick<Services, "db" | "companies" | "clock">,
  sop: SopDocument,
  wanted: string | null | undefined,
  categoryId: string | null,
): Promise<Pick<SopDocument, "label" | "labelKey"> | null> {
  const { companyId, label, labelKey } = sop;
  if (wanted === undefined || wanted === null || numberKey(readNumber(wanted) ?? wanted) === labelKey) return null;
  if (sop.addressFixed === true || hasFixedNumber(sop)) throw numberConflictError(refusals.hasFixedNumber({ label }));
  const company = await companies.get(companyId);
  const category = (await companies.categories(companyId)).find(({ _id }) => _id === categoryId)?.slug ?? null;
  const year = Number(clock.now().slice(0, 4));
  const number = numberInScheme(numberSchemeOf(company?.settings ?? {}), { category, year }, wanted);
  if ((await findTakenNumberKeys(db, companyId, [number])).size > 0) throw numberTakenError(number);
  const linking = await db
    .forCompany(companyId)
    .collection("sops")
    .findOne({ linkedAny: label, _id: { $ne: sop._id }, deletedAt: null });
  if (linking) throw numberConflictError(refusals.linkedNumber({ label }));
  return { label: number, labelKey: numberKey(number) };
}

function numberConflictError(message: MessageWithId): AppError {
  return new AppError("conflict", message, { number: message });
}

export function numberTakenError(label: string): AppError {
  return new AppError("conflict", refusals.numberTaken({ label }), {
    number: refusals.numberTakenField({ label }),
  });
}

/**
 * Checks a chosen number against the scheme.
 * @throws AppError invalid_input
 */
function numberInScheme(source: string, facts: { category: string | null; year: number }, wanted: string): string {
  const { number, reason } = spellNumberByScheme(source, facts, wanted);
  if (number === undefined) throw new AppError("invalid_input", reason, { number: reason });
  return number;
}

/**
 * Finds those of these number keys that are taken by SOPs of the company, deleted SOPs included, or reserved by
 * imports.
 */
export async function findTakenNumberKeys(
  tx: Pick<Transaction<Collections>, "forCompany">,
  companyId: string,
  labels: readonly (string | null)[],
): Promise<Set<string>> {
  const keys = labels.flatMap((label) => (label === null ? [] : [numberKey(label)]));
  if (keys.length === 0) return new Set();
  const company = tx.forCompany(companyId);
  const labelKey = { $in: keys };
  const found = [
    ...(await company.collection("sops").find({ labelKey }, { projection: { labelKey: 1 } })),
    ...(await company.collection("reserved_numbers").find({ labelKey }, { projection: { labelKey: 1 } })),
  ];
  const taken = new Set(found.map(({ labelKey }) => labelKey));
  const rest = keys.filter((key) => !taken.has(key));
  return new Set([...taken, ...(await findDamagedNumberKeys(tx, companyId, rest))]);
}

/**
 * Finds those of these keys that can be the numbers of damaged SOPs. Queries for several SOPs leave out damaged ones.
 */
export async function findDamagedNumberKeys(
  tx: Pick<Transaction<Collections>, "forCompany">,
  companyId: string,
  keys: readonly string[],
): Promise<string[]> {
  if (keys.length === 0) return [];
  const sops = tx.forCompany(companyId).collection("sops");
  const isDamaged = async (among: readonly string[]) =>
    !(await tryUnlessDamaged(() => sops.findOne({ labelKey: { $in: [...among] } })));
  const damaged: string[] = [];
  // one query for all, because nearly always none is damaged
  for (const key of (await isDamaged(keys)) ? keys : []) if (await isDamaged([key])) damaged.push(key);
  return damaged;
}

/**
 * Creates a function that says whether a number is taken. To save queries, it also checks the next numbers: as many as
 * are needed, and more if many in a row are taken.
 */
function createNumberLookup(
  tx: Transaction<Collections>,
  companyId: string,
  needed: number,
  given: ReadonlySet<string>,
) {
  const known = new Map<string, boolean>();
  let atOnce = needed;
  return async (labelOf: (more: number) => string): Promise<boolean> => {
    const key = numberKey(labelOf(0));
    if (!known.has(key)) {
      const labels = Array.from({ length: atOnce }, (_, more) => labelOf(more));
      const taken = await findTakenNumberKeys(tx, companyId, labels);
      for (const one of labels.map(numberKey)) known.set(one, taken.has(one));
      atOnce = triedAtOnce;
    }
    return known.get(key) === true || given.has(key);
  };
}

/** Returns the name of a start for a database field, because field names have no dots. */
export function numberStartFieldName(start: string): string {
  return start.replaceAll(".", "·");
}
