/**
 * `npm run ai:smoke`: every AI action once, against the endpoint of the environment (OPENAI_API_KEY, OPENAI_BASE_URL,
 * OPENAI_MODEL), and a report. It spends the credit of that key: a few thousand tokens.
 */
import { pathToFileURL } from "node:url";
import { readProviderSettings } from "../cli/ai/provider.ts";
import { failureOf } from "../cli/exit.ts";
import { printableText } from "../cli/output.ts";
import { runActions, type Outcome } from "./ai-smoke-actions.ts";

export interface Streams {
  out: (line: string) => void;
  err: (line: string) => void;
}

/** @returns the exit code: 0 when every action worked, 1 when one failed, 2 when no request was possible */
export async function smoke(args: readonly string[], env: NodeJS.ProcessEnv, { out, err }: Streams): Promise<number> {
  const isJson = args.includes("--json");
  const unknown = args.filter((arg) => arg !== "--json");
  if (unknown.length > 0) {
    err(`unknown: ${unknown.join(" ")}; it takes --json alone`);
    return 2;
  }
  try {
    const settings = readProviderSettings(env);
    if (settings === null) {
      err(
        "There is no key: set OPENAI_API_KEY, and OPENAI_BASE_URL and OPENAI_MODEL where they are not the usual ones.",
      );
      return 2;
    }
    const host = settings.baseUrl === null ? "the usual host" : new URL(settings.baseUrl).host;
    err(
      `This asks ${settings.model ?? "the usual model"} at ${host} and spends the credit of your key: some thousand tokens.`,
    );
    const outcomes: Outcome[] = [];
    for await (const outcome of runActions(settings)) {
      outcomes.push(outcome);
      if (!isJson) for (const line of linesOf(outcome)) out(printableText(line));
    }
    if (isJson) out(JSON.stringify(outcomes, null, 2));
    const failed = outcomes.filter(({ ok }) => !ok).length;
    err(failed === 0 ? `All ${outcomes.length} actions worked.` : `${failed} of ${outcomes.length} actions failed.`);
    return failed === 0 ? 0 : 1;
  } catch (error) {
    err(failureOf(error).problem.message);
    return 2;
  }
}

function linesOf({ action, ok, code, message, ms, calls, tokens, notes }: Outcome): string[] {
  const cost = calls === 0 ? "" : `, ${calls} ${calls === 1 ? "call" : "calls"}, ${tokens} tokens`;
  const head = `${ok ? "ok    " : "FAILED"} ${action.padEnd(9)} ${(ms / 1000).toFixed(1)} s${cost}`;
  return [ok ? head : `${head}  ${code}: ${message}`, ...notes.map((note) => `         ${note}`)];
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const streams = { out: (line: string) => console.log(line), err: (line: string) => console.error(line) };
  process.exitCode = await smoke(process.argv.slice(2), process.env, streams);
}
