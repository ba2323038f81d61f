import { DamagedDocumentError } from "./port.ts";

/** Work for one of many: its damage, which is known by now, keeps no other from its turn. @returns whether it was done */
export async function besideDamage(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (!(error instanceof DamagedDocumentError)) throw error;
    return false;
  }
}
