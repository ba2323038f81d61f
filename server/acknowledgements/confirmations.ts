/** The readers who confirmed the published version, those who still have to, and confirmations of earlier versions. */
import { isConfirmationValid, dueDay, isOverdue, type RequiredVersion } from "#core/acknowledgements/rules.ts";
import type { AcknowledgementPerson, AcknowledgementQuery } from "#core/acknowledgements/schema.ts";
import { acknowledgementStates } from "#core/acknowledgements/states.ts";
import { foldWord } from "#core/text/fold.ts";
import { initialsOf } from "#core/users/rules.ts";
import type { AcknowledgementAskDocument, AcknowledgementDocument, SopDocument } from "../database/documents.ts";
import {
  acknowledgementAskCollection,
  laterTime,
  loadRequiredReaders,
  loadRequiredVersions,
  type Tx,
} from "./audience.ts";

export interface Confirmations {
  ask: AcknowledgementAskDocument | null;
  run: RequiredVersion | null;
  /** Readers in the audience and earlier readers: overdue first, then open, sorted by due day and name. */
  people: AcknowledgementPerson[];
  /** All confirmations of all users, newest version first. */
  confirmations: AcknowledgementDocument[];
}

export async function loadConfirmations(store: Tx, sop: SopDocument, now: string): Promise<Confirmations> {
  const { _id: sopId, companyId } = sop;
  const ask = await acknowledgementAskCollection(store, companyId).findOne({ sopId });
  const run = (await loadRequiredVersions(store, companyId, [sop])).get(sopId) ?? null;
  const confirmations = await store.forCompany(companyId).collection("acknowledgements").find({ sopId });
  confirmations.sort((a, b) => b.version - a.version);
  const latest = new Map<string, AcknowledgementDocument>();
  for (const one of confirmations) if (!latest.has(one.userId)) latest.set(one.userId, one);

  const readers = ask && run ? await loadRequiredReaders(store, ask, sop, now) : [];
  const people = readers.map(({ user, since }) => {
    const confirmed = latest.get(user._id) ?? null;
    latest.delete(user._id);
    const { name, username, initials } = user;
    return { user: { id: user._id, name, username, initials }, ...readerState(ask, run, since, confirmed, now) };
  });
  const past = [...latest.values()].map((confirmed) => ({
    user: {
      id: confirmed.userId,
      name: confirmed.userName,
      username: confirmed.username,
      initials: initialsOf(confirmed.userName),
    },
    state: "past" as const,
    dueBy: null,
    confirmed: { version: confirmed.version, at: confirmed.at },
  }));
  const sorted = [...people, ...past].map((person) => ({ person, key: personSortKey(person) }));
  sorted.sort((a, b) => (a.key < b.key ? -1 : 1));
  return { ask, run, people: sorted.map(({ person }) => person), confirmations };
}

type ReaderState = Pick<AcknowledgementPerson, "state" | "dueBy" | "confirmed">;

/** Returns the state of a reader in the audience. @param since the time since which the reader has to confirm */
export function readerState(
  ask: Pick<AcknowledgementAskDocument, "dueDays"> | null,
  run: RequiredVersion | null,
  since: string,
  latest: Pick<AcknowledgementDocument, "version" | "at"> | null,
  now: string,
): ReaderState {
  const confirmed = latest && { version: latest.version, at: latest.at };
  if (!ask || !run) return { state: "past", dueBy: null, confirmed };
  if (confirmed && isConfirmationValid(confirmed.version, run)) return { state: "confirmed", dueBy: null, confirmed };
  const dueBy = dueDay(laterTime(since, run.from), ask.dueDays);
  return { state: isOverdue(dueBy, now) ? "overdue" : "open", dueBy, confirmed };
}

function personSortKey({ state, dueBy, user }: AcknowledgementPerson): string {
  return `${acknowledgementStates.indexOf(state)}${dueBy ?? "9"} ${foldWord(user.name).slice(0, 60)} ${user.id}`;
}

/** Returns a page of the people that the query asks for. The cursor is the position of the last person on the page. */
export function confirmationsPage(
  people: readonly AcknowledgementPerson[],
  { state, search = "", limit, cursor }: Pick<AcknowledgementQuery, "state" | "search" | "limit" | "cursor">,
): { people: AcknowledgementPerson[]; nextCursor?: string } {
  const wanted = foldWord(search).trim();
  const found = people.filter(
    (person) =>
      (state === undefined || person.state === state) &&
      foldWord(person.user.name).includes(wanted) &&
      (cursor === undefined || personSortKey(person) > cursor),
  );
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  return { people: shown, ...(last && found.length > limit ? { nextCursor: personSortKey(last) } : {}) };
}

export function confirmationCounts(people: readonly AcknowledgementPerson[]) {
  const countInState = (state: AcknowledgementPerson["state"]) =>
    people.filter((person) => person.state === state).length;
  const [overdue, open, confirmed] = [countInState("overdue"), countInState("open"), countInState("confirmed")];
  return { asked: overdue + open + confirmed, confirmed, overdue };
}
