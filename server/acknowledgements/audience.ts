/** Finds the version of an SOP that readers have to confirm, and the users who have to confirm it. */
import { visibleVersion } from "#core/permissions/can.ts";
import type { Actor, SopFacts } from "#core/permissions/actor.ts";
import {
  audienceKeys,
  everyone,
  requiredVersion,
  withChangeClasses,
  type RequiredVersion,
} from "#core/acknowledgements/rules.ts";
import type {
  AcknowledgementAskDocument,
  Collections,
  PublishedPeriodDocument,
  SopDocument,
  UserDocument,
} from "../database/documents.ts";
import type { Projection, Transaction } from "../database/port.ts";
import { actorOf } from "../http/identify.ts";

export type Tx = Transaction<Collections>;

export function acknowledgementAskCollection(store: Tx, companyId: string) {
  return store.forCompany(companyId).collection("acknowledgement_asks");
}

/** Loads the version of each published SOP that its readers have to confirm now, by SOP id. */
export async function loadRequiredVersions(
  store: Tx,
  companyId: string,
  sops: readonly Pick<SopDocument, "_id" | "hasPublished">[],
): Promise<Map<string, RequiredVersion>> {
  const ids = sops.flatMap(({ _id, hasPublished }) => (hasPublished ? _id : []));
  if (ids.length === 0) return new Map();
  const company = store.forCompany(companyId);
  const periods = await company.collection("published_periods").find({ sopId: { $in: ids } });
  periods.sort((a, b) => (periodSortKey(a) < periodSortKey(b) ? -1 : 1));
  // major changes in unpublished versions count too, because readers got them with the next published version
  const majors = await company
    .collection("sop_versions")
    .find({ sopId: { $in: ids }, changeClass: "major" }, { projection: { sopId: 1, version: 1 } });
  const [periodsOf, majorsOf] = [Map.groupBy(periods, sopIdOf), Map.groupBy(majors, sopIdOf)];
  const runs = new Map<string, RequiredVersion>();
  for (const id of ids) {
    const saved = (majorsOf.get(id) ?? []).map(({ version }) => version);
    const run = requiredVersion(withChangeClasses(periodsOf.get(id) ?? [], saved));
    if (run) runs.set(id, run);
  }
  return runs;
}

const sopIdOf = ({ sopId }: { sopId: string }) => sopId;

/**
 * Returns the sort key of a period. If two versions took effect in the same millisecond, the published one sorts last.
 */
function periodSortKey({ from, version, until }: PublishedPeriodDocument): string {
  return `${from} ${String(version).padStart(9, "0")} ${until ?? "now"}`;
}

/** A user who has to confirm: in the audience, active, and sees the SOP. */
export interface RequiredReader {
  user: UserDocument;
  actor: Actor;
  /** ISO time since which the user has to confirm, for any version. */
  since: string;
}

const fields: Projection<UserDocument> = {
  companyId: 1,
  name: 1,
  username: 1,
  initials: 1,
  role: 1,
  teamIds: 1,
  permissions: 1,
  status: 1,
  createdAt: 1,
};

/** `<user> <team>` → the time since which the user is a member. */
type JoinDates = ReadonlyMap<string, string>;

export async function loadJoinDates(
  store: Tx,
  companyId: string,
  filter: { userId?: string; teamId?: { $in: string[] } },
): Promise<{ joined: JoinDates; userIds: string[] }> {
  const members = await store.forCompany(companyId).collection("team_members").find(filter);
  return {
    joined: new Map(members.map(({ userId, teamId, joinedAt }) => [`${userId} ${teamId}`, joinedAt])),
    userIds: members.map(({ userId }) => userId),
  };
}

export async function loadRequiredReaders(
  store: Tx,
  ask: AcknowledgementAskDocument,
  sop: SopDocument,
  now: string,
): Promise<RequiredReader[]> {
  const { companyId, audience } = ask;
  const audienceIds = (kind: string) => audience.flatMap((key) => (key.startsWith(kind) ? key.slice(kind.length) : []));
  const teamIds = audienceIds("team:");
  const { joined, userIds } =
    teamIds.length === 0
      ? { joined: new Map<string, string>(), userIds: [] }
      : await loadJoinDates(store, companyId, { teamId: { $in: teamIds } });
  const some = audience.includes(everyone) ? {} : { _id: { $in: [...new Set([...audienceIds("user:"), ...userIds])] } };
  const people = await loadActiveUsers(store, companyId, some, now);
  return people ? requiredReadersOf(ask, sop, { people, joined }) : [];
}

/** The users that an audience can include, and the times since which they are in their teams. */
interface ReaderCandidates {
  people: readonly Pick<RequiredReader, "user" | "actor">[];
  joined: JoinDates;
}

/** Loads all active users, for the audiences of many SOPs. @returns null when the company isn't active */
export async function loadReaderCandidates(
  store: Tx,
  companyId: string,
  now: string,
): Promise<ReaderCandidates | null> {
  const people = await loadActiveUsers(store, companyId, {}, now);
  return people && { people, joined: (await loadJoinDates(store, companyId, {})).joined };
}

/**
 * Counts the people who can read an SOP once its latest version is published, and those of them who must confirm it.
 */
export async function countFutureReaders(
  store: Tx,
  sop: SopDocument,
  now: string,
): Promise<{ count: number; asked: number }> {
  const [base, ask] = await Promise.all([
    loadReaderCandidates(store, sop.companyId, now),
    acknowledgementAskCollection(store, sop.companyId).findOne({ sopId: sop._id }),
  ]);
  if (!base) return { count: 0, asked: 0 };
  const published: SopFacts = { ...sop, published: sop.published ?? { version: sop.version } };
  return {
    count: base.people.filter(({ actor }) => visibleVersion(actor, published) !== "nothing").length,
    asked: ask ? requiredReadersOf(ask, published, base).length : 0,
  };
}

export function requiredReadersOf(
  ask: AcknowledgementAskDocument,
  sop: SopFacts,
  { people, joined }: ReaderCandidates,
): RequiredReader[] {
  return people.flatMap(({ user, actor }) => {
    const since = requiredSince(ask, user, joined);
    return since !== null && visibleVersion(actor, sop) !== "nothing" ? [{ user, actor, since }] : [];
  });
}

async function loadActiveUsers(store: Tx, companyId: string, some: { _id?: { $in: string[] } }, now: string) {
  const company = await store.collection("companies").findOne({ _id: companyId });
  if (company?.status !== "active") return null;
  const users = await store
    .forCompany(companyId)
    .collection("users")
    .find({ ...some, status: "active" }, { projection: fields });
  return users.map((user) => ({ user, actor: actorOf(user, company, now) }));
}

/**
 * Returns the time since which a user has to confirm: the earliest time if the audience includes the user more than
 * once, such as by two teams.
 * @returns ISO time; null for users outside the audience
 */
export function requiredSince(
  { audience, since }: Pick<AcknowledgementAskDocument, "audience" | "since">,
  user: Pick<UserDocument, "_id" | "teamIds" | "createdAt">,
  joined: JoinDates,
): string | null {
  const starts = audienceKeys({ userId: user._id, teamIds: user.teamIds }).flatMap((key) => {
    const requestedAt = since[key];
    if (requestedAt === undefined || !audience.includes(key)) return [];
    const member = key.startsWith("team:") ? joined.get(`${user._id} ${key.slice("team:".length)}`) : user.createdAt;
    return [laterTime(requestedAt, member ?? requestedAt)];
  });
  return starts.sort()[0] ?? null;
}

export function laterTime(one: string, other: string): string {
  return one > other ? one : other;
}
