/**
 * Writes the reference of all commands from the tree of commands. It's part of `docs/cli.md` on the site and in
 * packages.
 */
import type { Command, Option } from "commander";
import { commandGuides } from "./examples.ts";

const opening = "<!-- commands -->";
const closing = "<!-- end of commands -->";

/** Puts the reference between the marks in the page. @throws if a mark is missing */
export function withCommandReference(page: string, program: Command): string {
  const [start, end] = [page.indexOf(opening), page.indexOf(closing)];
  if (start === -1 || end < start) throw new Error("the page lacks the marks of its commands");
  return `${page.slice(0, start)}${commandReferenceOf(program)}${page.slice(end + closing.length)}`;
}

function commandReferenceOf(program: Command): string {
  const commands = program.commands.flatMap((command) => commandWithSubcommands(command, ""));
  const rows = commands
    .filter(({ command }) => command.commands.length === 0)
    .map(
      ({ path, command }) =>
        `| [\`sop ${path}\`](#${commandAnchor(path)}) | ${escapedTableCell(command.description())} |`,
    );
  return [
    "## Commands\n",
    "| Command | What it does |\n|---|---|",
    `${rows.join("\n")}\n`,
    "### Flags of every command\n",
    flagTable(program.options),
    ...commands.map(({ path, command }) => commandSection(path, command)),
  ].join("\n");
}

interface CommandWithPath {
  path: string;
  command: Command;
}

function commandWithSubcommands(command: Command, above: string): CommandWithPath[] {
  const path = `${above} ${command.name()}`.trim();
  return [{ path, command }, ...command.commands.flatMap((child) => commandWithSubcommands(child, path))];
}

/** Returns the anchor that GitHub gives the heading of a command. */
const commandAnchor = (path: string) => `sop-${path.replaceAll(" ", "-")}`;

function commandSection(path: string, command: Command): string {
  const { about, examples } = commandGuides[path] ?? { examples: [] };
  const above = path.split(" ").slice(0, -1).join(" ");
  const usage = `sop ${above === "" ? "" : `${above} `}${command.name()} ${command.usage()}`;
  const own = command.options.filter(({ hidden }) => !hidden);
  const kinds = command.registeredArguments
    .filter(({ argChoices }) => argChoices !== undefined)
    .map((argument) => `\`${argument.name()}\` is one of ${codeList(argument.argChoices ?? [])}.\n`);
  const lines = examples.map(([line, says]) => `${line}\n    # ${says}`);
  return [
    `### sop ${path}\n`,
    `${asSentence(command.description())}\n`,
    ...(about === undefined ? [] : [`${about}\n`]),
    `\`\`\`\n${usage.trim()}\n\`\`\`\n`,
    ...kinds,
    ...(own.length === 0 ? [] : [flagTable(own)]),
    ...(lines.length === 0 ? [] : [`\`\`\`sh\n${lines.join("\n")}\n\`\`\`\n`]),
  ].join("\n");
}

function flagTable(options: readonly Option[]): string {
  const rows = options.map(({ flags, description, argChoices, defaultValue }) => {
    const choices = argChoices === undefined ? "" : `: ${codeList(argChoices)}`;
    const usual =
      defaultValue === undefined || typeof defaultValue === "boolean" ? "" : ` (\`${String(defaultValue)}\`)`;
    return `| \`${flags.replaceAll("|", "\\|")}\` | ${escapedTableCell(description)}${choices}${usual} |`;
  });
  return `| Flag | What it does |\n|---|---|\n${rows.join("\n")}\n`;
}

const codeList = (words: readonly string[]) => words.map((word) => `\`${word}\``).join(", ");
const asSentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
/** Escapes a text for a cell of a Markdown table. Angle brackets would otherwise be read as tags and hidden. */
const escapedTableCell = (text: string) => text.replaceAll("|", "\\|").replaceAll("<", "&lt;");
