/** Messages of the commits under `refs/proposals/<number>`: they tell where a text came from and what was decided. */
import { noteLines, shortenedSubject } from "../repository/message.ts";
import type { ProposalKind, ProposalState } from "./rules.ts";

interface CommittedProposal {
  number: number;
  title: string;
  kind?: ProposalKind;
  comment: string | null;
  baseVersion: number | null;
}

interface DecidedProposal {
  number: number;
  state: ProposalState;
  version: number | null;
  reason: string | null;
  supersededBy: number | null;
}

/** The message of the first commit, with the text that the proposal was made from. */
export function baseCommitMessage({ number, baseVersion }: CommittedProposal): string {
  return `base of proposal ${number}: version ${baseVersion}\n`;
}

/** The message of the commit with the proposed text. */
export function proposedTextCommitMessage({ number, title, kind, comment }: CommittedProposal): string {
  const start = `proposal ${number}: ${kind === "archive" ? "archive " : ""}`;
  return joinCommitParagraphs(shortenedSubject(start, title, ""), comment, [`Proposal: ${number}`, "State: open"]);
}

/** The message of the last commit of a decided proposal, with the same text. */
export function decisionCommitMessage({ number, state, version, reason, supersededBy }: DecidedProposal): string {
  const became = version === null ? "" : ` as version ${version}`;
  const by = supersededBy === null ? "" : ` by proposal ${supersededBy}`;
  const trailers = [
    `Proposal: ${number}`,
    `State: ${state}`,
    ...(version === null ? [] : [`Version: ${version}`]),
    ...(supersededBy === null ? [] : [`Superseded-by: ${supersededBy}`]),
  ];
  return joinCommitParagraphs(`proposal ${number}: ${state}${became}${by}`, reason, trailers);
}

function joinCommitParagraphs(subject: string, text: string | null, trailers: readonly string[]): string {
  const paragraphs = [subject, noteLines(text ?? "").join("\n"), trailers.join("\n")];
  return `${paragraphs.filter((paragraph) => paragraph !== "").join("\n\n")}\n`;
}
