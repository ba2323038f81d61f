/**
 * Finds the workspace: the folder of the `--config` file, or else the nearest folder with `sop.config.yaml`, from the
 * working folder upwards.
 */
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { invalidInputError } from "../exit.ts";
import type { CommandContext } from "../context.ts";

export const workspaceConfigName = "sop.config.yaml";

/** @returns the root of the workspace. @throws exit 2 outside one */
export function findWorkspace({ cwd, flags }: Pick<CommandContext, "cwd" | "flags">): string {
  if (flags.config !== undefined) {
    const file = resolve(cwd, flags.config);
    if (!existsSync(file)) throw invalidInputError("no_match", `--config ${flags.config}: file not found`);
    return dirname(file);
  }
  const root = findWorkspaceAbove(cwd);
  if (root !== null) return root;
  throw invalidInputError("no_workspace", `${cwd} is not in a workspace: no ${workspaceConfigName} here or above`, {
    hint: "run `sop init` to create one",
  });
}

export function findWorkspaceAbove(folder: string): string | null {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, workspaceConfigName))) return at;
    if (at === dirname(at)) return null;
  }
}
