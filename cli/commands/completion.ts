import type { Command } from "commander";
import { completionScript } from "../completion/scripts.ts";
import { nodesOf } from "../completion/tree.ts";
import { exit } from "../exit.ts";
import type { Context, Result } from "../context.ts";
import type { Shell } from "../option-values.ts";

/** The tree is handed in: a command does not know the program it belongs to. */
export function completionOf(program: Command) {
  return (_context: Context, shell: Shell): Promise<Result> => {
    const script = completionScript(shell, nodesOf(program));
    return Promise.resolve({ exit: exit.done, data: { shell, script }, text: script });
  };
}
