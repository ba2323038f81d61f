/** The checks of `sop doctor`. Each reports its state and, if there is a problem, a fix. */
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { createClient } from "#core/api/client.ts";
import { routes } from "#core/api/routes.ts";
import type { Schemas } from "#core/api/schemas.ts";
import { CliError, exit, failureOf } from "../exit.ts";
import { createConfigFinder } from "../lint/config.ts";
import { isTooOld, oldestNode } from "../oldest-node.ts";
import { typesetterCommand } from "../package-folder.ts";
import { createSend, fetchFrom, findConnection, type Connection } from "../server.ts";
import { readDocuments } from "../workspace/documents.ts";
import { configName, findWorkspace } from "../workspace/find.ts";
import { git } from "../workspace/git.ts";
import { loadState } from "../workspace/state.ts";
import type { Context } from "../context.ts";

export interface Check {
  name: string;
  /** `note` means that an optional part is missing. */
  state: "ok" | "note" | "failed";
  says: string;
  hint?: string;
}

type Found = Omit<Check, "name">;
const ok = (says: string): Found => ({ state: "ok", says });
const note = (says: string, hint: string): Found => ({ state: "note", says, hint });
const failed = (says: string, hint?: string): Found => ({ state: "failed", says, ...(hint !== undefined && { hint }) });

export async function runChecks(context: Context): Promise<Check[]> {
  const checks: [string, () => Found | Promise<Found>][] = [
    ["node", checkNode],
    ["workspace", () => checkWorkspace(context)],
    ["config", () => checkConfig(context)],
    ["state", () => checkState(context)],
    ["git", checkGit],
    ["pdf", checkPdf],
    ["server", () => checkServer(context)],
    ["token", () => checkToken(context)],
  ];
  const found: Check[] = [];
  for (const [name, look] of checks) {
    context.signal.throwIfAborted();
    context.out.progress(`checking ${name}`);
    found.push({ name, ...(await guarded(look)) });
  }
  context.out.progress(null);
  return found;
}

/** An error during a check makes the check fail with that error's message. */
async function guarded(look: () => Found | Promise<Found>): Promise<Found> {
  try {
    return await look();
  } catch (error) {
    const { exit: code, problem } = failureOf(error);
    if (code === exit.interrupted || problem.code === "bug") throw error;
    return failed(problem.message, problem.hint);
  }
}

function checkNode(): Found {
  const { node } = process.versions;
  if (!isTooOld(node)) return ok(`Node ${node}`);
  return failed(`Node ${node} is too old`, `install Node ${oldestNode} or newer: https://nodejs.org`);
}

/** Being outside a workspace is no problem: `lint`, `fmt`, `import` and `export` work anywhere. */
function rootOf(context: Context): string | null {
  try {
    return findWorkspace(context);
  } catch (error) {
    if (error instanceof CliError && error.problem.code === "no_workspace") return null;
    throw error;
  }
}

const outside = note("not in a workspace", "run `sop init` to create one");

async function checkWorkspace(context: Context): Promise<Found> {
  const root = rootOf(context);
  if (root === null) return outside;
  await access(root, constants.W_OK);
  const { documents, unreadable } = await readDocuments(root, context.signal);
  const [first] = unreadable;
  if (first !== undefined) return failed(first.message, first.hint);
  return ok(`${root}, ${documents.length} ${documents.length === 1 ? "document" : "documents"}`);
}

async function checkConfig(context: Context): Promise<Found> {
  const named = context.flags.config && resolve(context.cwd, context.flags.config);
  const { preset } = await createConfigFinder(named)(join(context.cwd, "any.md"));
  const root = rootOf(context);
  return ok(`preset ${preset}${root === null ? `, no ${configName}` : ""}`);
}

async function checkState(context: Context): Promise<Found> {
  const root = rootOf(context);
  if (root === null) return outside;
  const state = await loadState(root);
  if (state === null) return note("nothing was pulled or pushed from here yet", "run `sop pull`");
  return ok(`${Object.keys(state.sops).length} SOPs of ${state.server} are tracked`);
}

async function checkGit(): Promise<Found> {
  try {
    return ok((await git(process.cwd(), ["--version"])).stdout.trim());
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return note(
      "git is not installed",
      "install it for `sop lint --changed`, `sop init --git` and the history of files",
    );
  }
}

/** PDFs are typeset by Typst, which comes as a package with a binary for each system; no browser is needed. */
function checkPdf(): Found {
  const require = createRequire(import.meta.url);
  try {
    require.resolve("@myriaddreamin/typst-ts-node-compiler");
    require.resolve("@expo-google-fonts/noto-sans/package.json");
    require.resolve("@expo-google-fonts/noto-sans-mono/package.json");
    return ok("the typesetter and its fonts are installed; no browser is needed");
  } catch {
    const command = typesetterCommand();
    if (command !== null) return note("not installed: 80 MB, for export --format pdf without a server", command);
    return failed(
      "the typesetter or its fonts are missing",
      "install the program again; until then export --format html",
    );
  }
}

async function connectionOf(context: Context): Promise<Connection> {
  const root = rootOf(context);
  const state = root === null ? null : await loadState(root);
  const { flags, env } = context;
  const isNamed = flags.server !== undefined || flags.profile !== undefined || env["SOP_SERVER"] || env["SOP_TOKEN"];
  return await findConnection(isNamed || state === null ? context : { env, flags: { ...flags, server: state.server } });
}

async function checkServer(context: Context): Promise<Found> {
  const { server } = await connectionOf(context);
  const response = await fetchFrom(server, context.signal, { method: "GET", url: "/healthz", headers: {} }, {});
  if (response.ok) return ok(server);
  return failed(`${server} answers ${response.status}`, "check that --server or SOP_SERVER names a Sopwright server");
}

async function checkToken(context: Context): Promise<Found> {
  const { server, token, source } = await connectionOf(context);
  if (token === null)
    return note(`not signed in at ${server}`, `run \`sop login --server ${server}\`, or set SOP_TOKEN`);
  const headers = { authorization: `Bearer ${token}` };
  const { user } = await createClient<Schemas>(routes, createSend(server, context.signal, headers)).auth.me();
  return ok(`${user.username} (${user.role}) by ${source === "SOP_TOKEN" ? "SOP_TOKEN" : "sop login"}`);
}
