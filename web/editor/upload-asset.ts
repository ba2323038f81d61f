import { ApiError } from "#core/api/client.ts";
import { browserSend } from "../api.ts";
import type { UploadAsset } from "./images.ts";

/** Uploads a file. `POST /api/assets` takes raw bytes instead of JSON, so the typed client can't send it. */
export const uploadAsset: UploadAsset = async (file) => {
  const answer = await browserSend({
    method: "POST",
    url: "/api/assets",
    headers: { accept: "application/json", "content-type": file.type },
    body: new Uint8Array(await file.arrayBuffer()),
  });
  const text = await answer.text();
  if (answer.status < 200 || answer.status > 299) throw new ApiError(answer.status, text, answer.statusText);
  return JSON.parse(text) as { url: string };
};
