/** Handles `Idempotency-Key` on POST: for 24 hours, a repeat with the same key and body gets the first answer again. */
import { setTimeout as delay } from "node:timers/promises";
import { isPeriodRunning } from "#core/clock.ts";
import { AppError } from "#core/errors.ts";
import type { Collections, IdempotencyDocument } from "../database/documents.ts";
import { DatabaseUnavailableError, DuplicateKeyError, type Filter, type Transaction } from "../database/port.ts";
import { sha256 } from "../hashing.ts";
import type { Call, IdempotentRun } from "./call.ts";
import type { Services } from "./services.ts";
import { refusals } from "./refusals.ts";

const answersKeptMs = 24 * 3600 * 1000;
/**
 * Milliseconds for which the record of a running request blocks repeats. No request takes longer. If the server dies, a
 * repeat can replace the record after that time.
 */
const runningMs = 120_000;
const againMs = 250;

/**
 * Runs `act` unless a request with the same key was answered, and stores the answer. A repeat gets the stored answer.
 * @throws AppError conflict while the first request runs, or when its answer is unknown; unprocessable for another
 * body; and the errors of `act`
 */
export async function answerOnce(
  { db, clock }: Services,
  call: Call,
  key: string,
  act: (call: Call) => Promise<unknown>,
): Promise<unknown> {
  if (key.length > 200) throw new AppError("invalid_input", refusals.longKey());
  const userId = call.identity?.user._id ?? "";
  const records = db.collection("idempotency");
  const _id = sha256(`${userId}\n${call.ctx.method} ${call.ctx.path}\n${key}`, "base64url");
  const bodyHash = sha256(bodyText(call.body), "base64url");
  const timeAfter = (ms: number) => new Date(clock.millis() + ms).toISOString();
  const run: IdempotentRun = { id: _id, until: timeAfter(runningMs) };
  try {
    await records.insertOne({
      _id,
      userId,
      bodyHash,
      state: "running",
      entityId: null,
      status: null,
      body: null,
      expiresAt: run.until,
    });
  } catch (error) {
    if (!(error instanceof DuplicateKeyError)) throw error;
    const known = await records.findOne({ _id });
    if (known?.state === "committed") {
      throw new AppError("conflict", refusals.firstCarriedOut(), {
        id: known.entityId,
      });
    }
    if (known && isRecordValid(known, clock.millis())) {
      if (known.bodyHash !== bodyHash)
        // the client lost the first answer and has changed the text since. The id lets it continue with the created
        // record
        throw new AppError(
          "unprocessable",
          refusals.otherBody(),
          known.entityId === null ? undefined : { id: known.entityId },
        );
      if (known.state === "running") throw new AppError("conflict", refusals.firstRuns());
      call.ctx.set("Idempotency-Replayed", "true");
      call.ctx.state["status"] = known.status;
      return JSON.parse(known.body ?? "null") as unknown;
    }
    const taken = await records.updateOne(
      { _id, expiresAt: known?.expiresAt ?? "" },
      { $set: { bodyHash, state: "running", status: null, body: null, expiresAt: run.until } },
    );
    if (taken.matchedCount === 0) throw new AppError("conflict", refusals.firstRuns());
  }
  try {
    const answer = await act({ ...call, idempotency: run });
    const status = (call.ctx.state["status"] as number | undefined) ?? null;
    await records.updateOne(
      { _id, ...filterForOwnRun(run) },
      { $set: { state: "done", status, body: JSON.stringify(answer), expiresAt: timeAfter(answersKeptMs) } },
    );
    return answer;
  } catch (error) {
    const deleteRecord = () => records.deleteOne({ _id, state: "running", expiresAt: run.until });
    if (error instanceof DatabaseUnavailableError) void retryUntilAnswered(deleteRecord);
    else await deleteRecord();
    throw error;
  }
}

/**
 * Says whether a record is valid. A stored answer is valid until it expires. The record of a running request is valid
 * for the maximum duration of a request.
 */
function isRecordValid({ state, expiresAt }: IdempotencyDocument, now: number): boolean {
  const until = Date.parse(expiresAt);
  return state === "running" ? isPeriodRunning(until, 2 * runningMs, now) : until > now;
}

/**
 * Retries the deletion until the database answers. Before that, a repeat of the request is told that the first one
 * still runs.
 */
async function retryUntilAnswered(end: () => Promise<unknown>): Promise<void> {
  for (let waited = 0; waited < runningMs; waited += againMs) {
    try {
      await end();
      return;
    } catch {
      await delay(againMs, undefined, { ref: false });
    }
  }
}

/**
 * Returns the filter for the record of this run: still running until the time that this run has set, or already
 * committed by its own transaction.
 */
function filterForOwnRun({ until }: IdempotentRun): Filter<IdempotencyDocument> {
  return { $or: [{ state: "committed" }, { state: "running", expiresAt: until }] };
}

/**
 * Marks the record as committed, in the transaction of the effect. The record then lasts as long as an answer, because
 * a repeat after a crash must not write again.
 * @throws AppError conflict when a repeat has replaced this run, which had taken too long
 */
export async function markCommitted(
  tx: Transaction<Collections>,
  { id, until }: IdempotentRun,
  entityId: string | null,
  at: string,
): Promise<void> {
  const records = tx.collection("idempotency");
  const expiresAt = new Date(Date.parse(at) + answersKeptMs).toISOString();
  const marked = await records.updateOne(
    { _id: id, state: "running", expiresAt: until },
    { $set: { state: "committed", entityId, expiresAt } },
  );
  if (marked.matchedCount === 0 && (await records.findOne({ _id: id })))
    throw new AppError("conflict", refusals.fasterRepeat());
}

function bodyText(body: unknown): string | Uint8Array {
  return body instanceof Uint8Array ? body : JSON.stringify(body ?? null);
}
