/**
 * The user and company of the running request. Shared resources are divided by them, without a parameter on every call.
 */
import { AsyncLocalStorage } from "node:async_hooks";

export interface Asker {
  companyId: string;
  userId: string;
}

/** Work of the server itself: jobs, start-up, the admin program. It is one company among the others. */
const server: Asker = { companyId: "server", userId: "server" };

const storage = new AsyncLocalStorage<Asker>();

export function withAsker<T>(asker: Asker, work: () => T): T {
  return storage.run(asker, work);
}

export function currentAsker(): Asker {
  return storage.getStore() ?? server;
}
