/** Puts paragraph and examples under the help of every command. */
import type { Command } from "commander";
import { guides } from "./examples.ts";

export function attachGuides(program: Command): void {
  for (const command of program.commands) attach(command, "");
}

function attach(command: Command, above: string): void {
  const path = `${above} ${command.name()}`.trim();
  command.addHelpText("after", () => guideText(path));
  for (const child of command.commands) attach(child, path);
}

function guideText(path: string): string {
  const { about, examples } = guides[path] ?? { examples: [] };
  const lines = examples.map(([line, says]) => `  ${line}\n      ${says}`);
  return [
    ...(about === undefined ? [] : ["", wrapped(about)]),
    ...(lines.length === 0 ? [] : ["", "Examples:", ...lines]),
  ].join("\n");
}

const width = 78;

function wrapped(text: string): string {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length >= width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.join("\n");
}
