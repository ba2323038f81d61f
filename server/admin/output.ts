/** Writes data to stdout and everything else to stderr (`docs/cli.md`). */
import process from "node:process";

export interface OutputFlags {
  json?: boolean;
  quiet?: boolean;
  verbose?: boolean;
  input?: boolean;
  yes?: boolean;
}

export interface AdminOutput {
  /** The result: the text, or with `--json` the data in the envelope. */
  data(text: string, data: unknown, ok?: boolean): void;
  /** Reports progress. */
  say(line: string): void;
  failed(code: string, message: string): void;
}

export function createAdminOutput(task: string, { json = false, quiet = false }: OutputFlags): AdminOutput {
  const writeEnvelope = (ok: boolean, data: unknown, errors: unknown[]) =>
    process.stdout.write(`${JSON.stringify({ schema: `sop.admin.${task}/1`, ok, data, errors })}\n`);
  return {
    data(text, data, ok = true) {
      if (json) writeEnvelope(ok, data, []);
      else process.stdout.write(`${text}\n`);
    },
    say(line) {
      if (!quiet) process.stderr.write(`${line}\n`);
    },
    failed(code, message) {
      process.stderr.write(`sop admin ${task}: ${message}\n`);
      if (json) writeEnvelope(false, null, [{ code, message }]);
    },
  };
}
