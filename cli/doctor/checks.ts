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
import { typesetterInstallCommand } from "../package-folder.ts";
import { createSend, fetchFromServer, findConnection, type ServerConnection } from "../server.ts";
import { readDocuments } from "../workspace/documents.ts";
import { workspaceConfigName, findWorkspace } from "../workspace/find.ts";
import { runWorkspaceGit } from "../workspace/git.ts";
import { loadState } from "../workspace/state.ts";
import type { CommandContext } from "../context.ts";

export interface DoctorCheck {
  name: string;
  /** `note` means that an optional part is missing. */
  state: "ok" | "note" | "failed";
  says: string;
  hint?: string;
}

type CheckResult = Omit<DoctorCheck, "name">;
const passedCheck = (says: string): CheckResult => ({ state: "ok", says });
const noteCheck = (says: string, hint: string): CheckResult => ({ state: "note", says, hint });
const failedCheck = (says: string, hint?: string): CheckResult => ({
  state: "failed",
  says,
  ...(hint !== undefined && { hint }),
});

export async function runChecks(context: CommandContext): Promise<DoctorCheck[]> {
  const checks: [string, () => CheckResult | Promise<CheckResult>][] = [
    ["node", checkNode],
    ["workspace", () => checkWorkspace(context)],
    ["config", () => checkWorkspaceConfig(context)],
    ["state", () => checkStateFile(context)],
    ["git", checkGit],
    ["pdf", checkPdf],
    ["server", () => checkServer(context)],
    ["token", () => checkToken(context)],
  ];
  const found: DoctorCheck[] = [];
  for (const [name, look] of checks) {
    context.signal.throwIfAborted();
    context.out.progress(`checking ${name}`);
    found.push({ name, ...(await runCheckSafely(look)) });
  }
  context.out.progress(null);
  return found;
}

/**
 * Runs a check. A check that throws an error counts as failed, with that error's message. An interruption and a bug are
 * thrown.
 */
async function runCheckSafely(look: () => CheckResult | Promise<CheckResult>): Promise<CheckResult> {
  try {
    return await look();
  } catch (error) {
    const { exit: code, problem } = failureOf(error);
    if (code === exit.interrupted || problem.code === "bug") throw error;
    return failedCheck(problem.message, problem.hint);
  }
}

function checkNode(): CheckResult {
  const { node } = process.versions;
  if (!isTooOld(node)) return passedCheck(`Node ${node}`);
  return failedCheck(`Node ${node} is too old`, `install Node ${oldestNode} or newer: https://nodejs.org`);
}

/** Returns null outside a workspace, which is no problem: `lint`, `fmt`, `import` and `export` work anywhere. */
function workspaceRootOrNull(context: CommandContext): string | null {
  try {
    return findWorkspace(context);
  } catch (error) {
    if (error instanceof CliError && error.problem.code === "no_workspace") return null;
    throw error;
  }
}

const notInWorkspace = noteCheck("not in a workspace", "run `sop init` to create one");

async function checkWorkspace(context: CommandContext): Promise<CheckResult> {
  const root = workspaceRootOrNull(context);
  if (root === null) return notInWorkspace;
  await access(root, constants.W_OK);
  const { documents, unreadable } = await readDocuments(root, context.signal);
  const [first] = unreadable;
  if (first !== undefined) return failedCheck(first.message, first.hint);
  return passedCheck(`${root}, ${documents.length} ${documents.length === 1 ? "document" : "documents"}`);
}

async function checkWorkspaceConfig(context: CommandContext): Promise<CheckResult> {
  const named = context.flags.config && resolve(context.cwd, context.flags.config);
  const { preset } = await createConfigFinder(named)(join(context.cwd, "any.md"));
  const root = workspaceRootOrNull(context);
  return passedCheck(`preset ${preset}${root === null ? `, no ${workspaceConfigName}` : ""}`);
}

async function checkStateFile(context: CommandContext): Promise<CheckResult> {
  const root = workspaceRootOrNull(context);
  if (root === null) return notInWorkspace;
  const state = await loadState(root);
  if (state === null) return noteCheck("nothing was pulled or pushed from here yet", "run `sop pull`");
  return passedCheck(`${Object.keys(state.sops).length} SOPs of ${state.server} are tracked`);
}

async function checkGit(): Promise<CheckResult> {
  try {
    return passedCheck((await runWorkspaceGit(process.cwd(), ["--version"])).stdout.trim());
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return noteCheck(
      "git is not installed",
      "install it for `sop lint --changed`, `sop init --git` and the history of files",
    );
  }
}

/** PDFs are typeset by Typst, which comes as a package with a binary for each system; no browser is needed. */
function checkPdf(): CheckResult {
  const require = createRequire(import.meta.url);
  try {
    require.resolve("@myriaddreamin/typst-ts-node-compiler");
    require.resolve("@expo-google-fonts/noto-sans/package.json");
    require.resolve("@expo-google-fonts/noto-sans-mono/package.json");
    return passedCheck("the typesetter and its fonts are installed; no browser is needed");
  } catch {
    const command = typesetterInstallCommand();
    if (command !== null) return noteCheck("not installed: 80 MB, for export --format pdf without a server", command);
    return failedCheck(
      "the typesetter or its fonts are missing",
      "install the program again; until then export --format html",
    );
  }
}

async function findDoctorConnection(context: CommandContext): Promise<ServerConnection> {
  const root = workspaceRootOrNull(context);
  const state = root === null ? null : await loadState(root);
  const { flags, env } = context;
  const isNamed = flags.server !== undefined || flags.profile !== undefined || env["SOP_SERVER"] || env["SOP_TOKEN"];
  return await findConnection(isNamed || state === null ? context : { env, flags: { ...flags, server: state.server } });
}

async function checkServer(context: CommandContext): Promise<CheckResult> {
  const { server } = await findDoctorConnection(context);
  const response = await fetchFromServer(server, context.signal, { method: "GET", url: "/healthz", headers: {} }, {});
  if (response.ok) return passedCheck(server);
  return failedCheck(
    `${server} answers ${response.status}`,
    "check that --server or SOP_SERVER names a Sopwright server",
  );
}

async function checkToken(context: CommandContext): Promise<CheckResult> {
  const { server, token, source } = await findDoctorConnection(context);
  if (token === null)
    return noteCheck(`not signed in at ${server}`, `run \`sop login --server ${server}\`, or set SOP_TOKEN`);
  const headers = { authorization: `Bearer ${token}` };
  const { user } = await createClient<Schemas>(routes, createSend(server, context.signal, headers)).auth.me();
  return passedCheck(`${user.username} (${user.role}) by ${source === "SOP_TOKEN" ? "SOP_TOKEN" : "sop login"}`);
}
