/** Collects the words that a shell completes from the tree of commands. */
import type { Argument, Command, Option } from "commander";

export interface Flag {
  /** All names of the flag, such as `--format` and `-f`. */
  names: string[];
  description: string;
  takesValue: boolean;
  choices: readonly string[];
}

export interface CommandNode {
  /** The command's words after `sop`, such as `token create`; empty for the program itself. */
  path: string;
  description: string;
  commands: { name: string; description: string }[];
  flags: Flag[];
  /** Fixed words that the command accepts as an argument. */
  words: readonly string[];
  /** True if an argument can be a file. */
  takesFiles: boolean;
}

/** Lists the program first and each command after its parent. */
export function completionTreeOf(program: Command): CommandNode[] {
  return [
    completionNodeOf(program, "", []),
    ...program.commands.flatMap((command) => completionNodesOf(command, "", program.options)),
  ];
}

function completionNodesOf(command: Command, path: string, globals: readonly Option[]): CommandNode[] {
  const name = `${path} ${command.name()}`.trim();
  return [
    completionNodeOf(command, name, globals),
    ...command.commands.flatMap((child) => completionNodesOf(child, name, globals)),
  ];
}

function completionNodeOf(command: Command, path: string, globals: readonly Option[]): CommandNode {
  const help: Flag = { names: ["-h", "--help"], description: "display help", takesValue: false, choices: [] };
  const own = command.options.filter(({ hidden }) => !hidden);
  return {
    path,
    description: command.description(),
    commands: command.commands.map((child) => ({ name: child.name(), description: child.description() })),
    flags: [...own, ...globals].map(completionFlagOf).concat(help),
    words: command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices),
    takesFiles: command.registeredArguments.some(canBeFile),
  };
}

function completionFlagOf({ short, long, description, required, optional, argChoices = [] }: Option): Flag {
  const names = [short, long].filter((name) => name !== undefined);
  return { names, description, takesValue: required || optional, choices: argChoices };
}

function canBeFile(argument: Argument): boolean {
  return argument.argChoices === undefined && /path|src|file|dir|sop|id/.test(argument.name());
}
