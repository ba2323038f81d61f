/** Stores, under `.sop/` of a workspace, the server's version and text that each file is based on. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { isId } from "#core/ids.ts";
import { invalidInputError } from "../exit.ts";
import { readIfExists, writeFileAtomically } from "../files.ts";

export interface TrackedSop {
  number: string;
  /** The path of the local file from the root, with forward slashes. */
  path: string;
  /** The file's path in the server's repository. If it changes there, the local file moves too. */
  remotePath: string;
  version: number;
  /** The SHA-256 of that version's file on the server. */
  sha256: string;
}

export interface WorkspaceState {
  schema: 1;
  server: string;
  company: string;
  /** Records by the SOP's id. */
  sops: Record<string, TrackedSop>;
}

const stateFilePath = (root: string) => join(root, ".sop", "state.json");

/** Returns null if nothing was pulled or pushed here yet. @throws exit 2 if the file isn't a state file */
export async function loadState(root: string): Promise<WorkspaceState | null> {
  const bytes = await readIfExists(stateFilePath(root));
  if (bytes === null) return null;
  try {
    const state = JSON.parse(bytes.toString("utf8")) as WorkspaceState;
    if (state.schema === 1 && Object.entries(state.sops).every(isValidTrackedSop)) return state;
  } catch {
    // The throw below reports a broken file and says what to do.
  }
  throw invalidInputError("state", ".sop/state.json: this is not what `sop pull` wrote", {
    path: ".sop/state.json",
    hint: "delete .sop/state.json and run `sop pull`: unchanged files are linked again",
  });
}

/** Checks a record. A state file can come from a stranger, so no path in it may lead out of the workspace. */
function isValidTrackedSop([id, sop]: [string, TrackedSop]): boolean {
  const { path, number, version, sha256 } = sop;
  const texts = [path, sop.remotePath, number, sha256].every((value) => typeof value === "string");
  return isId(id) && texts && Number.isInteger(version) && !`/${path}/`.includes("/../") && !/^([\\/]|\w:)/.test(path);
}

export async function saveState(root: string, state: WorkspaceState): Promise<void> {
  const sops = Object.fromEntries(Object.entries(state.sops).sort(([a], [b]) => (a < b ? -1 : 1)));
  await writeFileAtomically(stateFilePath(root), `${JSON.stringify({ ...state, sops }, null, 2)}\n`);
}

/** Returns the SOP whose file was at the path, with its id. */
export function trackedSopAt({ sops }: WorkspaceState, path: string): [id: string, TrackedSop] | undefined {
  return Object.entries(sops).find(([, sop]) => sop.path === path);
}

const baseFilePath = (root: string, id: string) => join(root, ".sop", "base", `${id}.md`);

/** Reads the server's text that the local file is based on; null if none is stored. */
export async function readBaseText(root: string, id: string): Promise<string | null> {
  return (await readIfExists(baseFilePath(root, id)))?.toString("utf8") ?? null;
}

export async function writeBaseText(root: string, id: string, text: string): Promise<void> {
  await writeFileAtomically(baseFilePath(root, id), text);
}

export async function deleteBaseText(root: string, id: string): Promise<void> {
  await rm(baseFilePath(root, id), { force: true });
}
