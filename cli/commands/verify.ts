/** `sop verify <file>`: proves an exported audit log offline, with nothing but the file and the public key. */
import { createHash, createPublicKey, verify as verifySignature, type KeyObject } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Checkpoint } from "#core/audit/chain.ts";
import { createExportVerifier, NotAnExportError, type ExportVerifier } from "#core/audit/export-file.ts";
import { exit, invalid } from "../exit.ts";
import type { Context, Result } from "../context.ts";

export interface VerifyOptions {
  publicKey?: string[];
  checkpoints?: string;
}

type Report = ReturnType<ExportVerifier["finish"]>;

export async function verifyFile(context: Context, file: string, options: VerifyOptions): Promise<Result> {
  const trusted = await Promise.all((options.publicKey ?? []).map((path) => readKey(context, path)));
  const outside = options.checkpoints === undefined ? [] : await readCheckpoints(context, options.checkpoints);
  const verifier = createExportVerifier({
    sha256: (text) => createHash("sha256").update(text).digest("hex"),
    verifySignature: signatures(),
    trusted,
    outside,
  });
  const report = await verifyLines(resolve(context.cwd, file), verifier);
  const believed = trusted.length === 0;
  if (believed) {
    context.out.note(`signed by the key in the file itself: compare it, or add --public-key. ${fingerprints(report)}`);
  }
  return {
    exit: report.ok ? exit.done : exit.findings,
    data: { ...report, trusted: !believed },
    text: textOf(report),
  };
}

async function verifyLines(file: string, verifier: ExportVerifier): Promise<Report> {
  try {
    // reading alone would miss the error of a file that is not there
    const input = createReadStream(file, "utf8");
    const failed = new Promise<never>((_, reject) => void input.once("error", reject));
    const read = async () => {
      for await (const line of linesOf(input)) if (line !== "") verifier.line(line);
      return verifier.finish();
    };
    await Promise.race([new Promise((opened) => void input.once("open", opened)), failed]);
    return await Promise.race([read(), failed]);
  } catch (error) {
    if (error instanceof NotAnExportError) {
      throw invalid("not_an_export", `${file}: ${error.message}`, {
        hint: "export it with `sop api audit.export --query format=ndjson`",
      });
    }
    throw error;
  }
}

/** `readline` would also end a line at U+2028 and U+2029, which JSON leaves as they are. */
async function* linesOf(input: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = "";
  for await (const text of input) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  yield rest;
}

async function readKey({ cwd }: Context, path: string): Promise<string> {
  const text = await readFile(resolve(cwd, path), "utf8");
  try {
    const key = createPublicKey(text);
    if (key.asymmetricKeyType === "ed25519") return text;
  } catch {
    // said below
  }
  throw invalid("not_a_key", `${path} has no Ed25519 public key in PEM`, { path });
}

async function readCheckpoints({ cwd }: Context, path: string): Promise<Checkpoint[]> {
  const lines = (await readFile(resolve(cwd, path), "utf8")).split("\n").filter((line) => line !== "");
  return lines.map((line, index) => {
    try {
      const parsed = JSON.parse(line) as Checkpoint | null;
      if (typeof parsed === "object" && parsed !== null) return parsed;
    } catch {
      // said below
    }
    throw invalid("not_a_checkpoint", `${path}:${index + 1}: not a checkpoint`, { path });
  });
}

/** Keys are parsed once each; one that is none signs nothing. */
function signatures() {
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

function fingerprints({ keys }: Report): string {
  return keys
    .map(({ kid, publicKeyPem }) => `${kid} SHA256:${createHash("sha256").update(publicKeyPem).digest("base64")}`)
    .join(", ");
}

function textOf({ ok, companyId, at, rows, seq, head, anchoredTo, findings, faults, notes }: Report): string {
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
