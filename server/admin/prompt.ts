import process from "node:process";
import type inquirer from "inquirer";

/** Questions on a terminal: on standard error, so that standard output stays data. Loaded only when something is asked. */
export async function openPrompt(): Promise<ReturnType<typeof inquirer.createPromptModule>> {
  const { default: loaded } = await import("inquirer");
  return loaded.createPromptModule({ output: process.stderr });
}
