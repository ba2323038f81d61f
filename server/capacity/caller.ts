/**
 * The user and company of the running request. Shared resources are divided by them, without a parameter on every call.
 */
import { AsyncLocalStorage } from "node:async_hooks";

export interface Caller {
  companyId: string;
  userId: string;
  /** The network address of a request, where it is known to be the caller's own. */
  network?: string;
  /** The company is in its first week at a server where strangers can found companies. */
  isNew?: boolean;
}

/** Work of the server itself: jobs, start-up, the admin program. It is one company among the others. */
const server: Caller = { companyId: "server", userId: "server" };

const storage = new AsyncLocalStorage<Caller>();

export function withCaller<T>(caller: Caller, work: () => T): T {
  return storage.run(caller, work);
}

export function currentCaller(): Caller {
  return storage.getStore() ?? server;
}
