/**
 * Makes up logs, exports them, and alters them at random like an attacker who has everything except the signing key.
 */
import { createHash, generateKeyPairSync, randomBytes, randomUUID, sign, verify } from "node:crypto";
import {
  checkpointHash,
  checkpointText,
  genesisHash,
  keysDigest,
  payloadDigest,
  rowHash,
  sealText,
  type ChainRow,
  type Checkpoint,
  type Genesis,
  type NamedKey,
  type ProofRow,
  type Seal,
  type Sha256,
} from "#core/audit/chain.ts";
import { createExportVerifier, type ExportLine } from "#core/audit/export-file.ts";
import { createAuditVerifier, type AuditReport, type CheckSignature, type Verdict } from "#core/audit/verify.ts";

export const sha256: Sha256 = (text) => createHash("sha256").update(text).digest("hex");

/** @returns a whole number below `end` */
export type Random = (end: number) => number;

export interface Log {
  genesis: Genesis;
  rows: ProofRow[];
  checkpoints: Checkpoint[];
}

export interface Keys extends NamedKey {
  sign(text: string): string;
}

export function makeKeys(kid = "k1"): Keys {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  return {
    kid,
    publicKeyPem: publicKey.export({ type: "spki", format: "pem" }).toString(),
    sign: (text) => sign(null, Buffer.from(text), privateKey).toString("hex"),
  };
}

export const verifySignature = (publicKeyPem: string, text: string, signature: string): boolean =>
  verify(null, Buffer.from(text), publicKeyPem, Buffer.from(signature, "hex"));

/** A company's log with a checkpoint every `every` rows. The rows after the last checkpoint are not anchored. */
export function makeLog(length: number, every: number, keys: Keys): Log {
  const genesis: Genesis = { companyId: randomUUID(), createdAt: "2026-01-01T00:00:00.000Z" };
  const rows: ProofRow[] = [];
  const checkpoints: Checkpoint[] = [];
  for (let seq = 1; seq <= length; seq++) {
    const at = new Date(Date.UTC(2026, 0, 1) + seq * 1000).toISOString();
    const salt = randomBytes(16).toString("hex");
    const payload = {
      userName: `User ${seq % 7}`,
      changes: { title: { from: `Old ${seq}`, to: `Neu ${seq} ü ${"\u2028"}` }, count: seq / 3 },
      ipAddress: `10.0.0.${seq % 250}`,
      userAgent: "Mozilla/5.0",
    };
    const row: ChainRow = {
      v: 1,
      id: randomUUID(),
      companyId: genesis.companyId,
      seq,
      createdAt: at,
      userId: seq % 5 ? randomUUID() : null,
      action: seq % 2 ? "sop.update" : "account.sign_in",
      entityType: "sop",
      entityId: randomUUID(),
      requestId: randomUUID(),
      payloadDigest: payloadDigest(salt, payload, sha256),
      prevHash: rows.at(-1)?.hash ?? genesisHash(genesis, sha256),
    };
    rows.push({ row, hash: rowHash(row, sha256), salt, payload });
    if (seq % every === 0) checkpoints.push(signCheckpoint(genesis, rows, checkpoints.at(-1), at, keys));
  }
  return { genesis, rows, checkpoints };
}

function signCheckpoint(
  { companyId }: Genesis,
  rows: readonly ProofRow[],
  before: Checkpoint | undefined,
  at: string,
  keys: Keys,
): Checkpoint {
  const last = rows.at(-1);
  const unsigned = {
    companyId,
    seq: rows.length,
    head: last?.hash ?? "",
    at,
    prevCheckpointHash: before ? checkpointHash(before, sha256) : null,
    kid: keys.kid,
  };
  return { ...unsigned, signature: keys.sign(checkpointText(unsigned)) };
}

/** Checks the log with the product's check for the log in the database. */
export function verifyLog({ genesis, rows, checkpoints }: Log, keys: Keys): AuditReport {
  const checkSignature: CheckSignature = (kid, text, signature) =>
    kid === keys.kid ? verifySignature(keys.publicKeyPem, text, signature) : null;
  const verifier = createAuditVerifier({ genesis, checkpoints, sha256, checkSignature });
  for (const row of rows) verifier.row(row);
  return verifier.finish();
}

export function exportLog({ genesis, rows, checkpoints }: Log, keys: Keys): string[] {
  const named = [{ kid: keys.kid, publicKeyPem: keys.publicKeyPem }];
  const unsigned = {
    ...genesis,
    at: "2026-02-01T00:00:00.000Z",
    seq: rows.length,
    head: rows.at(-1)?.hash ?? genesisHash(genesis, sha256),
    checkpoints: checkpoints.length,
    keys: keysDigest(named, sha256),
    kid: keys.kid,
  };
  const seal: Seal = { ...unsigned, signature: keys.sign(sealText(unsigned)) };
  const lines: ExportLine[] = [
    { type: "seal", ...seal },
    ...named.map((key) => ({ type: "key" as const, ...key })),
    ...checkpoints.map((checkpoint) => ({ type: "checkpoint" as const, ...checkpoint })),
    ...rows.map((row) => ({ type: "row" as const, ...row })),
  ];
  return lines.map((line) => JSON.stringify(line));
}

export function verifyExport(lines: readonly string[], trusted: readonly string[]) {
  const verifier = createExportVerifier({ sha256, verifySignature, trusted });
  for (const line of lines) verifier.line(line);
  return verifier.finish();
}

export interface Alteration {
  what: string;
  /** Verdicts that name this alteration correctly. */
  names: readonly Verdict[];
}

/** A different value of the same kind. */
function other(value: unknown, random: Random): unknown {
  if (typeof value === "number") return value + 1 + random(5);
  if (value === null) return "x";
  if (typeof value !== "string") return null;
  if (value === "") return "x";
  const at = random(value.length);
  return value.slice(0, at) + (value[at] === "7" ? "8" : "7") + value.slice(at + 1);
}

/** Changes the value of a random field in a JSON document. @returns the path of the field */
export function editField(document: Record<string, unknown>, random: Random, except: readonly string[] = []): string {
  const names = Object.keys(document).filter((name) => !except.includes(name));
  const name = names[random(names.length)] ?? "";
  const value = document[name];
  if (typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length > 0) {
    return `${name}.${editField(value as Record<string, unknown>, random)}`;
  }
  document[name] = other(value, random);
  return name;
}

/** Recomputes the hashes of the rows after `from`, as a forger would. */
export function rehash({ genesis, rows }: Log, from: number): void {
  for (let index = from; index < rows.length; index++) {
    const proof = rows[index];
    if (!proof) return;
    const { row, salt, payload } = proof;
    row.seq = index + 1;
    row.prevHash = rows[index - 1]?.hash ?? genesisHash(genesis, sha256);
    if (salt !== null && payload !== null) row.payloadDigest = payloadDigest(salt, payload, sha256);
    proof.hash = rowHash(row, sha256);
  }
}

const anyRow: readonly Verdict[] = ["ROW_ALTERED", "PAYLOAD_MISMATCH", "REWRITTEN", "GAP", "REORDERED"];

/** Makes a random alteration among the first `upTo` rows of the log. */
export function alterLog(log: Log, upTo: number, random: Random): Alteration {
  const { rows } = log;
  const index = random(upTo);
  const proof = rows[index];
  if (!proof) throw new Error("the log is too short");
  switch (random(7)) {
    case 0: {
      const path = editField(proof as unknown as Record<string, unknown>, random);
      return { what: `edit ${path} of row ${index + 1}`, names: anyRow };
    }
    case 1:
      rows.splice(index, 1);
      return { what: `delete row ${index + 1}`, names: ["GAP"] };
    case 2: {
      const [from, to] = [index, (index + 1 + random(upTo - 1)) % upTo];
      [rows[from], rows[to]] = [rows[to] as ProofRow, rows[from] as ProofRow];
      return { what: `swap rows ${from + 1} and ${to + 1}`, names: ["REORDERED"] };
    }
    case 3:
      rows.length = index;
      return { what: `truncate to ${index} rows`, names: ["TRUNCATED"] };
    case 4: {
      const path = editField(proof.payload as unknown as Record<string, unknown>, random);
      rehash(log, index);
      return { what: `edit ${path} of row ${index + 1} and recompute all hashes`, names: ["REWRITTEN"] };
    }
    case 5:
      rows.splice(index, 1);
      rehash(log, index);
      return { what: `delete row ${index + 1} and recompute all hashes`, names: ["REWRITTEN", "TRUNCATED"] };
    default: {
      const copy = structuredClone(proof);
      copy.row.id = randomUUID();
      rows.splice(index, 0, copy);
      rehash(log, index);
      return { what: `insert before row ${index + 1} and recompute all hashes`, names: ["REWRITTEN"] };
    }
  }
}

/** Makes a random alteration of a line of an exported file. */
export function alterExport(lines: string[], random: Random): Alteration {
  const index = random(lines.length);
  const line = lines[index] ?? "";
  switch (random(4)) {
    case 0: {
      const document = JSON.parse(line) as Record<string, unknown>;
      const path = editField(document, random, index === 0 ? ["type"] : []);
      lines[index] = JSON.stringify(document);
      return { what: `edit ${path} of line ${index + 1}`, names: [...anyRow, "BAD_SIGNATURE", "TRUNCATED"] };
    }
    case 1: {
      const at = index === 0 ? 1 : index;
      lines.splice(at, 1);
      return { what: `delete line ${at + 1}`, names: ["GAP", "TRUNCATED", "BAD_SIGNATURE"] };
    }
    case 2:
      lines.length = Math.max(1, index);
      return { what: `truncate to ${lines.length} lines`, names: ["TRUNCATED", "BAD_SIGNATURE"] };
    default: {
      // the last checkpoints are removed with the rows that they cover
      const rows = lines.filter((one) => one.startsWith('{"type":"row"'));
      const checkpoints = lines.filter((one) => one.startsWith('{"type":"checkpoint"'));
      const rest = lines.filter((one) => !rows.includes(one) && !checkpoints.includes(one));
      const keptRows = random(rows.length);
      const covered = checkpoints.filter((one) => (JSON.parse(one) as Checkpoint).seq <= keptRows);
      lines.splice(0, lines.length, ...rest, ...covered, ...rows.slice(0, keptRows));
      return { what: `keep ${keptRows} rows and their checkpoints alone`, names: ["TRUNCATED"] };
    }
  }
}

/** A small seeded generator, so that a failure can be repeated. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return (end) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * end);
  };
}

export interface TamperCount {
  tried: number;
  found: number;
  named: number;
  /** Alterations that were not found, or got a wrong verdict. */
  missed: string[];
}

/** Tampers `times` times: half with a log in the form of the database, half with an exported file. */
export function tamper(times: number, seed: number): TamperCount {
  const random = seeded(seed);
  const keys = makeKeys();
  const log = makeLog(150, 32, keys);
  const anchored = log.checkpoints.at(-1)?.seq ?? 0;
  const lines = exportLog(log, keys);
  const count: TamperCount = { tried: 0, found: 0, named: 0, missed: [] };
  for (let round = 0; round < times; round++) {
    const [{ what, names }, report] = round % 2 === 0 ? inLog() : inFile();
    count.tried++;
    if (!report.ok) count.found++;
    const named = report.findings.some(({ verdict }) => names.includes(verdict));
    if (named) count.named++;
    else count.missed.push(`${what}: ${report.findings.map(({ verdict }) => verdict).join() || "nothing found"}`);
  }
  return count;

  function inLog(): [Alteration, AuditReport] {
    const copy = structuredClone(log);
    const alteration = alterLog(copy, anchored, random);
    return [alteration, verifyLog(copy, keys)];
  }

  function inFile(): [Alteration, AuditReport] {
    const copy = [...lines];
    const alteration = alterExport(copy, random);
    return [alteration, verifyExport(copy, [keys.publicKeyPem])];
  }
}
