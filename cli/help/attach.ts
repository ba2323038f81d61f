/** Adds groups of commands to Commander's help, and a paragraph and examples under each command. */
import { Command } from "commander";
import { commandGuides } from "./examples.ts";

export function groupCommands(program: Command): void {
  const order = Object.values(commandGroups).flat();
  const positionOf = (command: Command) => order.indexOf(command.name());
  // Commander lists groups in the order of their first commands, so this order also sets that of completion and docs.
  (program.commands as Command[]).sort((a, b) => positionOf(a) - positionOf(b));
  for (const [heading, names] of Object.entries(commandGroups)) {
    for (const command of program.commands) if (names.includes(command.name())) command.helpGroup(`${heading}:`);
  }
  const help = new Command("help").argument("[command]").description("display help for a command");
  program.addHelpCommand(help.helpGroup("Scripts and operators:"));
}

/** The groups of `sop --help`. Commands outside every group come first. */
export const commandGroups: Readonly<Record<string, readonly string[]>> = {
  Write: ["init", "new", "generate", "improve", "serve", "lint", "ci", "fmt", "config"],
  "With the server": [
    "login",
    "logout",
    "whoami",
    "token",
    "search",
    "pull",
    "push",
    "status",
    "diff",
    "log",
    "proposals",
  ],
  Approve: ["submit", "approve", "reject"],
  "In and out": ["import", "export", "fonts", "verify"],
  "Scripts and operators": ["api", "admin", "doctor", "completion"],
};

/** @param path the command's words after `sop`, such as `token create` */
export function addGuideToHelp(command: Command, path: string): void {
  command.addHelpText("after", () => guideText(path));
}

function guideText(path: string): string {
  const { about, examples } = commandGuides[path] ?? { examples: [] };
  const lines = examples.map(([line, says]) => `  ${line}\n      ${says}`);
  return [
    ...(about === undefined ? [] : ["", wrapToWidth(about)]),
    ...(lines.length === 0 ? [] : ["", "Examples:", ...lines]),
  ].join("\n");
}

const width = 78;

function wrapToWidth(text: string): string {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length >= width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.join("\n");
}
