/**
 * Waits until the browser's database has a draft with these words. From then on, a crash or a closed tab can't lose the
 * draft.
 */
import type { Page } from "playwright-core";

export async function keepsDraft(page: Page, words: string): Promise<void> {
  await page.waitForFunction(isKept, words, { polling: 100 });
}

/** Checks the browser's database in the page itself. The edit screen created it when it looked for drafts. */
async function isKept(words: string): Promise<boolean> {
  const answered = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.addEventListener("success", () => resolve(request.result));
      request.addEventListener("error", () => reject(request.error ?? new Error("no database")));
    });
  const names = await indexedDB.databases();
  if (!names.some(({ name }) => name === "sopwright")) return false;
  const database = await answered(indexedDB.open("sopwright"));
  try {
    const drafts: unknown[] = await answered(database.transaction("drafts").objectStore("drafts").getAll());
    return JSON.stringify(drafts).includes(words);
  } finally {
    database.close();
  }
}
