import { ApiError } from "#core/api/client.ts";

/**
 * Downloads a file like a link with `download`, but throws a refusal instead of saving it as a file.
 * @returns warnings about content that the file can't show
 * @throws ApiError
 */
export async function downloadFile(url: string): Promise<string[]> {
  const answer = await fetch(url, { credentials: "include" });
  if (!answer.ok) throw new ApiError(answer.status, await answer.text(), answer.statusText);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await answer.blob());
  link.download = fileNameInHeader(answer.headers.get("content-disposition") ?? "");
  link.click();
  // The address must stay valid until the browser has read the file.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  const warnings = answer.headers.get("x-export-warnings");
  return warnings === null ? [] : (JSON.parse(decodeURIComponent(warnings)) as string[]);
}

function fileNameInHeader(disposition: string): string {
  const [, encoded] = /filename\*=UTF-8''([^;]+)/i.exec(disposition) ?? [];
  return encoded === undefined ? (/filename="([^"]+)"/.exec(disposition)?.[1] ?? "") : decodeURIComponent(encoded);
}
