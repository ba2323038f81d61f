/** Git notes with approval records, under `refs/notes/approvals`. They repeat facts of the message of their commit. */

export const approvalsRef = "refs/notes/approvals";

/** The path of a commit's note in the tree of notes. Git looks for notes in folders named by two digits. */
export function notePath(commit: string): string {
  return `${commit.slice(0, 2)}/${commit.slice(2)}`;
}

/**
 * The note on a commit: its subject, the version, the approvers and the times.
 *
 * @returns null for a commit that states no approval
 */
export function approvalNoteOf(message: string): string | null {
  const [subject = ""] = message.split("\n", 1);
  const lines = (message.trimEnd().split("\n\n").at(-1) ?? "").split("\n");
  const facts = lines.filter((line) => /^(?:Sop-Id|Sop-Version|Content-SHA256|Approved-by|Approved-at): /.test(line));
  if (!facts.some((line) => line.startsWith("Approved-by: "))) return null;
  return `${subject}\n\n${facts.join("\n")}\n`;
}

/** The message of the commit that adds the notes of an event. */
export function notesCommitMessage(subject: string, seq: number): string {
  return `approvals: ${subject}\n\nEvent-Seq: ${seq}\n`;
}
