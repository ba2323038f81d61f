/** Sorts SOPs by the version that the actor sees, so that a reader's order reveals nothing of a draft. */
import type { Actor } from "#core/permissions/actor.ts";
import { shownStatus, shownStatuses } from "#core/sops/statuses.ts";
import { sortFieldOf, type SopSort, type SopSortField } from "#core/sops/sorts.ts";
import type { Collections, SopSummary, UserDocument } from "../../database/documents.ts";
import type { Database } from "../../database/port.ts";
import type { Services } from "../../http/services.ts";
import { invalidCursorError } from "../../http/invalid-cursor.ts";
import { parseCursor, writeCursor } from "./cursor.ts";
import type { ListedSop } from "./visible.ts";

/** The sort key of a row: a text, or a number as a text of equal length. An empty key is last in both directions. */
type SortKeyText = string;

interface RowWithSortKey<Row> {
  row: Row;
  id: string;
  key: SortKeyText;
}

const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/** The fields that `loadSortedPage` reads. */
export const sortFields = {
  label: 1,
  title: 1,
  status: 1,
  version: 1,
  "scheduled.version": 1,
  categoryId: 1,
  ownerId: 1,
  updatedAt: 1,
  "published.title": 1,
  "published.categoryId": 1,
  "published.ownerId": 1,
  "published.updatedAt": 1,
} as const;

export interface SortedPage<Row> {
  rows: Row[];
  nextCursor?: string;
}

/** Returns a page of these rows in this order; equal rows oldest first. */
export async function loadSortedPage<Row extends ListedSop>(
  services: Pick<Services, "db" | "companies">,
  actor: Actor,
  rows: readonly Row[],
  { sort, cursor, limit }: { sort: Exclude<SopSort, "relevance">; cursor?: string | undefined; limit: number },
): Promise<SortedPage<Row>> {
  const order = sortFieldOf(sort);
  if (!order) throw invalidCursorError();
  const keyOf = await createSortKeyReader(services, actor, order.field, rows);
  const compareRows = (one: Omit<RowWithSortKey<Row>, "row">, other: Omit<RowWithSortKey<Row>, "row">): number => {
    const byKey =
      one.key === "" || other.key === ""
        ? Number(one.key === "") - Number(other.key === "")
        : collator.compare(one.key, other.key) * (order.isDescending ? -1 : 1);
    return byKey || (one.id < other.id ? -1 : Number(one.id > other.id));
  };
  const place = parseCursor(cursor);
  const keyed = rows.map((row): RowWithSortKey<Row> => ({ row, id: row.sop._id, key: keyOf(row) }));
  const left = place ? keyed.filter((one) => compareRows(one, { key: place.at, id: place.id }) > 0) : keyed;
  const page = left.toSorted(compareRows).slice(0, limit);
  const last = page.at(-1);
  return {
    rows: page.map(({ row }) => row),
    ...(last && left.length > limit ? { nextCursor: writeCursor({ at: last.key, id: last.id }) } : {}),
  };
}

/** Returns the version of a row that its reader sees. */
export function visibleVersionOfRow({
  sop,
  view,
}: ListedSop): SopSummary & { categoryId: string | null; updatedAt: string } {
  return view === "published" && sop.published ? sop.published : sop;
}

async function createSortKeyReader(
  { db, companies }: Pick<Services, "db" | "companies">,
  { companyId }: Actor,
  field: SopSortField,
  rows: readonly ListedSop[],
): Promise<(row: ListedSop) => SortKeyText> {
  switch (field) {
    case "updated":
      return (row) => visibleVersionOfRow(row).updatedAt;
    case "title":
      return (row) => visibleVersionOfRow(row).title;
    case "number":
      return ({ sop }) => sop.label;
    case "status":
      return ({ sop, view }) => String(shownStatuses.indexOf(view === "published" ? "published" : shownStatus(sop)));
    case "category": {
      const names = new Map((await companies.categories(companyId)).map(({ _id, name }) => [_id, name]));
      return (row) => names.get(visibleVersionOfRow(row).categoryId ?? "") ?? "";
    }
    case "owner": {
      const people = await readPeopleById(db, companyId, new Set(rows.map((row) => visibleVersionOfRow(row).ownerId)));
      return (row) => people.get(visibleVersionOfRow(row).ownerId ?? "")?.name ?? "";
    }
  }
}

/** Reads people by id. */
export async function readPeopleById(
  db: Database<Collections>,
  companyId: string,
  ids: Iterable<string | null>,
): Promise<ReadonlyMap<string, Pick<UserDocument, "name" | "username" | "initials">>> {
  const wanted = [...new Set(ids)].filter((id) => id !== null);
  const users = db.forCompany(companyId).collection("users");
  const projection = { name: 1, username: 1, initials: 1 } as const;
  const found = wanted.length === 0 ? [] : await users.find({ _id: { $in: wanted } }, { projection });
  return new Map(found.map((user) => [user._id, user]));
}
