import { assetTypes } from "#core/assets/rules.ts";
import { ApiError } from "#core/api/client.ts";
import type { StoredFile } from "#core/import/stored-files.ts";
import type { SignedInClient } from "../server.ts";

/** Stores an image or PDF; the same bytes are stored once. */
export async function uploadAsset({ send }: Pick<SignedInClient, "send">, file: StoredFile): Promise<void> {
  const headers = { accept: "application/json", "content-type": assetTypes[file.ext] };
  const answer = await send({ method: "POST", url: "/api/assets", headers, body: await file.read() });
  if (answer.status > 299) throw new ApiError(answer.status, await answer.text(), answer.statusText);
}
