/** The text of a PDF, read by another program (poppler). */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** Without poppler, tests of PDFs are skipped with a printed warning; they fail where CI requires it. */
export const canReadPdfs = spawnSync("pdftotext", ["-v"]).error === undefined;

if (!canReadPdfs) {
  if (process.env["CI"]) throw new Error("pdftotext is missing: install poppler-utils");
  console.log("SKIPPED: tests that read PDFs need pdftotext (Debian: apt-get install poppler-utils)");
}

/** @returns the text of each page */
export function pdfPages(pdf: Uint8Array, ...options: string[]): string[] {
  const dir = mkdtempSync(path.join(tmpdir(), "sop-pdf-"));
  try {
    writeFileSync(path.join(dir, "a.pdf"), pdf);
    const read = spawnSync("pdftotext", [...options, path.join(dir, "a.pdf"), "-"], { encoding: "utf8" });
    if (read.status !== 0) throw new Error(`pdftotext: ${read.stderr}`);
    return read.stdout.split("\f").slice(0, -1);
  } finally {
    rmSync(dir, { recursive: true });
  }
}
