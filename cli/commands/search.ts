import { styleText } from "node:util";
import { exportTexts } from "#core/export/document.ts";
import type { SearchHit } from "#core/search/schema.ts";
import { shownStatus } from "#core/sops/statuses.ts";
import { exit, invalidInputError } from "../exit.ts";
import { printableText } from "../output.ts";
import { serverFiltersOf, type StatusFilter } from "../list-filters.ts";
import { connectSignedIn } from "../server.ts";
import type { CommandContext, CommandResult } from "../context.ts";

export interface SearchOptions extends StatusFilter {
  limit?: number;
}

/** Exits with 1 when nothing is found, as grep does. */
export async function searchSops(
  context: CommandContext,
  words: string[],
  { limit, ...filters }: SearchOptions,
): Promise<CommandResult> {
  const q = words.join(" ");
  if (q.trim() === "")
    throw invalidInputError("usage", "nothing to search for", { hint: "sop search lock out the filler" });
  if (q.length > 200) throw invalidInputError("usage", "a search has at most 200 characters");
  const { client } = await connectSignedIn(context);
  const query = { q, ...(limit === undefined ? {} : { limit }), ...serverFiltersOf(filters) };
  const found = await client.search.find({ query });
  if (found.showingFor !== undefined) context.out.note(printableText(`Showing results for ${found.showingFor}`));
  if (found.data.length === 0) context.out.note(printableText(`Nothing found for ${q}`));
  const text = found.data.map((hit) => searchHitText(hit, context)).join("\n");
  return { exit: found.data.length === 0 ? exit.findings : exit.done, data: found, text };
}

function searchHitText({ sop, title, snippet, step }: SearchHit, { out }: CommandContext): string {
  const where = step ? [step.heading, step.number === null ? null : `step ${step.number}`] : [];
  const at = where.filter((part) => part !== null && part !== snippet.text).join(", ");
  const head = `${sop.number}  ${highlightedText(title, out.color)}  [${exportTexts.states[shownStatus(sop)].toLowerCase()}]`;
  const lines = [
    head,
    at === "" ? "" : `  ${printableText(at)}`,
    snippet.text === "" ? "" : `  ${highlightedText(snippet, out.color)}`,
  ];
  return `${lines.filter((line) => line !== "").join("\n")}\n`;
}

/** Highlights the words of the query on a terminal. */
function highlightedText({ text, ranges }: SearchHit["title"], color: boolean): string {
  let [shownText, at] = ["", 0];
  for (const [start, end] of ranges) {
    const word = printableText(text.slice(start, end));
    shownText +=
      printableText(text.slice(at, start)) + (color ? styleText("bold", word, { validateStream: true }) : word);
    at = end;
  }
  return shownText + printableText(text.slice(at));
}
