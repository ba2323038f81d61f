/** Finds the workspace: the nearest folder with `sop.config.yaml`, from the working folder upwards. */
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { invalid } from "../exit.ts";
import type { Context } from "../context.ts";

export const configName = "sop.config.yaml";

/** @returns the root of the workspace. @throws exit 2 outside one */
export function findWorkspace({ cwd, flags }: Pick<Context, "cwd" | "flags">): string {
  if (flags.config !== undefined) {
    const file = resolve(cwd, flags.config);
    if (!existsSync(file)) throw invalid("no_match", `--config ${flags.config}: file not found`);
    return dirname(file);
  }
  const root = workspaceAt(cwd);
  if (root !== null) return root;
  throw invalid("no_workspace", `${cwd} is not in a workspace: no ${configName} here or above`, {
    hint: "run `sop init` to create one",
  });
}

export function workspaceAt(folder: string): string | null {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, configName))) return at;
    if (at === dirname(at)) return null;
  }
}
