import { messageAndReasonOf, sentenceOfMessage } from "#core/language/catalog.ts";
import type { FrontMatter } from "#core/markdown/front-matter.ts";
import type { Identity } from "../../http/call.ts";
import type { SopText } from "../edit/version-of.ts";
import { createImportNote, noteTexts } from "./note-texts.ts";
import type { ReadDocument } from "./read.ts";
import type { StoredData, ImportVisibleSop } from "./stored-data.ts";

/**
 * Resolves the names of the owner and the team in a file to people and teams of this company. An unknown name becomes
 * `x-owner` or `x-team`, with a note. An existing SOP keeps its own value for an unreadable field and for an unknown
 * name, and keeps its owner if the file names none.
 */
export function withCompanyNames(
  document: ReadDocument,
  content: SopText,
  { user }: Identity,
  known: StoredData,
  seen: ImportVisibleSop | null,
  latest: SopText | null,
) {
  const { number: _number, ...written } = content.frontMatter;
  const frontMatter: FrontMatter = written;
  const shown = seen?.view === "published" && seen.sop.published ? seen.sop.published : seen?.sop;
  const before = latest?.frontMatter;
  const unread = (shown && document.content?.unread) ?? [];
  for (const key of unread) restoreFieldBefore(frontMatter, key, before);
  const notes = document.notes.map((note) =>
    shown && note.code === "unread-key"
      ? { ...note, ...messageAndReasonOf(noteTexts.keeps({ note: sentenceOfMessage(note) })) }
      : note,
  );
  const { owner, team: writtenTeam } = frontMatter;
  const named = owner?.toLowerCase();
  const found = named === undefined ? undefined : known.people.get(named);
  const isKept = shown !== undefined && (found === undefined || named === before?.owner);
  if (owner !== undefined && found === undefined && named !== before?.owner) {
    frontMatter["x-owner"] = owner;
    const names = known.usernames.get(owner)?.join(" or ");
    const usernames = names === undefined ? "none" : "some";
    const kept = shown ? "yes" : "no";
    notes.push(
      createImportNote("owner-unknown", noteTexts.ownerUnknown({ owner, usernames, names: names ?? "", kept })),
    );
  }
  if (isKept) restoreFieldBefore(frontMatter, "owner", before);
  else frontMatter.owner = found === undefined ? user.username : (named ?? user.username);
  const team = writtenTeam?.toLowerCase();
  let teamId = team === undefined ? null : (known.teams.get(team) ?? null);
  if (writtenTeam !== undefined && teamId === null && team !== before?.team) {
    frontMatter["x-team"] = writtenTeam;
    const unknown = noteTexts.teamUnknown({ team: writtenTeam, kept: shown ? "yes" : "no" });
    notes.push(createImportNote("team-unknown", unknown));
  }
  if (team !== undefined && teamId !== null) frontMatter.team = team;
  else if (writtenTeam !== undefined || unread.includes("team")) {
    restoreFieldBefore(frontMatter, "team", before);
    teamId = shown?.teamId ?? null;
  }
  const relations = { ownerId: isKept ? shown.ownerId : (found ?? user._id), teamId };
  return { text: { frontMatter, markdown: content.markdown }, relations, notes };
}

function restoreFieldBefore(frontMatter: FrontMatter, key: string, before: FrontMatter = {}): void {
  if (Object.hasOwn(before, key)) Object.assign(frontMatter, { [key]: Reflect.get(before, key) as unknown });
  else Reflect.deleteProperty(frontMatter, key);
}
