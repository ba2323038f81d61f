import { DamagedDocumentError } from "./port.ts";

/**
 * Runs the work for one document of many. If that document is damaged, the caller continues with the next one.
 * @returns whether the work was done
 */
export async function besideDamage(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (!(error instanceof DamagedDocumentError)) throw error;
    return false;
  }
}
