/** Shows people × SOPs: the read confirmations of all SOPs for which the user can request them. */
import { setImmediate } from "node:timers/promises";
import type { Context } from "koa";
import { mayRequestAcknowledgements } from "#core/acknowledgements/rules.ts";
import type {
  AcknowledgementOverview,
  OverviewFilters,
  OverviewPerson,
} from "#core/acknowledgements/overview-schema.ts";
import { csvLine, type CsvCell } from "#core/csv/write.ts";
import type { Actor } from "#core/permissions/actor.ts";
import { foldWord } from "#core/text/fold.ts";
import { printedName } from "#core/users/printed-name.ts";
import { recordAudit } from "../audit/record.ts";
import type { AcknowledgementDocument, SopDocument } from "../database/documents.ts";
import type { Identity, Origin } from "../http/call.ts";
import type { Services } from "../http/services.ts";
import { findDoneMarks } from "../jobs/deadlines.ts";
import {
  acknowledgementAskCollection,
  requiredReadersOf,
  loadReaderCandidates,
  loadRequiredVersions,
  type Tx,
} from "./audience.ts";
import { readerState } from "./confirmations.ts";

/** The maximum number of SOPs shown as columns. Users find other SOPs by filters. */
const sopsAtMost = 100;

type OverviewDatabase = Pick<Services, "db">["db"];
export type OverviewRow = Omit<OverviewPerson, "reminded">;

export interface ConfirmationOverview {
  /** SOPs with overdue readers first. */
  sops: SopDocument[];
  /** Sorted by team, and in each team by most overdue confirmations. */
  people: OverviewRow[];
  /** The overdue and the open confirmations. `dueBy` is the last due day of the open ones; null if none has one. */
  counts: { late: number; due: number; dueBy: string | null };
  now: string;
}

/** Loads the overview. Reads each collection once, however many SOPs need confirmation. */
export async function loadOverview(
  store: Tx,
  actor: Actor,
  filters: OverviewFilters,
  now: string,
): Promise<ConfirmationOverview> {
  const { companyId } = actor;
  const company = store.forCompany(companyId);
  const asks = new Map((await acknowledgementAskCollection(store, companyId).find({})).map((ask) => [ask.sopId, ask]));
  const found = await company.collection("sops").find({ _id: { $in: [...asks.keys()] }, hasPublished: true });
  const askable = found.filter(
    (sop) => mayRequestAcknowledgements(actor, sop) && isInCategory(sop, filters.categoryId),
  );
  const base = askable.length === 0 ? null : await loadReaderCandidates(store, companyId, now);
  if (!base) return { sops: [], people: [], counts: { late: 0, due: 0, dueBy: null }, now };
  const runs = await loadRequiredVersions(store, companyId, askable);
  const latest = await loadLatestConfirmations(
    store,
    companyId,
    askable.map(({ _id }) => _id),
  );
  const teams = await company.collection("teams").find({}, { sort: { name: 1 }, projection: { name: 1 } });
  const rows = new Map<string, OverviewRow>();
  for (const sop of askable) {
    const ask = asks.get(sop._id);
    for (const { user, since } of ask ? requiredReadersOf(ask, sop, base) : []) {
      if (filters.teamId !== undefined && !user.teamIds.includes(filters.teamId)) continue;
      const team = teams.find(({ _id }) => user.teamIds.includes(_id) && (filters.teamId ?? _id) === _id);
      const row = rows.get(user._id) ?? {
        user: { id: user._id, name: user.name, username: user.username, initials: user.initials },
        team: team ? { id: team._id, name: team.name } : null,
        late: 0,
        due: 0,
        readings: [],
      };
      const confirmed = latest.get(`${sop._id} ${user._id}`) ?? null;
      const state = readerState(ask ?? null, runs.get(sop._id) ?? null, since, confirmed, now);
      row.readings.push({ sopId: sop._id, ...state });
      rows.set(user._id, row);
    }
    // let other requests run, because thousands of people and hundreds of SOPs take long
    await setImmediate();
  }
  return arrangeOverview(askable, [...rows.values()], filters, now);
}

function isInCategory(sop: SopDocument, categoryId: string | undefined): boolean {
  return categoryId === undefined || sop.categoryId === categoryId;
}

/** Loads the confirmation of the highest version for each SOP and user. The key is `<sopId> <userId>`. */
async function loadLatestConfirmations(store: Tx, companyId: string, sopIds: readonly string[]) {
  const latest = new Map<string, Pick<AcknowledgementDocument, "version" | "at">>();
  const all = await store
    .forCompany(companyId)
    .collection("acknowledgements")
    .find({ sopId: { $in: [...sopIds] } }, { projection: { sopId: 1, userId: 1, version: 1, at: 1 } });
  for (const { sopId, userId, version, at } of all) {
    const key = `${sopId} ${userId}`;
    if ((latest.get(key)?.version ?? 0) < version) latest.set(key, { version, at });
  }
  return latest;
}

function arrangeOverview(
  all: readonly SopDocument[],
  rows: readonly OverviewRow[],
  { search = "", show }: OverviewFilters,
  now: string,
): ConfirmationOverview {
  const { sops, people } = searchOverview(all, rows, foldWord(search).trim());
  const counts = { late: 0, due: 0, dueBy: null as string | null };
  const lateOf = new Map<string, number>();
  for (const row of people) {
    row.late = row.readings.filter(({ state }) => state === "overdue").length;
    row.due = row.readings.filter(({ state }) => state === "open").length;
    counts.late += row.late;
    counts.due += row.due;
    for (const { sopId, state, dueBy } of row.readings) {
      const weight = state === "overdue" ? 10_000 : state === "open" ? 1 : 0;
      lateOf.set(sopId, (lateOf.get(sopId) ?? 0) + weight);
      if (state === "open" && dueBy !== null && dueBy > (counts.dueBy ?? "")) counts.dueBy = dueBy;
    }
  }
  const shown = people.filter(({ late, due }) => show === undefined || (show === "late" ? late : due) > 0);
  const sortKeyOf = (sop: SopDocument) =>
    `${padCountForSorting(1_000_000_000 - (lateOf.get(sop._id) ?? 0))} ${foldWord(publishedOrLatestTitle(sop))}`;
  return {
    sops: sortByKey(
      sops.filter(({ _id }) => lateOf.has(_id)),
      sortKeyOf,
    ),
    people: sortByKey(shown, overviewSortKey),
    counts,
    now,
  };
}

/**
 * Keeps the people whose names contain the text. If no name does, keeps the SOPs that contain it, and their readers.
 */
function searchOverview(sops: readonly SopDocument[], rows: readonly OverviewRow[], wanted: string) {
  if (wanted === "") return { sops: [...sops], people: [...rows] };
  const named = rows.filter(({ user }) => foldWord(user.name).includes(wanted));
  if (named.length > 0) return { sops: [...sops], people: named };
  const found = sops.filter((sop) => foldWord(`${sop.label} ${publishedOrLatestTitle(sop)}`).includes(wanted));
  const ids = new Set(found.map(({ _id }) => _id));
  const people = rows.map((row) => ({ ...row, readings: row.readings.filter(({ sopId }) => ids.has(sopId)) }));
  return { sops: found, people: people.filter(({ readings }) => readings.length > 0) };
}

const publishedOrLatestTitle = ({ published, title }: SopDocument) => published?.title ?? title;
const padCountForSorting = (count: number) => String(count).padStart(10, "0");

/**
 * Returns the sort key of a person, with people without a team last. The key has a maximum length, because it is the
 * cursor.
 */
function overviewSortKey({ team, late, due, user }: OverviewRow): string {
  const group = team ? `0 ${foldWord(team.name).slice(0, 60)} ${team.id}` : "1";
  return `${group} ${padCountForSorting(10_000 - late)} ${padCountForSorting(10_000 - due)} ${foldWord(user.name).slice(0, 60)} ${user.id}`;
}

function sortByKey<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  const keyed = items.map((item) => ({ item, key: keyOf(item) }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ item }) => item);
}

/** Returns the id of the mark which records that a person got a reminder on this day. */
export const reminderMarkId = (userId: string, now: string) => `acknowledge-remind:${userId}:${now.slice(0, 10)}`;

/** Returns a page of the overview: its people are the rows, and the SOPs are the columns. */
export async function presentOverview(
  db: OverviewDatabase,
  actor: Actor,
  { sops, people, counts, now }: ConfirmationOverview,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<AcknowledgementOverview> {
  const rest = people.filter((person) => cursor === undefined || overviewSortKey(person) > cursor);
  const shown = rest.slice(0, limit);
  const last = shown.at(-1);
  const late = people.filter((person) => person.late > 0 && person.user.id !== actor.userId);
  const marked = await findDoneMarks(
    { db },
    [...late, ...shown].map(({ user }) => reminderMarkId(user.id, now)),
  );
  const isReminded = (userId: string) => marked.has(reminderMarkId(userId, now));
  const columns = sops.slice(0, sopsAtMost);
  const ids = new Set(columns.map(({ _id }) => _id));
  return {
    counts: { ...counts, toRemind: late.filter(({ user }) => !isReminded(user.id)).length },
    sops: columns.map((sop) => ({
      id: sop._id,
      number: sop.label,
      title: publishedOrLatestTitle(sop),
      version: sop.published?.version ?? sop.version,
    })),
    moreSops: sops.length - columns.length,
    people: shown.map((person) => ({
      ...person,
      readings: person.readings.filter(({ sopId }) => ids.has(sopId)),
      reminded: isReminded(person.user.id),
    })),
    ...(last && rest.length > limit ? { nextCursor: overviewSortKey(last) } : {}),
  };
}

const header = ["team", "person", "userId", "sop", "title", "state", "dueBy", "version", "confirmedAt"];

/** Exports the overview as CSV, with a line for each person and SOP. Writes an audit entry. */
export async function exportOverview(
  { db, clock }: Pick<Services, "db" | "clock">,
  ctx: Context,
  { actor, user }: Identity,
  filters: OverviewFilters,
  origin: Origin,
): Promise<void> {
  const at = clock.now();
  const { companyId } = actor;
  const { sops, people } = await loadOverview(db, actor, filters, at);
  await recordAudit(db, {
    companyId,
    userId: user._id,
    userName: printedName(user),
    action: "sop.acknowledgement_export",
    entityType: "company",
    entityId: companyId,
    changes: { format: "csv" },
    at,
    origin,
  });
  const sopOf = new Map(sops.map((sop) => [sop._id, sop]));
  const lines = people.flatMap(({ user: person, team, readings }) =>
    readings.map(({ sopId, state, dueBy, confirmed }): CsvCell[] => {
      const sop = sopOf.get(sopId);
      const about = sop ? [sop.label, publishedOrLatestTitle(sop)] : [null, null];
      const read = [confirmed?.version ?? null, confirmed?.at ?? null];
      return [team?.name ?? null, printedName(person), person.id, ...about, state, dueBy, ...read];
    }),
  );
  ctx.attachment(`read-confirmations-${at.slice(0, 10)}.csv`);
  ctx.type = "text/csv; charset=utf-8";
  ctx.status = 200;
  ctx.body = [header, ...lines].map(csvLine).join("");
}
