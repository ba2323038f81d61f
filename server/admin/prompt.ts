import process from "node:process";
import type inquirer from "inquirer";

/**
 * Opens questions on a terminal. They go to standard error, so that standard output has only data. Loads the library
 * only when needed.
 */
export async function openPrompt(): Promise<ReturnType<typeof inquirer.createPromptModule>> {
  const { default: loaded } = await import("inquirer");
  return loaded.createPromptModule({ output: process.stderr });
}
