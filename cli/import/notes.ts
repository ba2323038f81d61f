/** Prints notes about a conversion for the user: the file, the line and the construct. */
import type { Reason } from "#core/errors.ts";
import { isAlwaysShown, mergedNotes, noteInFile, notesByKind, lossSummary } from "#core/import/markdown/report.ts";
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

/** Joins the notes of the conversion on this machine with the notes of the server, which come last. */
export function withServerNotes<Kind extends PrintedNote>(
  converted: readonly PrintedNote[],
  server: readonly Kind[],
): PrintedNote[] {
  return mergedNotes<PrintedNote>(converted.map(noteInFile), server);
}

const factsAtMost = 20;

/** Tells whether a note says that the text is that of another SOP: an import would replace a text by mistake. */
const isOfOtherText = ({ code }: PrintedNote) => code === "same-text";

/**
 * With -v, returns every note on a line. Otherwise only notes about facts get lines, texts of other SOPs first and all
 * of them, and `hidden` counts the documents with other notes.
 */
export function notesText(
  rows: readonly { path: string; notes?: readonly PrintedNote[] | undefined }[],
  verbose: boolean,
): { lines: string; hidden: string } {
  const noted = rows.flatMap(({ path, notes = [] }) => (notes.length === 0 ? [] : [{ path, notes }]));
  const linesOf = (chosen: (notes: readonly PrintedNote[]) => readonly PrintedNote[]) =>
    noted.flatMap(({ path, notes }) =>
      chosen(notes).map(({ line, message }) => ["note", line === undefined ? path : `${path}:${line}`, message]),
    );
  if (verbose) return { lines: alignedColumns(linesOf(notesByKind)), hidden: "" };
  const texts = linesOf((notes) => notes.filter(isOfOtherText));
  const facts = linesOf((notes) => notes.filter((note) => isAlwaysShown(note) && !isOfOtherText(note)));
  const more = facts.length - factsAtMost;
  const shown = alignedColumns([...texts, ...facts.slice(0, factsAtMost)]);
  const lines = shown + (more > 0 ? `… and ${more} more such notes\n` : "");
  const hidden = noted.filter(({ notes }) => !notes.every(isAlwaysShown));
  const summary = lossSummary(noted.flatMap(({ notes }) => notes));
  const about = summary === "" ? ": -v shows them" : `: ${summary}; -v shows them`;
  return { lines, hidden: hidden.length > 0 ? ` ${hidden.length} with notes${about}.` : "" };
}
