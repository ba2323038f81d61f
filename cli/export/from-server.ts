/** Documents of the server: each file is made there, and each export is in its audit log. */
import { ApiError, buildRequest, type Request } from "#core/contract/client.ts";
import { routes } from "#core/contract/routes.ts";
import { documentOfSop, type ExportedSop } from "#core/export/of-sop.ts";
import { withServerAddress } from "#core/markdown/live-titles.ts";
import { assetPath, sopPath } from "#core/repository/names.ts";
import { invalid } from "../exit.ts";
import type { StatusFilter } from "../list-filters.ts";
import type { SignedInClient } from "../server.ts";
import { chooseSops, type ExportRow } from "./read.ts";
import type { Entry, Source } from "./source.ts";

export interface ServerSelection {
  ids: readonly string[];
  filters: StatusFilter;
  /** A version of the one SOP that is named. */
  version?: number;
  progress(text: string | null): void;
}

export async function openServerSource(signedIn: SignedInClient, selection: ServerSelection): Promise<Source> {
  const { client, receive, connection } = signedIn;
  const rows = await chooseSops({ ...signedIn, progress: selection.progress }, selection.ids, selection.filters);
  const [first] = rows;
  if (selection.version !== undefined && first) await assertVersion(signedIn, first, selection.version);
  const slugs = new Map((await client.categories.list()).map(({ id, slug }) => [id, slug]));
  const entries = rows.map((row) => ({ id: row.id, number: row.number, path: pathOf(row, slugs) }));
  const version = selection.version === undefined ? {} : { version: selection.version };
  const file = (entry: Entry, format: "md" | "json" | "html" | "pdf" | "docx", more: { standard?: "a-2b" } = {}) =>
    receive(buildRequest(routes.sops.export, { params: { id: idOf(entry) }, query: { format, ...version, ...more } }));
  const exported = async (entry: Entry) =>
    JSON.parse(Buffer.from((await file(entry, "json")).bytes).toString()) as ExportedSop;

  const picture = async (name: string) => (await receive(pictureRequest(name))).bytes;

  return {
    entries,
    text: async (entry) => Buffer.from((await file(entry, "md")).bytes).toString(),
    async read(entry) {
      const sop = await exported(entry);
      const html = withServerAddress(sop.content, connection.server, { files: false });
      return { document: documentOfSop(sop), html };
    },
    json: exported,
    async make(entry, format, standard) {
      const { bytes, headers } = await file(entry, format, standard === null ? {} : { standard });
      return { bytes, warnings: warningsOf(headers.get("x-export-warnings")) };
    },
    picture,
    attachments: (_, text) =>
      Promise.resolve(assetNames(text).map((name) => ({ path: assetPath(name), bytes: () => picture(name) }))),
    async records(entry) {
      const params = { id: idOf(entry) };
      const [approvals, versions, periods] = await Promise.all([
        client.approvals.list({ query: { sopId: params.id } }),
        client.sops.versions({ params }),
        client.sops.publishedPeriods({ params }),
      ]);
      return { versions, inForce: periods, approvals, audit: await auditOf(signedIn, params.id) };
    },
    close: () => Promise.resolve(),
  };
}

function pictureRequest(name: string): Request {
  return buildRequest(routes.assets.get, { params: { sha256: name } });
}

/** Assets a document links, as the repository names them. */
function assetNames(text: string): string[] {
  const names = [...text.matchAll(/assets\/[0-9a-f]{2}\/([0-9a-f]{64}\.[a-z]{3,4})\b/g)].map(([, name]) => name ?? "");
  return [...new Set(names)];
}

function idOf({ id, number }: Entry): string {
  if (id === null) throw new Error(`${number} has no id`);
  return id;
}

function pathOf(row: ExportRow, slugs: ReadonlyMap<string, string>): string {
  const categorySlug = row.categoryId === null ? null : (slugs.get(row.categoryId) ?? null);
  const path = sopPath({ ...row, label: row.number, categorySlug, archived: row.status === "archived" });
  return path.replace(/\.md$/, "");
}

async function assertVersion({ client }: SignedInClient, { id, number }: ExportRow, version: number): Promise<void> {
  const versions = await client.sops.versions({ params: { id } });
  if (versions.some((one) => one.version === version)) return;
  const known = versions.slice(0, 5).map((one) => one.version);
  throw invalid("not_found", `${number} has no version ${version}, or you can't see it`, {
    hint: `the last ones are ${known.join(", ")}`,
  });
}

function warningsOf(header: string | null): string[] {
  if (header === null) return [];
  try {
    const parsed: unknown = JSON.parse(decodeURIComponent(header));
    return Array.isArray(parsed) ? parsed.filter((one) => typeof one === "string") : [];
  } catch {
    return [];
  }
}

/**
 * The SOP's audit rows, oldest first; null for users who can't read the log. Leaves out rows of exports, so that two
 * exports in a row are equal.
 */
async function auditOf({ client }: SignedInClient, entityId: string): Promise<unknown[] | null> {
  const rows: { action: string }[] = [];
  let cursor: string | undefined;
  try {
    do {
      const query = { entityType: "sop", entityId, limit: 200, ...(cursor !== undefined && { cursor }) };
      const page = await client.audit.list({ query });
      rows.push(...page.data);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
  } catch (error) {
    if (error instanceof ApiError && error.code === "forbidden") return null;
    throw error;
  }
  return rows.filter(({ action }) => action !== "sop.export").reverse();
}
