/**
 * Records once a day that a company's repository agrees with its ledger, and sends the head commits to places outside:
 * the audit log, a file of the operator, an email of the company, a tag at its mirror. An attacker who rewrites the
 * database can't reach all of them.
 */
import { mkdir, open } from "node:fs/promises";
import path from "node:path";
import type { Clock } from "#core/clock.ts";
import { sentences } from "#core/language/catalog.ts";
import { recordAudit } from "../audit/record.ts";
import type { Config } from "../config.ts";
import type { Collections, UserDocument } from "../database/documents.ts";
import type { Database, Filter } from "../database/port.ts";
import { queueMail } from "../mail/outbox.ts";
import type { VerifyReport } from "../repository/verify.ts";

const texts = sentences("server.integrity.witness", {
  agrees: "Each version is what was saved, and the repository agrees with the database.",
  differs: "The repository differs from the database. Ask an administrator of the server to run: sop admin verify",
  none: "none",
});

export interface WitnessOptions {
  db: Database<Collections>;
  clock: Clock;
  config: Pick<Config, "witnessFile">;
}

/** A line of the operator's file: the head commits of a company's repository at a time. */
export interface WitnessLine {
  at: string;
  companyId: string;
  company: string;
  ok: boolean;
  /** The number of events whose commits were computed again. */
  events: number;
  main: string | null;
  history: string | null;
}

/**
 * A check within this time after the last recorded one isn't recorded: each server verifies its own copy, a little
 * later.
 */
const sameDayMs = 20 * 3_600_000;
const shownAtMost = 5;
const repositoryVerificationId = (companyId: string) => `repository-verification:${companyId}`;

/** Records a check of a company's repository, and sends the heads out, once a day or when the result changed. */
export async function recordVerification(
  { db, clock, config }: WitnessOptions,
  { _id: companyId, slug }: { _id: string; slug: string },
  { ok, events, head, findings }: VerifyReport,
): Promise<void> {
  const at = clock.now();
  const last = await loadLastVerification(db, companyId);
  const age = last === null ? Infinity : Math.abs(clock.millis() - Date.parse(last.at));
  if (last?.ok === ok && age < sameDayMs) return;
  const line: WitnessLine = { at, companyId, company: slug, ok, events, ...head };
  if (config.witnessFile !== null) await appendWitnessLine(config.witnessFile, line);
  const found = findings.slice(0, shownAtMost).map(({ message }) => message);
  await recordAudit(db, {
    companyId,
    userId: null,
    userName: null,
    action: "repository.verify",
    entityType: "company",
    entityId: companyId,
    changes: { ok, events, ...head, ...(ok ? {} : { findings: found }) },
    at,
    origin: null,
  });
  await queueHeadsEmail(db, line);
  const $set = { value: JSON.stringify(line), at };
  await db.collection("system").updateOne({ _id: repositoryVerificationId(companyId) }, { $set }, { upsert: true });
}

/** Loads the last recorded check of a company; null without one. The company's mirror gets a tag for this check. */
export async function loadLastVerification(
  db: Pick<Database<Collections>, "collection">,
  companyId: string,
): Promise<WitnessLine | null> {
  return (await loadLastVerifications(db, [companyId])).get(companyId) ?? null;
}

/**
 * Loads the last recorded check of each company by the company's id, in a single query. Leaves out companies without
 * one.
 */
export async function loadLastVerifications(
  db: Pick<Database<Collections>, "collection">,
  companyIds: readonly string[],
): Promise<Map<string, WitnessLine>> {
  if (companyIds.length === 0) return new Map();
  const known = await db.collection("system").find({ _id: { $in: companyIds.map(repositoryVerificationId) } });
  const values = new Map(known.map(({ _id, value }) => [_id, value]));
  return new Map(
    companyIds.flatMap((companyId) => {
      const value = values.get(repositoryVerificationId(companyId));
      return value === undefined ? [] : [[companyId, JSON.parse(value) as WitnessLine]];
    }),
  );
}

/**
 * Queues the email with the heads to the address that the company chose, if an active user has confirmed this address.
 */
async function queueHeadsEmail(db: Database<Collections>, line: WitnessLine): Promise<void> {
  const { companyId, company, at, ok, main, history } = line;
  const found = await db.collection("companies").findOne({ _id: companyId });
  const to = found?.settings.witnessEmail ?? null;
  if (to === null || !(await isAddressConfirmed(db, companyId, to))) return;
  const text = ok ? texts.agrees() : texts.differs();
  const values = { company, text, main: main ?? texts.none(), history: history ?? texts.none(), at };
  await queueMail(db, { companyId, to, template: "repository-heads", values, at });
}

/** Says whether an active user has confirmed the address, so that strangers don't get an email every day. */
export async function isAddressConfirmed(
  db: Pick<Database<Collections>, "forCompany">,
  companyId: string,
  email: string,
): Promise<boolean> {
  const filter: Filter<UserDocument> = { email, emailVerified: true, status: "active" };
  return (await db.forCompany(companyId).collection("users").countDocuments(filter)) > 0;
}

async function appendWitnessLine(file: string, line: WitnessLine): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const opened = await open(file, "a", 0o600);
  try {
    await opened.writeFile(`${JSON.stringify(line)}\n`);
    await opened.sync();
  } finally {
    await opened.close();
  }
}
