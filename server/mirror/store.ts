/** The stored mirror of a company: its settings, its token, and the results of its passes. */
import { isPeriodRunning } from "#core/clock.ts";
import { resetCommand } from "#core/mirror/plan.ts";
import type { Mirror, MirrorState, MirrorTrouble } from "#core/mirror/schema.ts";
import { printedName } from "#core/users/printed-name.ts";
import type { MirrorDocument } from "../database/documents.ts";
import type { Services } from "../http/services.ts";
import type { UnsealedText } from "../keys/keyring.ts";
import { pathOfSealedField } from "../keys/sealed-values.ts";
import { loadPausedMirrorIds } from "./paused.ts";

export const firstRetryMs = 60_000;
export const longestRetryMs = 60 * 60_000;

export function decryptMirrorToken(
  { keys }: Pick<Services, "keys">,
  mirror: Pick<MirrorDocument, "_id" | "token">,
): UnsealedText {
  return keys.open(mirror.token, pathOfSealedField("mirrors", mirror._id, "token"));
}

/**
 * The state fields of a mirror before its first pass, and after a change of its settings. The next pass then checks
 * everything.
 */
export const stateBeforeFirstPass = {
  diverged: [],
  problem: null,
  failures: 0,
  retryAt: null,
  checkedAt: null,
  isTaking: false,
  stoppedTaken: null,
} satisfies Partial<MirrorDocument>;

type MirrorStateFields = Pick<MirrorDocument, "_id" | "diverged" | "problem" | "checkedAt">;

function mirrorStateOf(mirror: MirrorStateFields | null, paused: ReadonlySet<string>): MirrorState {
  if (mirror === null) return "off";
  if (paused.has(mirror._id)) return "paused";
  if (mirror.diverged.length > 0) return "stopped";
  if (mirror.problem !== null) return "failing";
  return mirror.checkedAt === null ? "waiting" : "current";
}

/** Says whether the next pass is delayed after a failure. */
export function isRetryPending({ retryAt }: Pick<MirrorDocument, "retryAt">, now: number): boolean {
  return retryAt !== null && isPeriodRunning(Date.parse(retryAt), longestRetryMs * 2, now);
}

export async function readMirror({ db }: Pick<Services, "db">, companyId: string): Promise<MirrorDocument | null> {
  return db.forCompany(companyId).collection("mirrors").findOne({ _id: companyId });
}

export async function presentMirror(
  { db, config, companies, address }: Pick<Services, "db" | "config" | "companies" | "address">,
  companyId: string,
  mirror: MirrorDocument | null,
): Promise<Mirror> {
  const hosts = config.mirrorHosts.map(({ origin }) => origin.replace("https://", ""));
  const state = mirrorStateOf(mirror, await loadPausedMirrorIds(db));
  if (mirror === null) {
    const none = { pushedAt: null, pushedMain: null, checkedAt: null, problem: null, retryAt: null, diverged: [] };
    const nothing = { taking: false, stoppedTaken: null, incoming: null, webhook: null };
    return { state, hosts, settings: null, lag: 0, ...none, ...nothing };
  }
  const counters = await db.collection("counters").findOne({ _id: companyId }, { projection: { repoSeq: 1 } });
  const by = await db.collection("users").findOne({ _id: mirror.updatedBy }, { projection: { name: 1, username: 1 } });
  const company = await companies.get(companyId);
  const { url, username, provider, history, updatedAt, incoming } = mirror;
  const { pushedAt, pushedMain, checkedAt, problem, retryAt } = mirror;
  return {
    state,
    hosts,
    settings: {
      url,
      username,
      provider,
      history,
      restricted: mirror.restricted ?? false,
      witness: mirror.witness ?? false,
      updatedAt,
      updatedBy: by ? printedName(by) : "",
      incoming: incoming?.branch ?? null,
    },
    lag: Math.max(0, (counters?.repoSeq ?? 0) - Math.max(0, mirror.pushedSeq)),
    pushedAt,
    pushedMain,
    checkedAt,
    problem,
    retryAt,
    diverged: mirror.diverged.map((one) => ({ ...one, command: resetCommand(url, one) })),
    taking: mirror.isTaking,
    stoppedTaken: mirror.stoppedTaken,
    incoming: incoming && { taken: incoming.taken, open: incoming.open, problem: incoming.problem },
    webhook: incoming && { url: webhookAddress(address.url, company?.slug ?? ""), hasSecret: mirror.secret !== null },
  };
}

/** Says whether the mirror waits for an administrator, because it diverged or a restore paused it. */
export async function isMirrorStoppedOrPaused({ db }: Pick<Services, "db">, companyId: string): Promise<boolean> {
  const [mirror = null] = await db.forCompany(companyId).collection("mirrors").find({ _id: companyId }, { limit: 1 });
  return mirror !== null && ["stopped", "paused"].includes(mirrorStateOf(mirror, await loadPausedMirrorIds(db)));
}

/** The number of failed passes in a row after which the operator gets a message. */
const failuresBeforeWarning = 3;

/** Finds mirrors that need the operator's attention: the company's slug and the reason. */
export async function findMirrorsInTrouble({ db }: Pick<Services, "db">): Promise<MirrorTrouble[]> {
  const projection = { diverged: 1, problem: 1, failures: 1, checkedAt: 1 } as const;
  const mirrors = await db.collection("mirrors").find({}, { projection });
  if (mirrors.length === 0) return [];
  const paused = await loadPausedMirrorIds(db);
  const found = mirrors.flatMap((mirror) => {
    const state = mirrorStateOf(mirror, paused);
    const isTold =
      state === "stopped" || state === "paused" || (state === "failing" && mirror.failures >= failuresBeforeWarning);
    return isTold ? [{ companyId: mirror._id, state, problem: state === "failing" ? mirror.problem : null }] : [];
  });
  const ids = found.map(({ companyId }) => companyId);
  const companies = await db
    .collection("companies")
    .find({ _id: { $in: ids } }, { projection: { slug: 1, status: 1 } });
  return found.flatMap(({ companyId, state, problem }) => {
    const company = companies.find(({ _id }) => _id === companyId);
    return company?.status === "active" ? [{ company: company.slug, state, problem }] : [];
  });
}

export function webhookAddress(server: string, slug: string): string {
  return `${server}/git/${slug}.git/webhook`;
}
