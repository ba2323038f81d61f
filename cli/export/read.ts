/** Reads SOPs from the server, page by page. */
import { ApiError } from "#core/api/client.ts";
import { isId } from "#core/ids.ts";
import {
  isBareNumber,
  sopsNamedByNumber,
  numberKey,
  readPossibleNumbers,
  unclearNumberMessage,
} from "#core/numbers/numbers.ts";
import type { Sop, SopRow } from "#core/sops/schema.ts";
import { invalidInputError, type Problem } from "../exit.ts";
import { problemOfOneDocument, problemsOfUnreadableSops, workOnEach } from "../left-out-sops.ts";
import type { ServerFilter } from "../list-filters.ts";
import { readSopPages, type SopClient } from "../server.ts";

export interface ServerReader {
  client: SopClient;
  progress(text: string | null): void;
}

export type ExportRow = Pick<SopRow, "id" | "number" | "title" | "slug" | "categoryId" | "isTemplate" | "status"> &
  Pick<SopRow, "version" | "published" | "scheduled">;

export interface ChosenSops {
  rows: ExportRow[];
  /** The problems of SOPs that the server can't read. */
  leftOut: Problem[];
}

/**
 * Finds SOPs by id or by number in any spelling. Without references it lists all SOPs that the user can see.
 * @throws exit 2 for an unknown SOP, and the error of the first SOP if the server can read none
 */
export async function findSops(
  source: ServerReader,
  references: readonly string[],
  filters: ServerFilter,
): Promise<ChosenSops> {
  const { view, ...narrowing } = filters;
  const isFiltered = Object.keys(narrowing).length > 0;
  if (!isFiltered && references.length > 0 && references.every(isId))
    return await findEach(references, (id) => readSop(source, id, view));
  const { rows, unreadable } = await listSops(source, filters);
  if (references.length === 0) return { rows, leftOut: problemsOfUnreadableSops(unreadable) };
  const keyed = rows.map((row) => ({ row, label: row.number, labelKey: numberKey(row.number) }));
  return await findEach(references, async (name) => {
    // Only the server knows which SOP a number without its prefix means.
    const id = isBareNumber(name) ? (await readSop(source, name, view)).id : name;
    const known = rows.find((row) => row.id === id);
    if (known !== undefined) return known;
    const [found, ...others] = sopsNamedByNumber(readPossibleNumbers(name), keyed);
    if (found === undefined) throw await createUnlistedSopError(source, name, view);
    if (others.length > 0)
      throw invalidInputError("unclear_number", unclearNumberMessage(name, [found, ...others]).text);
    return found.row;
  });
}

async function findEach(
  references: readonly string[],
  choose: (reference: string) => Promise<ExportRow>,
): Promise<ChosenSops> {
  const { made, failed } = await workOnEach(references, (number) => ({ number }), choose);
  return { rows: made, leftOut: failed };
}

async function listSops(
  { client, progress }: ServerReader,
  filters: ServerFilter,
): Promise<{ rows: SopRow[]; unreadable: number }> {
  const rows: SopRow[] = [];
  let unreadable = 0;
  for await (const page of readSopPages(client, { status: "all", ...filters })) {
    rows.push(...page.data);
    unreadable = Math.max(unreadable, page.unreadable ?? 0);
    progress(`listing ${rows.length}`);
  }
  const sortKeyOf = ({ number }: SopRow) => numberKey(number);
  rows.sort((a, b) => (sortKeyOf(a) < sortKeyOf(b) ? -1 : Number(sortKeyOf(a) > sortKeyOf(b))));
  return { rows, unreadable };
}

/** Counts the SOPs that match the filters and have no published version. */
export async function countUnpublished(
  { client }: ServerReader,
  { view: _view, ...filters }: ServerFilter,
): Promise<number> {
  const query = { ...filters, limit: 1, total: "true" } as const;
  const [all, published] = await Promise.all([
    client.sops.list({ query }),
    client.sops.list({ query: { ...query, view: "published" } }),
  ]);
  return (all.total ?? 0) - (published.total ?? 0);
}

async function readSop({ client }: ServerReader, id: string, view: ServerFilter["view"]): Promise<Sop> {
  try {
    return await client.sops.get({ params: { id }, query: view === undefined ? {} : { view } });
  } catch (error) {
    throw error instanceof ApiError && error.code === "not_found" ? unknownSopError(id, view) : error;
  }
}

/**
 * Returns the error for an SOP that isn't in the server's list, which has no archived SOPs unless the filters ask for
 * them.
 * @throws the server's error if it can't read the SOP, because the list lacks such an SOP too
 */
async function createUnlistedSopError({ client }: ServerReader, name: string, view: ServerFilter["view"]) {
  const sop = await client.sops.get({ params: { id: name } }).catch((error: unknown) => {
    if (problemOfOneDocument(null, error) !== undefined) throw error;
    return null;
  });
  if (sop?.status !== "archived") return unknownSopError(name, view);
  return invalidInputError("archived", `SOP ${sop.number} is archived`, {
    hint: "sop export --status archived exports it",
  });
}

function unknownSopError(name: string, view: ServerFilter["view"]) {
  if (view === undefined)
    return invalidInputError("not_found", `SOP ${name} not found, or you can't see it`, { hint: "sop api sops.list" });
  return invalidInputError("not_found", `SOP ${name} isn't published, or you can't see it`, {
    hint: "add --drafts for the newest versions",
  });
}
