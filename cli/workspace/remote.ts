/** Reads the server's side of a workspace: its SOPs, their paths in the repository, and their files. */
import { ApiError, buildRequest } from "#core/api/client.ts";
import { routes } from "#core/api/routes.ts";
import { sopPath } from "#core/repository/names.ts";
import type { SopRow } from "#core/sops/schema.ts";
import { connectSignedIn, findConnection, readSopPages, type SignedInClient } from "../server.ts";
import { CliError, exit, invalidInputError, type Problem } from "../exit.ts";
import { problemOfOneDocument } from "../left-out-sops.ts";
import { runParallel } from "../run-parallel.ts";
import { serverFiltersOf, type ListFilterOptions } from "../list-filters.ts";
import type { CommandContext } from "../context.ts";
import type { WorkspaceState } from "./state.ts";

export interface RemoteSop {
  id: string;
  number: string;
  title: string;
  /** The version that the user sees: the latest or the published one. */
  version: number;
  /** The SHA-256 of the version's file. */
  sha256: string;
  path: string;
  archived: boolean;
}

export interface RemoteCompany extends SignedInClient {
  /** The id of the company. */
  company: string;
  companyName: string;
  /** Slugs of the categories by id, fetched once. */
  slugs(): Promise<ReadonlyMap<string, string>>;
}

/**
 * Connects to the workspace's server. A server that only the workspace's state file names gets no SOP_TOKEN, but only
 * tokens of this machine's sign-ins.
 * @throws exit 2 for another server or company than last time, 4 without a token
 */
export async function connectWorkspace(context: CommandContext, state: WorkspaceState | null): Promise<RemoteCompany> {
  const { flags, env } = context;
  const isNamed = flags.server !== undefined || flags.profile !== undefined || env["SOP_SERVER"] || env["SOP_TOKEN"];
  const own = isNamed || state === null ? context : { ...context, flags: { ...flags, server: state.server } };
  const { server } = await findConnection(own);
  if (state !== null && state.server !== server) {
    throw invalidInputError("other_server", `this workspace belongs to ${state.server}, not to ${server}`, {
      hint: `use --server ${state.server}, or create another folder for the other server`,
    });
  }
  const signedIn = await connectSignedIn(own);
  const { user } = await signedIn.client.auth.me();
  if (state !== null && state.company !== user.companyId) {
    throw invalidInputError("other_company", `${user.username} isn't in the company of this workspace`, {
      hint: "sign in as a user of that company, or create another folder",
    });
  }
  let slugs: Promise<ReadonlyMap<string, string>> | undefined;
  const readSlugs = async () => new Map((await signedIn.client.categories.list()).map(({ id, slug }) => [id, slug]));
  return { ...signedIn, company: user.companyId, companyName: user.company.name, slugs: () => (slugs ??= readSlugs()) };
}

export interface RemoteSops {
  /** All SOPs that the user can see, with archived ones, by id. */
  sops: ReadonlyMap<string, RemoteSop>;
  /** The number of SOPs that the server can't read, so that its list doesn't have them. */
  unreadable: number;
  /** The server's refusals of known SOPs that it can't read, by id. */
  damaged: ReadonlyMap<string, Problem>;
}

/**
 * Lists all SOPs that the user can see, archived SOPs too.
 * @param known the ids of SOPs that the workspace knows; if the server can't list all SOPs, it is asked for each known
 * one that is missing
 */
export async function listRemoteSops(
  remote: RemoteCompany,
  known: Iterable<string>,
  progress: (text: string) => void,
): Promise<RemoteSops> {
  const { client } = remote;
  const categories = await remote.slugs();
  const found = new Map<string, RemoteSop>();
  const damaged = new Map<string, Problem>();
  let unreadable = 0;
  for (const status of ["all", "archived"] as const) {
    for await (const page of readSopPages(client, { status })) {
      for (const row of page.data) found.set(row.id, remoteSopOf(row, categories));
      unreadable = Math.max(unreadable, page.unreadable ?? 0);
      progress(`${found.size} SOPs listed`);
    }
  }
  const missing = unreadable === 0 ? [] : [...new Set(known)].filter((id) => !found.has(id));
  await runParallel(missing, async (id) => {
    try {
      found.set(id, await fetchRemoteSop(remote, id));
    } catch (error) {
      const problem = problemOfOneDocument(null, error);
      if (problem !== undefined) damaged.set(id, problem);
      else if (!(error instanceof ApiError) || error.code !== "not_found") throw error;
    }
  });
  return { sops: found, unreadable, damaged };
}

/** Returns the ids of SOPs that match the filters; null without filters. */
export async function fetchMatchingIds(
  { client }: RemoteCompany,
  options: ListFilterOptions,
): Promise<ReadonlySet<string> | null> {
  const { status: _, ...filters } = serverFiltersOf(options);
  if (Object.keys(filters).length === 0) return null;
  const ids = new Set<string>();
  for (const status of ["all", "archived"] as const) {
    for await (const { data } of readSopPages(client, { status, ...filters })) for (const { id } of data) ids.add(id);
  }
  return ids;
}

export async function fetchRemoteSop({ client, slugs }: RemoteCompany, id: string): Promise<RemoteSop> {
  return remoteSopOf(await client.sops.get({ params: { id } }), await slugs());
}

function remoteSopOf(row: SopRow, slugs: ReadonlyMap<string, string>): RemoteSop {
  const archived = row.status === "archived";
  const categorySlug = slugs.get(row.categoryId ?? "") ?? null;
  const path = sopPath({ ...row, label: row.number, categorySlug, archived });
  // Paths come from the server, so none can be allowed to lead out of the folder.
  if (!/^(?:sops|templates|archive)\/[a-z0-9-]+\/[a-z0-9]+(?:[.-][a-z0-9]+)*\.md$/.test(path)) {
    throw new CliError(exit.network, {
      code: "unexpected_answer",
      message: `the server names a file outside the folder: ${path}`,
    });
  }
  const { id, title, version, contentHash: sha256 } = row;
  return { id, number: row.number, title, version, sha256, path, archived };
}

/** Returns the text of a version exactly as in the server's git repository; null if the user can't see the version. */
export async function fetchSopText({ send }: RemoteCompany, id: string, version?: number): Promise<string | null> {
  const query = { format: "md", ...(version !== undefined && { version }) };
  const answer = await send(buildRequest(routes.sops.export, { params: { id }, query }));
  const text = await answer.text();
  if (answer.status === 404) return null;
  if (answer.status !== 200) throw new ApiError(answer.status, text, answer.statusText);
  return text;
}
