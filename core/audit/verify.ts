/** Verifies an audit log row by row, in constant memory, from its input alone. */
import {
  checkpointHash,
  checkpointText,
  genesisHash,
  payloadDigest,
  rowHash,
  type Checkpoint,
  type Genesis,
  type ProofRow,
  type Sha256,
} from "./chain.ts";

export type Verdict =
  | "ROW_ALTERED"
  | "PAYLOAD_MISMATCH"
  | "GAP"
  | "REORDERED"
  | "TRUNCATED"
  | "REWRITTEN"
  | "BAD_SIGNATURE"
  // the verdicts below are notes, not faults
  | "REDACTED"
  | "UNCHAINED"
  | "NOT_ANCHORED";

export interface AuditFinding {
  verdict: Verdict;
  /** The number of the faulty row; null if the finding is about no single row. */
  seq: number | null;
  message: string;
}

export interface AuditReport {
  ok: boolean;
  /** The number of checked rows. */
  rows: number;
  /** The last row's number and hash. */
  seq: number;
  head: string;
  /** The number of the last row that a signature covers. */
  anchoredTo: number;
  /** The first hundred faults. */
  findings: AuditFinding[];
  faults: number;
  /** Notes, which are not faults: rows without a signature yet, rows not chained yet, and erased payloads. */
  notes: AuditFinding[];
}

/** Checks a signature; returns null if the key is not among the trusted keys. */
export type CheckSignature = (kid: string, text: string, signature: string) => boolean | null;

export interface AuditVerifierOptions {
  genesis: Genesis;
  /** The checkpoints in the log, in order of `seq`; `outside` has those that were stored elsewhere. */
  checkpoints: readonly Checkpoint[];
  outside?: readonly Checkpoint[];
  /** The last row's number and hash, as signed in the export's seal. */
  sealed?: { seq: number; head: string };
  sha256: Sha256;
  checkSignature: CheckSignature;
  /** Ids of keys that were lost. Their signatures prove nothing, but are no fault. */
  lostKeys?: ReadonlySet<string>;
}

export interface AuditVerifier {
  row(proof: ProofRow): void;
  /** Reports a fault outside the rows. */
  fault(verdict: Verdict, seq: number | null, message: string): void;
  /** Returns the report. @param waiting the number of rows that have no position in the chain yet */
  finish(waiting?: number): AuditReport;
}

const findingsAtMost = 100;

export function createAuditVerifier({
  genesis,
  checkpoints,
  outside = [],
  sealed,
  sha256,
  checkSignature,
  lostKeys = new Set(),
}: AuditVerifierOptions): AuditVerifier {
  const findings: AuditFinding[] = [];
  let faults = 0;
  const addFault = (verdict: Verdict, seq: number | null, message: string) => {
    faults++;
    if (findings.length < findingsAtMost) findings.push({ verdict, seq, message });
  };

  const anchors = new Map<number, Set<string>>();
  const addSignedHead = ({ seq, head: signedHead }: { seq: number; head: string }) =>
    void anchors.set(seq, (anchors.get(seq) ?? new Set()).add(signedHead));
  const signedByLost = new Map<string, number>();
  const checkAnchor = (checkpoint: Checkpoint) => {
    const { kid, seq } = checkpoint;
    if (lostKeys.has(kid)) return void signedByLost.set(kid, Math.max(seq, signedByLost.get(kid) ?? 0));
    const problem = checkpointProblem(checkpoint, genesis, checkSignature);
    if (problem !== null) addFault("BAD_SIGNATURE", checkpoint.seq, problem);
    else addSignedHead(checkpoint);
  };
  if (sealed && sealed.seq > 0) addSignedHead(sealed);
  let before: Checkpoint | null = null;
  for (const checkpoint of checkpoints) {
    checkAnchor(checkpoint);
    const expected = before === null ? null : checkpointHash(before, sha256);
    if (checkpoint.prevCheckpointHash !== expected) {
      addFault("GAP", checkpoint.seq, `the checkpoint at row ${checkpoint.seq} does not follow the one before it`);
    }
    before = checkpoint;
  }
  for (const checkpoint of outside) checkAnchor(checkpoint);

  let rows = 0;
  let last = 0;
  let head = genesisHash(genesis, sha256);
  let lastIsSound = true;
  const missing = new Set<number>();
  let lostBeyond: { from: number; to: number }[] = [];
  const erased = new Map<string, number>();
  const erasures = new Set<string>();

  /** Checks the row's position. @returns true if the row follows the previous one */
  function isNextRow(seq: number): boolean {
    if (seq === last + 1) return true;
    if (seq > last) noteMissing(last + 1, seq - 1);
    else if (missing.delete(seq)) addFault("REORDERED", seq, `row ${seq} comes after row ${last}`);
    else addFault("REORDERED", seq, `row ${seq} is repeated after row ${last}`);
    return false;
  }

  function noteMissing(from: number, to: number): void {
    // the limit is needed because a forged row number could make the list endless
    if (missing.size + to - from >= 10_000) lostBeyond = [...lostBeyond.slice(-99), { from, to }];
    else for (let seq = from; seq <= to; seq++) missing.add(seq);
  }

  function checkPayload({ row, salt, payload }: ProofRow): void {
    if (payload === null) erased.set(row.id, row.seq);
    else if (salt === null || payloadDigest(salt, payload, sha256) !== row.payloadDigest) {
      addFault(
        "PAYLOAD_MISMATCH",
        row.seq,
        `what row ${row.seq} says of user, changes or origin is not what was recorded`,
      );
    }
    if (row.action === "audit.redacted" && row.entityId !== null) erasures.add(row.entityId);
  }

  return {
    fault: addFault,

    row(proof) {
      rows++;
      const { row, hash } = proof;
      const { seq } = row;
      if (!Number.isSafeInteger(seq) || seq < 1) return addFault("ROW_ALTERED", null, `row ${rows} has no number`);
      const sound = rowHash(row, sha256) === hash && row.companyId === genesis.companyId;
      if (!sound) addFault("ROW_ALTERED", seq, `row ${seq} is not what its hash says`);
      checkPayload(proof);
      const next = isNextRow(seq);
      if (next && sound && row.prevHash !== head && lastIsSound) {
        addFault(
          "REWRITTEN",
          seq,
          `row ${seq} does not follow ${seq === 1 ? "the company's start" : `row ${seq - 1}`}`,
        );
      }
      for (const anchored of anchors.get(seq) ?? []) {
        if (anchored !== hash) addFault("REWRITTEN", seq, `row ${seq} is not the one that was signed`);
      }
      if (seq > last) {
        last = seq;
        head = hash;
        lastIsSound = sound;
      }
    },

    finish(waiting = 0) {
      for (const { from, to } of [...rangesOfNumbers(missing), ...lostBeyond]) {
        addFault("GAP", from, from === to ? `row ${from} is missing` : `rows ${from} to ${to} are missing`);
      }
      const signed = [...anchors.keys()].sort((a, b) => a - b);
      const furthest = signed.at(-1) ?? 0;
      if (furthest > last) {
        addFault("TRUNCATED", last + 1, `the log ends at row ${last}, but a signature names row ${furthest}`);
      }
      if (sealed && last > sealed.seq) {
        addFault("REWRITTEN", sealed.seq + 1, `the log was sealed at row ${sealed.seq}, but goes on to row ${last}`);
      }
      const notes: AuditFinding[] = [...signedByLost].map(([kid, seq]) => {
        const message = `the checkpoints of key ${kid}, up to row ${seq}, can't be verified: the key is lost`;
        return { verdict: "NOT_ANCHORED", seq, message };
      });
      for (const [id, seq] of erased) {
        if (!erasures.has(id))
          addFault("PAYLOAD_MISMATCH", seq, `the data of row ${seq} is gone, and no row records it`);
        else notes.push({ verdict: "REDACTED", seq, message: `the data of row ${seq} was erased; the log records it` });
      }
      const anchoredTo = signed.filter((seq) => seq <= last).at(-1) ?? 0;
      if (last > anchoredTo)
        notes.push({ verdict: "NOT_ANCHORED", seq: anchoredTo + 1, message: unanchoredText(anchoredTo, last) });
      if (waiting > 0)
        notes.push({ verdict: "UNCHAINED", seq: null, message: `${waiting} rows aren't in the chain yet` });
      return { ok: faults === 0, rows, seq: last, head, anchoredTo, findings, faults, notes };
    },
  };
}

/** Tells whether a text is a signature in its only valid form: 64 bytes as lower-case hexadecimal digits. */
export function isSignature(text: unknown): text is string {
  return typeof text === "string" && /^[0-9a-f]{128}$/.test(text);
}

function unanchoredText(anchoredTo: number, last: number): string {
  const which = last === anchoredTo + 1 ? `row ${last} is` : `rows ${anchoredTo + 1} to ${last} are`;
  return `${which} not anchored yet: no signature vouches for them`;
}

function checkpointProblem(checkpoint: Checkpoint, { companyId }: Genesis, check: CheckSignature): string | null {
  const what = `the checkpoint at row ${checkpoint.seq}`;
  if (checkpoint.companyId !== companyId) return `${what} is another company's`;
  const valid = isSignature(checkpoint.signature)
    ? check(checkpoint.kid, checkpointText(checkpoint), checkpoint.signature)
    : false;
  if (valid === null) return `${what} is signed by ${checkpoint.kid}, which is not a key to trust`;
  return valid ? null : `${what} is not what was signed`;
}

function* rangesOfNumbers(numbers: ReadonlySet<number>): Generator<{ from: number; to: number }> {
  const sorted = [...numbers].sort((a, b) => a - b);
  let from: number | null = null;
  for (const [index, seq] of sorted.entries()) {
    from ??= seq;
    if (sorted[index + 1] === seq + 1) continue;
    yield { from, to: seq };
    from = null;
  }
}
