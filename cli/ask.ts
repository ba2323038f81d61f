/** Questions, on a terminal only; they are asked on stderr, so that stdout stays data. */
import { invalid } from "./exit.ts";

export interface Ask {
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

export function createAsk({ interactive, yes, signal }: AskOptions): Ask {
  const context = { output: process.stderr, signal };
  const onTerminal = "run it on a terminal; where there is none, set SOP_TOKEN or use `sop login --token-stdin`";
  const prompts = async (question: string, hint = onTerminal) => {
    if (!interactive) throw invalid("no_terminal", `this would ask: ${question}`, { hint });
    return await import("@inquirer/prompts");
  };
  return {
    text: async (message, initial) => {
      const { input } = await prompts(message);
      return input({ message, required: true, ...(initial !== undefined && { default: initial }) }, context);
    },
    password: async (message) => {
      const { password } = await prompts(message);
      return password({ message }, context);
    },
    confirm: async (message) => {
      if (yes) return true;
      const { confirm } = await prompts(message, "say --yes to go on without being asked");
      return confirm({ message, default: false }, context);
    },
  };
}
