/** Collects the words that a shell completes from the tree of commands. */
import type { Argument, Command, Option } from "commander";

export interface Flag {
  /** All names of the flag, such as `--format` and `-f`. */
  names: string[];
  description: string;
  takesValue: boolean;
  choices: readonly string[];
}

export interface Node {
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
export function nodesOf(program: Command): Node[] {
  return [nodeOf(program, "", []), ...program.commands.flatMap((command) => below(command, "", program.options))];
}

function below(command: Command, path: string, globals: readonly Option[]): Node[] {
  const name = `${path} ${command.name()}`.trim();
  return [nodeOf(command, name, globals), ...command.commands.flatMap((child) => below(child, name, globals))];
}

function nodeOf(command: Command, path: string, globals: readonly Option[]): Node {
  const help: Flag = { names: ["-h", "--help"], description: "display help", takesValue: false, choices: [] };
  const own = command.options.filter(({ hidden }) => !hidden);
  return {
    path,
    description: command.description(),
    commands: command.commands.map((child) => ({ name: child.name(), description: child.description() })),
    flags: [...own, ...globals].map(flagOf).concat(help),
    words: command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices),
    takesFiles: command.registeredArguments.some(mayBeFile),
  };
}

function flagOf({ short, long, description, required, optional, argChoices = [] }: Option): Flag {
  const names = [short, long].filter((name) => name !== undefined);
  return { names, description, takesValue: required || optional, choices: argChoices };
}

function mayBeFile(argument: Argument): boolean {
  return argument.argChoices === undefined && /path|src|file|dir|sop|id/.test(argument.name());
}
