/** Reads SOPs from the server, page by page. */
import { ApiError } from "#core/contract/client.ts";
import { isId } from "#core/ids.ts";
import { limits } from "#core/limits.ts";
import { numberKey } from "#core/sops/numbers.ts";
import type { Sop, SopRow } from "#core/sops/schema.ts";
import { invalid } from "../exit.ts";
import type { StatusFilter } from "../list-filters.ts";
import type { SopClient } from "../server.ts";

export interface ExportSource {
  client: SopClient;
  progress(text: string | null): void;
}

export type ExportRow = Pick<SopRow, "id" | "number" | "slug" | "categoryId" | "isTemplate" | "status">;

/** By id or number (`SOP-0042`, any case); all that one may see without. @throws exit 2 for an unknown one */
export async function chooseSops(
  source: ExportSource,
  references: readonly string[],
  filters: StatusFilter,
): Promise<ExportRow[]> {
  const isFiltered = Object.keys(filters).length > 0;
  if (!isFiltered && references.length > 0 && references.every(isId))
    return await Promise.all(references.map((id) => readSop(source, id)));
  const rows = await listSops(source, filters);
  if (references.length === 0) return rows;
  return references.map((name) => {
    const row = rows.find(({ id, number }) => id === name || number.toLowerCase() === name.toLowerCase());
    if (row === undefined) throw unknownSop(name);
    return row;
  });
}

async function listSops({ client, progress }: ExportSource, filters: StatusFilter): Promise<SopRow[]> {
  const rows: SopRow[] = [];
  let cursor: string | undefined;
  do {
    const query = {
      limit: limits.pageSizeMax,
      status: "all",
      ...filters,
      ...(cursor !== undefined && { cursor }),
    } as const;
    const page = await client.sops.list({ query });
    rows.push(...page.data);
    progress(`listing ${rows.length}`);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  const key = ({ number }: SopRow) => numberKey(number);
  return rows.sort((a, b) => (key(a) < key(b) ? -1 : Number(key(a) > key(b))));
}

async function readSop({ client }: ExportSource, id: string): Promise<Sop> {
  try {
    return await client.sops.get({ params: { id } });
  } catch (error) {
    throw error instanceof ApiError && error.code === "not_found" ? unknownSop(id) : error;
  }
}

function unknownSop(name: string) {
  return invalid("not_found", `SOP ${name} not found, or you can't see it`, { hint: "sop api sops.list" });
}
