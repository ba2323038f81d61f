import { DamagedDocumentError } from "./port.ts";

/**
 * Runs the work for one document of many. Catches the error of a damaged document, so that the caller can continue with
 * the next document.
 * @returns false if a document was damaged
 */
export async function tryUnlessDamaged(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (!(error instanceof DamagedDocumentError)) throw error;
    return false;
  }
}
