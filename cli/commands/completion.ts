import type { Command } from "commander";
import { completionScript } from "../completion/scripts.ts";
import { completionTreeOf } from "../completion/tree.ts";
import { exit } from "../exit.ts";
import type { CommandContext, CommandResult } from "../context.ts";
import type { Shell } from "../option-values.ts";

/**
 * Creates the action of `sop completion`.
 * @param program all commands; a parameter, because importing them would import this module again
 */
export function createCompletionAction(program: Command) {
  return (_context: CommandContext, shell: Shell): Promise<CommandResult> => {
    const script = completionScript(shell, completionTreeOf(program));
    return Promise.resolve({ exit: exit.done, data: { shell, script }, text: script });
  };
}
