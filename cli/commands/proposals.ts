/** `sop proposals` lists changes pushed by git that wait for a decision, and the outcome of earlier ones. */
import type { ProposalRow } from "#core/proposals/schema.ts";
import type { ProposalState } from "#core/proposals/rules.ts";
import { printedName } from "#core/users/printed-name.ts";
import { alignedColumns } from "../columns.ts";
import type { CommandContext, CommandResult } from "../context.ts";
import { exit, invalidInputError } from "../exit.ts";
import { printableText } from "../output.ts";
import { connectSignedIn } from "../server.ts";

export interface ProposalsOptions {
  mine?: true;
  incoming?: true;
  state: ProposalState | "all";
  limit: number;
}

export async function listProposals(context: CommandContext, options: ProposalsOptions): Promise<CommandResult> {
  const { mine, incoming, state, limit } = options;
  if (mine && incoming) throw invalidInputError("usage", "--mine can't be used with --incoming");
  const { client } = await connectSignedIn(context);
  const whose = mine ? ({ mine: "true" } as const) : incoming ? ({ mine: "false" } as const) : {};
  const { data } = await client.proposals.list({ query: { ...whose, state, limit } });
  if (data.length === 0) context.out.note(state === "open" ? "No open proposals." : "No proposals.");
  return { exit: exit.done, data, text: alignedColumns(data.map(proposalTableRow)) };
}

function proposalTableRow(proposal: ProposalRow): string[] {
  const { number, kind, sop, isNew, author, createdAt } = proposal;
  const title = kind === "archive" ? `archive: ${proposal.title}` : proposal.title;
  const about = sop?.number ?? (isNew ? "new SOP" : "-");
  return [String(number), proposalStateText(proposal), about, title, printedName(author), createdAt.slice(0, 10)].map(
    printableText,
  );
}

function proposalStateText({ state, version, supersededBy, reason }: ProposalRow): string {
  if (version !== null) return `${state} as v${version}`;
  if (supersededBy !== null) return `${state} by ${supersededBy}`;
  return reason === null ? state : `${state}: ${shortFirstLine(reason)}`;
}

const reasonCharactersAtMost = 40;

function shortFirstLine(text: string): string {
  const line = text.split("\n", 1)[0] ?? "";
  return line.length > reasonCharactersAtMost ? `${line.slice(0, reasonCharactersAtMost)}…` : line;
}
