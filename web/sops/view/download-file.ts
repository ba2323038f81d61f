import { ApiError } from "#core/contract/client.ts";

/** As a link with `download` does it, but a refusal can be shown instead of saved. @throws ApiError */
export async function downloadFile(url: string): Promise<void> {
  const answer = await fetch(url, { credentials: "include" });
  if (!answer.ok) throw new ApiError(answer.status, await answer.text(), answer.statusText);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await answer.blob());
  link.download = nameIn(answer.headers.get("content-disposition") ?? "");
  link.click();
  // the browser has begun to read it
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

function nameIn(disposition: string): string {
  const [, encoded] = /filename\*=UTF-8''([^;]+)/i.exec(disposition) ?? [];
  return encoded === undefined ? (/filename="([^"]+)"/.exec(disposition)?.[1] ?? "") : decodeURIComponent(encoded);
}
