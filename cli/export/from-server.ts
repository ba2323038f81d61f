/** Exports documents of the server. The server makes each file and records each export in its audit log. */
import { ApiError, buildRequest, type ApiRequest } from "#core/api/client.ts";
import type { AuditRow } from "#core/audit/schema.ts";
import { routes } from "#core/api/routes.ts";
import { exportDocumentOfSop, markdownFileEnding, versionStateOf, type ExportedSop } from "#core/export/of-sop.ts";
import { withServerAddress } from "#core/markdown/live-titles.ts";
import { assetPath, sopPath } from "#core/repository/names.ts";
import { invalidInputError } from "../exit.ts";
import type { ServerFilter } from "../list-filters.ts";
import type { SignedInClient } from "../server.ts";
import { findSops, type ExportRow } from "./read.ts";
import type { ExportEntry, DocumentSource } from "./source.ts";

export interface ServerSelection {
  ids: readonly string[];
  filters: ServerFilter;
  /** The version to export; only if a single SOP is exported. */
  version?: number;
  progress(text: string | null): void;
  note(text: string): void;
}

export async function openServerSource(signedIn: SignedInClient, selection: ServerSelection): Promise<DocumentSource> {
  const { client, receive, connection } = signedIn;
  const exporting = { ...signedIn, progress: selection.progress };
  const { rows, leftOut } = await findSops(exporting, selection.ids, selection.filters);
  const drafts = rows
    .filter(({ version, published }) => (selection.version ?? version) > (published?.version ?? 0))
    .map(({ number }) => number);
  if (drafts.length > 0) selection.note(`Not published: ${drafts.join(", ")}`);
  const [first] = rows;
  if (selection.version !== undefined && first) await assertVersionExists(signedIn, first, selection.version);
  const slugs = new Map((await client.categories.list()).map(({ id, slug }) => [id, slug]));
  const entries = rows.map((row) => ({
    id: row.id,
    number: row.number,
    title: row.title,
    path: exportPathOf(row, slugs),
    ending: markdownFileEnding(versionStateOf(selection.version ?? row.version, row)),
  }));
  const { view } = selection.filters;
  const chosen = {
    ...(selection.version !== undefined && { version: selection.version }),
    ...(view !== undefined && { view }),
  };
  const receiveExport = (
    entry: ExportEntry,
    format: "md" | "json" | "html" | "pdf" | "docx",
    more: { standard?: "a-2b" } = {},
  ) =>
    receive(
      buildRequest(routes.sops.export, { params: { id: requiredIdOf(entry) }, query: { format, ...chosen, ...more } }),
    );
  const receiveSopJson = async (entry: ExportEntry) =>
    JSON.parse(Buffer.from((await receiveExport(entry, "json")).bytes).toString()) as ExportedSop;

  const noted = new Set<string>();
  const noteOnce = (text: string) => {
    if (!noted.has(text)) selection.note(text);
    noted.add(text);
  };
  const receiveImage = async (name: string) => (await receive(imageRequest(name))).bytes;

  return {
    entries,
    leftOut,
    async text(entry) {
      const { bytes, headers } = await receiveExport(entry, "md");
      for (const warning of parseWarningsHeader(headers.get("x-export-warnings")))
        noteOnce(`${entry.number}: ${warning}`);
      return Buffer.from(bytes).toString();
    },
    async read(entry) {
      const sop = await receiveSopJson(entry);
      const html = withServerAddress(sop.content, connection.server, { files: false });
      return { document: exportDocumentOfSop(sop), html };
    },
    json: receiveSopJson,
    async renderFile(entry, format, standard) {
      const { bytes, headers } = await receiveExport(entry, format, standard === null ? {} : { standard });
      return { bytes, warnings: parseWarningsHeader(headers.get("x-export-warnings")) };
    },
    image: receiveImage,
    attachments: (_, text) =>
      Promise.resolve(assetNames(text).map((name) => ({ path: assetPath(name), bytes: () => receiveImage(name) }))),
    async records(entry) {
      const params = { id: requiredIdOf(entry) };
      const [approvals, versions, periods] = await Promise.all([
        client.approvals.list({ query: { sopId: params.id } }),
        client.sops.versions({ params }),
        client.sops.publishedPeriods({ params }),
      ]);
      const audit = await fetchAuditRows(signedIn, params.id);
      const all = { versions, inForce: periods, approvals, audit };
      return view === undefined ? all : publishedRecords(all);
    },
    close: () => Promise.resolve(),
  };
}

interface Records {
  versions: readonly { version: number }[];
  inForce: readonly { version: number; title: string }[];
  approvals: readonly { version: number }[];
  audit: readonly AuditRow[] | null;
}

/** Leaves out records of versions that were never published: their titles, notes and requests. */
function publishedRecords({ versions, inForce, approvals, audit }: Records): Record<string, unknown> {
  const published = new Set<unknown>(inForce.map(({ version }) => version));
  const publishedRows = <Row extends { version: number }>(rows: readonly Row[]) =>
    rows.filter(({ version }) => published.has(version));
  const entityName = inForce[0]?.title ?? null;
  const rows = audit?.filter(({ changes }) => published.has(changes?.["version"])) ?? null;
  return {
    versions: publishedRows(versions),
    inForce,
    approvals: publishedRows(approvals),
    audit: rows?.map((row) => ({ ...row, entityName })) ?? null,
  };
}

function imageRequest(name: string): ApiRequest {
  return buildRequest(routes.assets.get, { params: { sha256: name } });
}

/** Returns the names of linked assets in the form that the repository uses. */
function assetNames(text: string): string[] {
  const names = [...text.matchAll(/assets\/[0-9a-f]{2}\/([0-9a-f]{64}\.[a-z]{3,4})\b/g)].map(([, name]) => name ?? "");
  return [...new Set(names)];
}

function requiredIdOf({ id, number }: ExportEntry): string {
  if (id === null) throw new Error(`${number} has no id`);
  return id;
}

function exportPathOf(row: ExportRow, slugs: ReadonlyMap<string, string>): string {
  const categorySlug = row.categoryId === null ? null : (slugs.get(row.categoryId) ?? null);
  const path = sopPath({ ...row, label: row.number, categorySlug, archived: row.status === "archived" });
  return path.replace(/\.md$/, "");
}

async function assertVersionExists(
  { client }: SignedInClient,
  { id, number }: ExportRow,
  version: number,
): Promise<void> {
  const versions = await client.sops.versions({ params: { id } });
  if (versions.some((one) => one.version === version)) return;
  const known = versions.slice(0, 5).map((one) => one.version);
  throw invalidInputError("not_found", `${number} has no version ${version}, or you can't see it`, {
    hint: `the last ones are ${known.join(", ")}`,
  });
}

function parseWarningsHeader(header: string | null): string[] {
  if (header === null) return [];
  try {
    const parsed: unknown = JSON.parse(decodeURIComponent(header));
    return Array.isArray(parsed) ? parsed.filter((one) => typeof one === "string") : [];
  } catch {
    return [];
  }
}

/**
 * Reads the SOP's audit rows, oldest first; null for users who can't read the log. Leaves out rows of exports, so that
 * two exports in a row are equal.
 */
async function fetchAuditRows({ client }: SignedInClient, entityId: string): Promise<AuditRow[] | null> {
  const rows: AuditRow[] = [];
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
