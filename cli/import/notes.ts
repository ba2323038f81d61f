/** What a conversion left to read, for people: the file, the line and the construct. */
import { isAboutFacts, joinNotes, notesByKind, notesSummary } from "#core/import/markdown/report.ts";
import { columns } from "../columns.ts";

export interface Note {
  code: string;
  message: string;
  line?: number | undefined;
}

/** Notes of a part of a file, with the lines of that file. */
export function shiftLines<Kind extends Note>(notes: readonly Kind[], by: number): Kind[] {
  return notes.map((note) => (note.line === undefined || by === 0 ? note : { ...note, line: note.line + by }));
}

/** Notes of the conversion here come before those of the server. */
export function withServerNotes<Kind extends Note>(converted: readonly Note[], server: readonly Kind[]): Note[] {
  const own = converted.map(({ code, message, line }) => ({ code, message, ...(line !== undefined && { line }) }));
  return joinNotes<Note>(own, server);
}

const factsAtMost = 20;

/**
 * The notes in lines under -v. Else the lines on what doesn't count as it is written, and the words that say how many
 * documents have notes, and what is changed or left out.
 */
export function notesText(
  rows: readonly { path: string; notes?: readonly Note[] | undefined }[],
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
  if (verbose) return { lines: columns(shown), hidden: "" };
  const more = shown.length - factsAtMost;
  const lines = columns(shown.slice(0, factsAtMost)) + (more > 0 ? `… and ${more} more such notes\n` : "");
  const hidden = noted.filter(({ notes }) => !notes.every(isAboutFacts));
  const summary = notesSummary(noted.flatMap(({ notes }) => notes));
  const about = summary === "" ? ": -v shows them" : `: ${summary}; -v shows them`;
  return { lines, hidden: hidden.length > 0 ? ` ${hidden.length} with notes${about}.` : "" };
}
