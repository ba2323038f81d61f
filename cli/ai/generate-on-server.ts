/** Asks the server's AI for a draft. The server stores the draft as an SOP. */
import { ApiError } from "#core/api/client.ts";
import { exit } from "../exit.ts";
import { printable } from "../output.ts";
import type { SopClient } from "../server.ts";
import type { Context, Result } from "../context.ts";
import { printDraftNotes } from "./print-draft-notes.ts";
import { watchAnswer } from "./watch-answer.ts";

interface GenerateRequest {
  prompt: string;
  /** The language of the draft; undefined means the language of the company's SOPs. */
  lang: string | undefined;
  client: SopClient;
  categoryId: string | null;
}

/** @returns null if the server has no AI: no key, or switched off; prints the reason. @throws ApiError */
export async function generateOnServer(context: Context, request: GenerateRequest): Promise<Result | null> {
  const { prompt, lang: language, client, categoryId: category } = request;
  const watched = watchAnswer(context.out, "Asking the server's AI…", 0);
  try {
    const { ai, ...sop } = await client.ai.generateSop({ body: { prompt, category, language } });
    const { model, prompt: instruction, usage, calls, assumptions, findings } = ai;
    const made = { model, prompt: instruction, usage, calls };
    printDraftNotes(context.out, made, ai);
    const { id, number, title } = sop;
    const data = { title, source: { kind: "ai", made }, assumptions, findings, sop: { id, number } };
    return { exit: exit.done, data, text: `${number}  ${printable(title)}\n` };
  } catch (error) {
    if (!(error instanceof ApiError) || (error.code !== "ai_key_missing" && error.code !== "ai_disabled")) throw error;
    context.out.note(`The server's AI can't be asked: ${printable(error.serverMessage ?? error.code)}.`);
    return null;
  } finally {
    watched.stop();
  }
}
