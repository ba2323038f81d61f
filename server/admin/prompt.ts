import process from "node:process";

/** Questions on a terminal: on standard error, so that standard output stays data. Loaded only when something is asked. */
export async function openPrompt() {
  const { default: inquirer } = await import("inquirer");
  return inquirer.createPromptModule({ output: process.stderr });
}
