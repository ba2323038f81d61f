import { messageWithReason } from "#core/language/catalog.ts";
import { noteSentence } from "#core/import/markdown/report.ts";
import { sentences } from "#core/language/catalog.ts";
import type { FrontMatter } from "#core/markdown/front-matter.ts";
import type { Identity } from "../../http/call.ts";
import type { SopText } from "../edit/version-of.ts";
import type { ReadDocument } from "./read.ts";
import type { StoredData, ImportVisibleSop } from "./stored-data.ts";

const texts = sentences("server.sops.import.adopt", { keeps: "{note}. The SOP keeps what it has" });

/**
 * Replaces names in the file by people and teams of this company; keeps an unknown name under `x-` and reports it. The
 * SOP keeps its own value for an unreadable field, for an unknown name, and for its owner if the file names none.
 */
export function adoptDocument(
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
  for (const key of unread) keepAsBefore(frontMatter, key, before);
  const notes = document.notes.map((note) =>
    shown && note.code === "unread-key"
      ? { ...note, ...messageWithReason(texts.keeps({ note: noteSentence(note) })) }
      : note,
  );
  const { owner, team: writtenTeam } = frontMatter;
  const named = owner?.toLowerCase();
  const found = named === undefined ? undefined : known.people.get(named);
  const isKept = shown !== undefined && (found === undefined || named === before?.owner);
  if (owner !== undefined && found === undefined && named !== before?.owner) {
    frontMatter["x-owner"] = owner;
    const usernames = known.usernames.get(owner)?.join(" or ");
    const who = usernames === undefined ? "is not a user here:" : `is not a username, write ${usernames}:`;
    const then = shown ? "the SOP keeps its owner" : "you are the owner";
    notes.push({ code: "owner-unknown", message: `The owner ${owner} ${who} ${then}, the name is kept as x-owner` });
  }
  if (isKept) keepAsBefore(frontMatter, "owner", before);
  else frontMatter.owner = found === undefined ? user.username : (named ?? user.username);
  const team = writtenTeam?.toLowerCase();
  let teamId = team === undefined ? null : (known.teams.get(team) ?? null);
  if (writtenTeam !== undefined && teamId === null && team !== before?.team) {
    frontMatter["x-team"] = writtenTeam;
    const then = shown ? "the SOP keeps its team, and the name is kept as x-team" : "its name is kept as x-team";
    notes.push({ code: "team-unknown", message: `The team ${writtenTeam} is not known here: ${then}` });
  }
  if (team !== undefined && teamId !== null) frontMatter.team = team;
  else if (writtenTeam !== undefined || unread.includes("team")) {
    keepAsBefore(frontMatter, "team", before);
    teamId = shown?.teamId ?? null;
  }
  const relations = { ownerId: isKept ? shown.ownerId : (found ?? user._id), teamId };
  return { text: { frontMatter, markdown: content.markdown }, relations, notes };
}

function keepAsBefore(frontMatter: FrontMatter, key: string, before: FrontMatter = {}): void {
  if (Object.hasOwn(before, key)) Object.assign(frontMatter, { [key]: Reflect.get(before, key) as unknown });
  else Reflect.deleteProperty(frontMatter, key);
}
