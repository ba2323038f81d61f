/** `npm run docs [folder]`: the pages of `docs/` and their neighbors as a site with search, made by `sop export`. */
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { main } from "../cli/program.ts";
import { addPages } from "./pages.ts";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const neighbors = [
  "ARCHITECTURE.md",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "bench/README.md",
  "test/journeys/README.md",
];

/** @param out emptied first */
export async function makeDocs(out: string): Promise<void> {
  const pages = await mkdtemp(path.join(tmpdir(), "sopwright-docs-"));
  try {
    // as in the repository, so that links hold
    for (const name of ["docs", ...neighbors])
      await cp(path.join(root, name), path.join(pages, name), { recursive: true });
    await addPages(path.join(pages, "docs"));
    await rm(out, { recursive: true, force: true });
    await mkdir(path.dirname(out), { recursive: true });
    const site = ["--format", "site", "--title", "Sopwright", "--no-control"];
    const code = await main(["export", "--from-dir", pages, ...site, "-o", out, "--quiet"]);
    if (code !== 0) throw new Error(`sop export ended with ${code}`);
    await cp(path.join(root, "docs", "life-cycle.svg"), path.join(out, "sops", "life-cycle.svg"));
  } finally {
    await rm(pages, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const out = path.resolve(process.argv[2] ?? path.join(root, "dist", "docs"));
  await makeDocs(out);
  console.log(path.join(out, "index.html"));
}
