/** `sop verify <path>`: proves a clone, a PDF or an exported audit log offline. */
import { createHash, createPublicKey, verify as verifySignature, type KeyObject } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { sha256Of } from "../hashing.ts";
import type { Checkpoint } from "#core/audit/chain.ts";
import { createExportVerifier, NotAnExportError, type ExportVerifier } from "#core/audit/export-file.ts";
import { CannotProve, Difference } from "#core/repository/difference.ts";
import { proveClone, type CloneProof } from "#core/repository/prove.ts";
import { proveFile, type FileProof } from "#core/repository/prove-file.ts";
import { exit, invalidInputError } from "../exit.ts";
import type { CommandContext, CommandResult } from "../context.ts";
import { printableText } from "../output.ts";
import { isFolderOrBundle, withClone } from "../workspace/clone.ts";
import { isPdf, pdfAttachments, readPdf } from "../workspace/pdf-attachments.ts";

export interface VerifyCommandOptions {
  /** Files of public keys that may have signed an audit log. */
  publicKey?: string[];
  /** A file of noted checkpoints, for an audit log. */
  checkpoints?: string;
  /** A commit noted earlier that a clone or a PDF must match. */
  expect?: string;
  /** True to print who approved each version of a clone. */
  approvals?: boolean;
  /** A clone that must contain the PDF's version. */
  clone?: string;
}

type ExportVerifyReport = ReturnType<ExportVerifier["finish"]>;

export async function verifyPath(
  context: CommandContext,
  path: string,
  options: VerifyCommandOptions,
): Promise<CommandResult> {
  const at = resolve(context.cwd, path);
  if (await isFolderOrBundle(at)) return verifyClone(context, path, options);
  return (await isPdf(at)) ? verifyPdf(context, path, options) : verifyLog(context, path, options);
}

const hashes = {
  sha1(...parts: Uint8Array[]) {
    const hash = createHash("sha1");
    for (const part of parts) hash.update(part);
    return hash.digest("hex");
  },
  sha256: sha256Of,
};

function assertCommitId(expect: string | undefined): void {
  if (expect === undefined || /^[0-9a-f]{7,40}$/.test(expect)) return;
  throw invalidInputError("not_a_commit", `${expect} isn't the id of a commit`, {
    hint: "note one: git rev-parse origin/history",
  });
}

/** Runs a proof and returns its result, or an error that names the first difference. */
async function runProof(
  path: string,
  prove: () => Promise<{ data: object; text: string; isIncomplete?: boolean }>,
): Promise<CommandResult> {
  try {
    const { data, text, isIncomplete = false } = await prove();
    const code = isIncomplete ? exit.findings : exit.done;
    return { exit: code, data: { ok: !isIncomplete, ...data }, text: printableText(text) };
  } catch (error) {
    if (error instanceof CannotProve) throw invalidInputError("cannot_verify", `${path}: ${error.message}`, { path });
    if (!(error instanceof Difference)) throw error;
    const { message } = error;
    return {
      exit: exit.findings,
      data: { ok: false, difference: message },
      text: `ALTERED  ${printableText(message)}\n`,
    };
  }
}

/** Verifies an exported PDF. If a clone is given, it must contain the PDF's commit and the expected commit. */
async function verifyPdf(
  { cwd }: CommandContext,
  path: string,
  { expect, clone: other }: VerifyCommandOptions,
): Promise<CommandResult> {
  assertCommitId(expect);
  return runProof(path, async () => {
    const pdf = await readPdf(resolve(cwd, path));
    const proof = proveFile(pdfAttachments(pdf), hashes, other === undefined ? expect : undefined);
    const all = [proof.commit, ...(expect === undefined ? [] : [expect])];
    if (other !== undefined) await withClone(resolve(cwd, other), (clone) => proveClone(clone, hashes, all));
    const file = sha256Of(pdf);
    return { data: { ...proof, file }, text: pdfReportText(proof, file, other !== undefined || expect !== undefined) };
  });
}

function pdfReportText(
  { number, version, title, commit, sha256: hash, by }: FileProof,
  file: string,
  isNoted: boolean,
): string {
  const lines = [`OK  the attached text is ${number} v${version}, as its commit states: ${title}`];
  lines.push(`    commit ${commit}`, `    SHA-256 of the text ${hash}`);
  lines.push(`    approved by ${by.map(({ name, at }) => `${name}, ${at}`).join("; ") || "no one"}`);
  if (!isNoted)
    lines.push("    A commit can be forged: compare it with --clone, or with --expect and one noted elsewhere.");
  lines.push("    Its pages can say something else. The audit log has the SHA-256 of each PDF that the server sent:");
  return `${[...lines, `    ${file}`].join("\n")}\n`;
}

async function verifyClone(
  { cwd }: CommandContext,
  path: string,
  { expect, approvals }: VerifyCommandOptions,
): Promise<CommandResult> {
  assertCommitId(expect);
  const noted = expect === undefined ? [] : [expect];
  return runProof(path, async () => {
    const proof = await withClone(resolve(cwd, path), (clone) => proveClone(clone, hashes, noted));
    const isIncomplete = proof.unreadable.length > 0;
    return { data: proof, text: cloneReportText(proof, { expect, approvals }), isIncomplete };
  });
}

function cloneReportText(
  { branches, versions, approvals, unreadable }: CloneProof,
  options: { expect: string | undefined; approvals: boolean | undefined },
): string {
  const lines = [`${unreadable.length > 0 ? "INCOMPLETE" : "OK"}  ${versions} versions are what their commits state`];
  for (const { seq, commit } of unreadable)
    lines.push(`    event ${seq}, commit ${commit}: the server can't read what changed, so it isn't proven`);
  lines.push(...branches.map(({ name, commits, head }) => `    ${name}: ${commits} commits, head ${head}`));
  if (options.expect === undefined) {
    lines.push(
      "    A repository rewritten as a whole agrees with itself: compare a head noted elsewhere with --expect.",
    );
  }
  for (const { number, version, by } of options.approvals ? approvals : []) {
    lines.push(`${number} v${version}: ${by.map(({ name, at }) => `${name}, ${at}`).join("; ") || "no approval"}`);
  }
  return `${lines.join("\n")}\n`;
}

async function verifyLog(context: CommandContext, file: string, options: VerifyCommandOptions): Promise<CommandResult> {
  const trusted = await Promise.all((options.publicKey ?? []).map((path) => readPublicKey(context, path)));
  const outside = options.checkpoints === undefined ? [] : await readCheckpoints(context, options.checkpoints);
  const verifier = createExportVerifier({
    sha256: sha256Of,
    verifySignature: createSignatureCheck(),
    trusted,
    outside,
  });
  const report = await verifyAuditLines(resolve(context.cwd, file), verifier);
  const believed = trusted.length === 0;
  if (believed) {
    context.out.note(
      `signed by the key in the file itself: compare it, or add --public-key. ${keyFingerprintsText(report)}`,
    );
  }
  return {
    exit: report.ok ? exit.done : exit.findings,
    data: { ...report, trusted: !believed },
    text: auditReportText(report),
  };
}

async function verifyAuditLines(file: string, verifier: ExportVerifier): Promise<ExportVerifyReport> {
  try {
    // An error on opening, such as a missing file, must fail this command; the loop over lines alone would miss it.
    const input = createReadStream(file, "utf8");
    const failed = new Promise<never>((_, reject) => void input.once("error", reject));
    const read = async () => {
      for await (const line of readLinesOfStream(input)) if (line !== "") verifier.line(line);
      return verifier.finish();
    };
    await Promise.race([new Promise((opened) => void input.once("open", opened)), failed]);
    return await Promise.race([read(), failed]);
  } catch (error) {
    if (error instanceof NotAnExportError) {
      throw invalidInputError("not_an_export", `${file}: ${error.message}`, {
        hint: "export it with `sop api audit.export --query format=ndjson`",
      });
    }
    throw error;
  }
}

const rowCharactersAtMost = 16 * 1024 * 1024;

/**
 * Yields the lines of a stream, split only at \n. `readline` would also split at U+2028 and U+2029, which JSON can
 * contain.
 */
async function* readLinesOfStream(input: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = "";
  for await (const text of input) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > rowCharactersAtMost) throw new NotAnExportError("a line is longer than any row of an audit log");
    yield* lines;
  }
  yield rest;
}

async function readPublicKey({ cwd }: CommandContext, path: string): Promise<string> {
  const text = await readFile(resolve(cwd, path), "utf8");
  try {
    const key = createPublicKey(text);
    if (key.asymmetricKeyType === "ed25519") return text;
  } catch {
    // The throw below reports this.
  }
  throw invalidInputError("not_a_key", `${path} has no Ed25519 public key in PEM`, { path });
}

async function readCheckpoints({ cwd }: CommandContext, path: string): Promise<Checkpoint[]> {
  const lines = (await readFile(resolve(cwd, path), "utf8")).split("\n").filter((line) => line !== "");
  return lines.map((line, index) => {
    try {
      const parsed = JSON.parse(line) as Checkpoint | null;
      if (typeof parsed === "object" && parsed !== null) return parsed;
    } catch {
      // The throw below reports this.
    }
    throw invalidInputError("not_a_checkpoint", `${path}:${index + 1}: not a checkpoint`, { path });
  });
}

/**
 * Creates a function that verifies signatures and parses each key once. A text that isn't a key verifies no signature.
 */
function createSignatureCheck() {
  const parsed = new Map<string, KeyObject | null>();
  const keyOf = (pem: string): KeyObject | null => {
    try {
      return createPublicKey(pem);
    } catch {
      return null;
    }
  };
  return (pem: string, text: string, signature: string): boolean => {
    const key = parsed.get(pem) ?? keyOf(pem);
    parsed.set(pem, key);
    return (
      key?.asymmetricKeyType === "ed25519" &&
      verifySignature(null, Buffer.from(text), key, Buffer.from(signature, "hex"))
    );
  };
}

function keyFingerprintsText({ keys }: ExportVerifyReport): string {
  return keys.map(({ kid, publicKeyPem }) => `${kid} SHA256:${sha256Of(publicKeyPem, "base64")}`).join(", ");
}

function auditReportText({
  ok,
  companyId,
  at,
  rows,
  seq,
  head,
  anchoredTo,
  findings,
  faults,
  notes,
}: ExportVerifyReport): string {
  const about = `company ${companyId}, exported ${at}: ${rows} rows`;
  const lines = ok
    ? [`OK  ${about}, signed up to row ${anchoredTo}`, ...(seq > 0 ? [`    row ${seq}: ${head}`] : [])]
    : [`ALTERED  ${about}`];
  for (const { verdict, seq: row, message } of findings) {
    lines.push(`  ${verdict}${row === null ? "" : `(${row})`}: ${message}`);
  }
  if (faults > findings.length) lines.push(`  and ${faults - findings.length} more`);
  for (const { verdict, message } of notes) lines.push(`  ${verdict}: ${message}`);
  return `${lines.join("\n")}\n`;
}
