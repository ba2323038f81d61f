/** Prints notes about a conversion for the user: the file, the line and the construct. */
import type { Reason } from "#core/errors.ts";
import { isAboutFacts, joinNotes, noteInFile, notesByKind, notesSummary } from "#core/import/markdown/report.ts";
import { alignedColumns } from "../columns.ts";

export interface PrintedNote {
  code: string;
  message: string;
  line?: number | undefined;
  reason?: Reason | undefined;
}

/** Shifts the lines of notes about a part of a file, so that they count in the file. */
export function shiftLines<Kind extends PrintedNote>(notes: readonly Kind[], by: number): Kind[] {
  return notes.map((note) => (note.line === undefined || by === 0 ? note : { ...note, line: note.line + by }));
}

/** Puts notes of the conversion on this machine before those of the server. */
export function withServerNotes<Kind extends PrintedNote>(
  converted: readonly PrintedNote[],
  server: readonly Kind[],
): PrintedNote[] {
  return joinNotes<PrintedNote>(converted.map(noteInFile), server);
}

const factsAtMost = 20;

/**
 * Returns the notes as lines: all with -v, otherwise only notes about facts. `hidden` is then the number of documents
 * with further notes.
 */
export function notesText(
  rows: readonly { path: string; notes?: readonly PrintedNote[] | undefined }[],
  verbose: boolean,
): { lines: string; hidden: string } {
  const noted = rows.flatMap(({ path, notes = [] }) => (notes.length === 0 ? [] : [{ path, notes }]));
  const shown = noted.flatMap(({ path, notes }) =>
    (verbose ? notesByKind(notes) : notes.filter(isAboutFacts)).map(({ line, message }) => [
      "note",
      line === undefined ? path : `${path}:${line}`,
      message,
    ]),
  );
  if (verbose) return { lines: alignedColumns(shown), hidden: "" };
  const more = shown.length - factsAtMost;
  const lines = alignedColumns(shown.slice(0, factsAtMost)) + (more > 0 ? `… and ${more} more such notes\n` : "");
  const hidden = noted.filter(({ notes }) => !notes.every(isAboutFacts));
  const summary = notesSummary(noted.flatMap(({ notes }) => notes));
  const about = summary === "" ? ": -v shows them" : `: ${summary}; -v shows them`;
  return { lines, hidden: hidden.length > 0 ? ` ${hidden.length} with notes${about}.` : "" };
}
