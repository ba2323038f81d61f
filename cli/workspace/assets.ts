/**
 * Fetches images and files that documents link. Paths are those of the server's repository:
 * `assets/<first 2>/<sha256>.<ext>`.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { sha256Of } from "../hashing.ts";
import { ApiError, buildRequest } from "#core/api/client.ts";
import { routes } from "#core/api/routes.ts";
import { assetPath } from "#core/repository/names.ts";
import { CliError, exit } from "../exit.ts";
import { writeFileAtomically } from "../files.ts";
import type { RemoteCompany } from "./remote.ts";

const assetLink = /assets\/[0-9a-f]{2}\/([0-9a-f]{64}\.[a-z0-9]{1,5})\b/g;

/**
 * Fetches the files that a text links and the workspace lacks. Skips a file that the server no longer has, because the
 * server's own pages can't show it either.
 */
export async function fetchMissingAssets(remote: RemoteCompany, root: string, text: string): Promise<void> {
  const names = new Set([...text.matchAll(assetLink)].map(([, name]) => name ?? ""));
  for (const name of names) {
    const file = join(root, assetPath(name));
    if (existsSync(file)) continue;
    const bytes = await downloadAsset(remote, name);
    if (bytes === null) continue;
    if (sha256Of(bytes) !== name.slice(0, 64)) {
      throw new CliError(exit.network, {
        code: "unexpected_answer",
        message: `the server's ${name} is not what it says`,
      });
    }
    await writeFileAtomically(file, bytes);
  }
}

async function downloadAsset(remote: RemoteCompany, name: string): Promise<Uint8Array | null> {
  try {
    return await remote.download(buildRequest(routes.assets.get, { params: { sha256: name } }));
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}
