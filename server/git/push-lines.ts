/** Writes the results of a push for its documents. Git shows the lines after `remote:`. */
import { isSentence } from "#core/language/catalog.ts";
import { isAlwaysShown } from "#core/import/markdown/report.ts";
import type { ImportResult } from "#core/sops/import-schema.ts";
import type { StoredProposal } from "../proposals/store.ts";
import type { DecidedDocument } from "../sops/import/decide.ts";

/** The result of a pushed document. `decided` is null if the document couldn't be read. */
export interface PushedDocument {
  result: ImportResult;
  decided: DecidedDocument | null;
}

export interface PushCounts {
  created: number;
  updated: number;
  unchanged: number;
  proposed: number;
  conflicts: number;
  refused: number;
}

interface PushOutput {
  url: string;
  say: (...lines: string[]) => void;
}

/** Adds the result of a document to the counts, and writes its lines. */
export function countAndReportResult(
  one: PushedDocument,
  proposal: StoredProposal | undefined,
  counts: PushCounts,
  { url, say }: PushOutput,
): void {
  const { path, outcome, id = "", number = "", version = 1, reason = outcome } = one.result;
  const address = `${url}/sop/${number || id}`;
  const sayRefusal = (why: string) => {
    counts.refused++;
    say(`${path}: refused. ${why}`);
  };
  if (proposal && "refused" in proposal) return sayRefusal(proposal.refused);
  if (proposal?.isOld) {
    counts.unchanged++;
    return say(`${path}: unchanged since proposal ${proposal.number}`, `  ${url}/proposals/${proposal.number}`);
  }
  if (proposal) {
    counts.proposed++;
    const about =
      outcome === "conflict"
        ? `conflict, proposal ${proposal.number}. ${conflictText(one)}`
        : `proposal ${proposal.number} ${number === "" ? "for a new SOP" : `to change ${number}`}`;
    return say(`${path}: ${about}`, `  ${url}/proposals/${proposal.number}`);
  }
  switch (outcome) {
    case "create":
      counts.created++;
      return say(`${path}: new draft ${number}`, `  ${address}`);
    case "update":
      counts.updated++;
      return say(`${path}: draft v${version} on top of v${version - 1} of ${number}`, `  ${address}`);
    case "unchanged":
      counts.unchanged++;
      return say(`${path}: unchanged`);
    case "conflict":
      counts.conflicts++;
      return say(`${path}: conflict. ${conflictText(one)}`, `  ${address}`);
    default:
      return sayRefusal(reason);
  }
}

/** Returns the conflict without the advice on options, which exist only in `sop import`. */
function conflictText({ result, decided }: PushedDocument): string {
  const conflict = decided?.reason?.id === undefined ? undefined : decided.reason.values["conflict"];
  return isSentence(conflict) ? conflict.text : (result.reason ?? result.outcome);
}

const notesAtMost = 5;

/** Reports notes about the facts of a document, and notes that name a line. `sop push -v` shows the other notes. */
export function reportNotes(notes: ImportResult["notes"], say: PushOutput["say"]): void {
  const inText = notes.filter((note) => note.line !== undefined && !isAlwaysShown(note));
  const lines = [...notes.filter(isAlwaysShown), ...inText].map(({ line, message }) =>
    line === undefined ? message : `line ${line}: ${message}`,
  );
  const told = [...new Set(lines)];
  say(...told.slice(0, notesAtMost).map((note) => `  ${note}`));
  if (told.length > notesAtMost) say(`  … and ${told.length - notesAtMost} more`);
}
