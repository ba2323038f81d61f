/**
 * Verifies an exported audit log line by line. Each line is a JSON document: first the seal, then the public keys, the
 * checkpoints, and the rows in order.
 */
import {
  keysDigest,
  sealText,
  type Checkpoint,
  type NamedKey,
  type ProofRow,
  type Seal,
  type Sha256,
} from "./chain.ts";
import {
  createAuditVerifier,
  isSignature,
  type AuditReport,
  type AuditVerifier,
  type CheckSignature,
} from "./verify.ts";

export type ExportLine =
  | ({ type: "seal" } & Seal)
  | ({ type: "key" } & NamedKey)
  | ({ type: "checkpoint" } & Checkpoint)
  | ({ type: "row" } & ProofRow);

export interface ExportVerifierOptions {
  sha256: Sha256;
  /** Verifies an Ed25519 signature of a text in UTF-8. The signature is in hexadecimal digits. */
  verifySignature(publicKeyPem: string, text: string, signature: string): boolean;
  /**
   * The public keys to trust, in PEM. If there are none, the keys in the file are used, which can't detect a forged
   * file.
   */
  trusted: readonly string[];
  /** Checkpoints that were stored elsewhere, also of other companies; absent for none. */
  outside?: readonly Checkpoint[];
}

export interface ExportVerifier {
  /**
   * Verifies the next line. Faults are reported at the end. @throws NotAnExportError if the first line is not a seal
   */
  line(text: string): void;
  /** Returns the result after the last line. @throws NotAnExportError for an empty file */
  finish(): AuditReport & Pick<Seal, "companyId" | "at"> & { keys: NamedKey[] };
}

export class NotAnExportError extends Error {
  constructor(why = "the first line must be its seal") {
    super(`this isn't an exported audit log: ${why}`);
    this.name = "NotAnExportError";
  }
}

export function createExportVerifier({
  sha256,
  verifySignature,
  trusted,
  outside,
}: ExportVerifierOptions): ExportVerifier {
  let seal: Seal | null = null;
  const keys: NamedKey[] = [];
  const checkpoints: Checkpoint[] = [];
  const unreadable: string[] = [];
  let rows: AuditVerifier | null = null;
  let lines = 0;

  const checkSignature: CheckSignature = (kid, text, signature) => {
    if (trusted.length > 0) return trusted.some((pem) => verifySignature(pem, text, signature));
    const key = keys.find((one) => one.kid === kid);
    return key ? verifySignature(key.publicKeyPem, text, signature) : null;
  };

  /** Creates the verifier for the rows and checks the seal, once all keys and checkpoints are read. */
  function openVerifier(of: Seal): AuditVerifier {
    const vouched = isSignature(of.signature) && checkSignature(of.kid, sealText(of), of.signature) === true;
    const verifier = createAuditVerifier({
      genesis: { companyId: of.companyId, createdAt: of.createdAt },
      checkpoints,
      outside: (outside ?? []).filter(({ companyId }) => companyId === of.companyId),
      ...(vouched ? { sealed: of } : {}),
      sha256,
      checkSignature,
    });
    if (!vouched) verifier.fault("BAD_SIGNATURE", null, "the seal is not what was signed, or signed by another key");
    if (checkpoints.length !== of.checkpoints) {
      verifier.fault("TRUNCATED", null, `${checkpoints.length} of ${of.checkpoints} checkpoints are there`);
    }
    if (keysDigest(keys, sha256) !== of.keys) {
      verifier.fault("BAD_SIGNATURE", null, "the public keys in the file are not those that were sealed");
    }
    return verifier;
  }

  function addLine(line: ExportLine, of: Seal): boolean {
    const { type, ...rest } = line;
    if (type === "row" && isProofRow(rest)) (rows ??= openVerifier(of)).row(rest);
    else if (rows === null && type === "key") keys.push(rest as NamedKey);
    else if (rows === null && type === "checkpoint") checkpoints.push(rest as Checkpoint);
    else return false;
    return true;
  }

  return {
    line(text) {
      lines++;
      const line = parseExportLine(text);
      if (seal === null) {
        if (line?.type !== "seal") throw new NotAnExportError();
        const { type: _, ...rest } = line;
        seal = rest;
      } else if (line === null || !addLine(line, seal)) {
        unreadable.push(`line ${lines} is not as it was written`);
      }
    },

    finish() {
      if (seal === null) throw new NotAnExportError();
      const verifier = rows ?? openVerifier(seal);
      for (const message of unreadable) verifier.fault("ROW_ALTERED", null, message);
      return { ...verifier.finish(), companyId: seal.companyId, at: seal.at, keys };
    },
  };
}

function parseExportLine(text: string): ExportLine | null {
  try {
    const line = JSON.parse(text) as unknown;
    return typeof line === "object" && line !== null && "type" in line ? (line as ExportLine) : null;
  } catch {
    return null;
  }
}

const rowFields = ["hash", "payload", "row", "salt"].join();

/** Tells whether a row has exactly the fields of a log row. No hash would cover an additional field. */
function isProofRow(value: object): value is ProofRow {
  if (Object.keys(value).sort().join() !== rowFields) return false;
  const { row, payload } = value as { row: unknown; payload: unknown };
  return typeof row === "object" && row !== null && typeof payload === "object";
}
