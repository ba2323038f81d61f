import { styleText } from "node:util";
import { versionStates } from "#core/export/document.ts";
import type { SearchHit } from "#core/search/schema.ts";
import { shownStatus } from "#core/sops/statuses.ts";
import { exit, invalid } from "../exit.ts";
import { printable } from "../output.ts";
import { givenFilters, type StatusFilter } from "../list-filters.ts";
import { connect } from "../server.ts";
import type { Context, Result } from "../context.ts";

export interface SearchOptions extends StatusFilter {
  limit?: number;
}

/** Exits with 1 when nothing is found, as grep does. */
export async function search(context: Context, words: string[], { limit, ...filters }: SearchOptions): Promise<Result> {
  const q = words.join(" ");
  if (q.trim() === "") throw invalid("usage", "nothing to search for", { hint: "sop search lock out the filler" });
  if (q.length > 200) throw invalid("usage", "a search has at most 200 characters");
  const { client } = await connect(context);
  const query = { q, ...(limit === undefined ? {} : { limit }), ...givenFilters(filters) };
  const found = await client.search.find({ query });
  if (found.showingFor !== undefined) context.out.note(printable(`Showing results for ${found.showingFor}`));
  if (found.data.length === 0) context.out.note(printable(`Nothing found for ${q}`));
  const text = found.data.map((hit) => shown(hit, context)).join("\n");
  return { exit: found.data.length === 0 ? exit.findings : exit.done, data: found, text };
}

function shown({ sop, title, snippet, step }: SearchHit, { out }: Context): string {
  const where = step ? [step.heading, step.number === null ? null : `step ${step.number}`] : [];
  const at = where.filter((part) => part !== null && part !== snippet.text).join(", ");
  const head = `${sop.number}  ${marked(title, out.color)}  [${versionStates[shownStatus(sop)].label.toLowerCase()}]`;
  const lines = [
    head,
    at === "" ? "" : `  ${printable(at)}`,
    snippet.text === "" ? "" : `  ${marked(snippet, out.color)}`,
  ];
  return `${lines.filter((line) => line !== "").join("\n")}\n`;
}

/** Highlights the words of the query on a terminal. */
function marked({ text, ranges }: SearchHit["title"], color: boolean): string {
  let [shownText, at] = ["", 0];
  for (const [start, end] of ranges) {
    const word = printable(text.slice(start, end));
    shownText += printable(text.slice(at, start)) + (color ? styleText("bold", word, { validateStream: true }) : word);
    at = end;
  }
  return shownText + printable(text.slice(at));
}
