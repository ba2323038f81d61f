/**
 * The user and company of the running request. Shared resources are divided between them, so that calls need no
 * parameter for it.
 */
import { AsyncLocalStorage } from "node:async_hooks";

export interface Caller {
  companyId: string;
  userId: string;
  /** The network address of a request, if it is known to be the caller's own. */
  network?: string;
  /** True in the company's first week, on a server where strangers can create companies. */
  isNew?: boolean;
}

/**
 * The caller for work of the server itself: jobs, start-up, the admin program. It counts as a company like the others.
 */
const server: Caller = { companyId: "server", userId: "server" };

/** The caller for the server's work for a company, after the request that caused it. */
export function serverWorkFor(companyId: string | null): Caller {
  return companyId === null ? server : { ...server, companyId };
}

const storage = new AsyncLocalStorage<Caller>();

export function withCaller<T>(caller: Caller, work: () => T): T {
  return storage.run(caller, work);
}

export function currentCaller(): Caller {
  return storage.getStore() ?? server;
}
