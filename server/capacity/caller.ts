/**
 * Keeps the user and company of the running request in the async context. So shared resources can be divided among
 * companies without a parameter in each call.
 */
import { AsyncLocalStorage } from "node:async_hooks";

export interface Caller {
  companyId: string;
  userId: string;
  /**
   * The client's network. Absent if other clients can share the address, for requests without a user, and for the
   * server's own work.
   */
  network?: string;
  /** True in the first week of a company, if strangers can create companies on this server. */
  isNew?: boolean;
}

/** The caller for the server's own work: jobs, start-up, operator commands. Queues treat this caller like a company. */
const server: Caller = { companyId: "server", userId: "server" };

/** Returns the caller for work that the server does for a company after the request that caused it. */
export function serverCallerFor(companyId: string | null): Caller {
  return companyId === null ? server : { ...server, companyId };
}

const storage = new AsyncLocalStorage<Caller>();

export function withCaller<T>(caller: Caller, work: () => T): T {
  return storage.run(caller, work);
}

export function currentCaller(): Caller {
  return storage.getStore() ?? server;
}
