/** Asks questions on a terminal. Prompts go to stderr, so that stdout stays data. */
import { invalidInputError } from "./exit.ts";

export interface TerminalPrompts {
  text(message: string, initial?: string): Promise<string>;
  password(message: string): Promise<string>;
  confirm(message: string): Promise<boolean>;
}

export interface AskOptions {
  interactive: boolean;
  /** Answers every confirmation with yes. */
  yes: boolean;
  signal: AbortSignal;
}

export function createTerminalPrompts({ interactive, yes, signal }: AskOptions): TerminalPrompts {
  const onTerminal = "run it on a terminal, or set SOP_TOKEN or use `sop login --token-stdin`";
  const promptFor = async (question: string, hint = onTerminal) => {
    if (!interactive) throw invalidInputError("no_terminal", `this would ask: ${question}`, { hint });
    const { default: inquirer } = await import("inquirer");
    return inquirer.createPromptModule({ output: process.stderr, signal });
  };
  return {
    text: async (message, initial) => {
      const ask = await promptFor(message);
      const given = initial === undefined ? {} : { default: initial };
      return (await ask([{ type: "input", name: "answer", message, required: true, ...given }])).answer;
    },
    password: async (message) => {
      const ask = await promptFor(message);
      return (await ask([{ type: "password", name: "answer", message }])).answer;
    },
    confirm: async (message) => {
      if (yes) return true;
      const ask = await promptFor(message, "add --yes to continue without questions");
      return (await ask([{ type: "confirm", name: "answer", message, default: false }])).answer;
    },
  };
}
