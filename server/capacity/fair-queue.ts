/**
 * A queue that divides a resource by company first and by user second. The company with the least running work goes
 * next; among equals, the one served longest ago. Within a company, the same rule picks the user.
 */
import { AppError } from "#core/errors.ts";
import { currentCaller, type Caller } from "./caller.ts";

export interface Bounds {
  /** Tasks that run at once, for all companies together. */
  atOnce: number;
  /** Tasks of one company that run at once. Less than `atOnce` keeps a place free for the others. */
  companyAtOnce: number;
  /** Tasks of one user that run at once; as many as of the company when absent. */
  userAtOnce?: number;
  /** Tasks of one company that may wait. */
  companyWaiting: number;
  /** Tasks of one user that may wait. */
  userWaiting: number;
  /** Milliseconds a task may wait before it is refused. */
  waitMs: number;
  /**
   * Companies are free where strangers can found them. So new companies are as one, with their networks as its users, and
   * one network has no more places than one company.
   */
  byNetwork?: boolean;
}

export interface FairQueue {
  /**
   * Waits for a place and returns the function that gives it back.
   * @throws AppError `rate_limited` if the company or the user has too much work waiting, `busy` after `waitMs`
   */
  enter(caller?: Caller): Promise<() => void>;
  /** Runs the work in a place of its own. @throws as `enter` does, and the error of the work */
  run<T>(work: () => Promise<T>, caller?: Caller): Promise<T>;
  /** Tasks that run and wait now, of all companies. */
  load(): { running: number; waiting: number };
  /** Refuses all waiting tasks. */
  close(): void;
}

interface Entry {
  network: string | null;
  start(): void;
  refuse(error: AppError): void;
}

/** One company or one user: what runs, and when it was last given a place. */
interface Party {
  running: number;
  served: number;
}

interface User extends Party {
  waiting: Entry[];
}

interface Company extends Party {
  users: Map<string, User>;
}

/** As the queue counts them. */
interface Place {
  companyId: string;
  userId: string;
  network: string | null;
}

export function createFairQueue(bounds: Bounds): FairQueue {
  const companies = new Map<string, Company>();
  /** Places in use, by network. */
  const networks = new Map<string, number>();
  let running = 0;
  let turn = 0;
  let closed = false;

  function placeOf({ companyId, userId, network, isNew }: Caller): Place {
    if (bounds.byNetwork !== true || network === undefined) return { companyId, userId, network: null };
    return isNew ? { companyId: "new companies", userId: network, network } : { companyId, userId, network };
  }

  const isNetworkFull = (network: string | null) =>
    network !== null && (networks.get(network) ?? 0) >= bounds.companyAtOnce;

  function partiesOf({ companyId, userId }: Place): { company: Company; user: User } {
    let company = companies.get(companyId);
    if (!company) companies.set(companyId, (company = { running: 0, served: 0, users: new Map() }));
    let user = company.users.get(userId);
    if (!user) company.users.set(userId, (user = { running: 0, served: 0, waiting: [] }));
    return { company, user };
  }

  function forgetIdle({ companyId, userId }: Place): void {
    const company = companies.get(companyId);
    const user = company?.users.get(userId);
    if (company && user && user.running === 0 && user.waiting.length === 0) company.users.delete(userId);
    if (company && company.users.size === 0) companies.delete(companyId);
  }

  const userAtOnce = bounds.userAtOnce ?? bounds.companyAtOnce;
  const nextEntry = (user: User): Entry | undefined => user.waiting.find(({ network }) => !isNetworkFull(network));
  const canStart = (user: User): boolean => user.running < userAtOnce && nextEntry(user) !== undefined;

  function startNext(): void {
    while (running < bounds.atOnce) {
      const company = nextOf(
        [...companies.values()].filter(
          (one) => one.running < bounds.companyAtOnce && [...one.users.values()].some(canStart),
        ),
      );
      const user = company && nextOf([...company.users.values()].filter(canStart));
      const entry = user && nextEntry(user);
      if (!company || !user || !entry) return;
      user.waiting.splice(user.waiting.indexOf(entry), 1);
      turn += 1;
      if (entry.network !== null) networks.set(entry.network, (networks.get(entry.network) ?? 0) + 1);
      running += 1;
      for (const party of [company, user]) {
        party.running += 1;
        party.served = turn;
      }
      entry.start();
    }
  }

  function leave(place: Place): void {
    const { company, user } = partiesOf(place);
    const inNetwork = place.network === null ? 0 : (networks.get(place.network) ?? 0) - 1;
    if (place.network !== null && inNetwork > 0) networks.set(place.network, inNetwork);
    else if (place.network !== null) networks.delete(place.network);
    running -= 1;
    company.running -= 1;
    user.running -= 1;
    forgetIdle(place);
    startNext();
  }

  function enter(caller: Caller = currentCaller()): Promise<() => void> {
    if (closed) return Promise.reject(new AppError("busy", "The server is stopping"));
    const place = placeOf(caller);
    const { company, user } = partiesOf(place);
    const mustWait =
      running >= bounds.atOnce ||
      company.running >= bounds.companyAtOnce ||
      user.running >= userAtOnce ||
      isNetworkFull(place.network);
    if (mustWait && (waitingOf(company) >= bounds.companyWaiting || user.waiting.length >= bounds.userWaiting)) {
      forgetIdle(place);
      return Promise.reject(new AppError("rate_limited", "Too much of your work is waiting", retryAfter(bounds)));
    }
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        user.waiting.splice(user.waiting.indexOf(entry), 1);
        forgetIdle(place);
        reject(new AppError("busy", undefined, retryAfter(bounds)));
      }, bounds.waitMs);
      const entry: Entry = {
        network: place.network,
        start() {
          clearTimeout(late);
          let left = false;
          resolve(() => {
            if (left) return;
            left = true;
            leave(place);
          });
        },
        refuse(error) {
          clearTimeout(late);
          reject(error);
        },
      };
      user.waiting.push(entry);
      startNext();
    });
  }

  return {
    enter,
    async run(work, caller) {
      const leaveNow = await enter(caller);
      try {
        return await work();
      } finally {
        leaveNow();
      }
    },
    load: () => ({ running, waiting: [...companies.values()].reduce((sum, one) => sum + waitingOf(one), 0) }),
    close() {
      closed = true;
      for (const company of companies.values()) {
        for (const user of company.users.values()) {
          for (const entry of user.waiting.splice(0)) entry.refuse(new AppError("busy", "The server is stopping"));
        }
      }
    },
  };
}

function waitingOf(company: Company): number {
  let sum = 0;
  for (const user of company.users.values()) sum += user.waiting.length;
  return sum;
}

function nextOf<P extends Party>(parties: readonly P[]): P | undefined {
  let next: P | undefined;
  for (const one of parties) {
    if (!next || one.running < next.running || (one.running === next.running && one.served < next.served)) next = one;
  }
  return next;
}

function retryAfter({ waitMs }: Bounds): { retryAfterSeconds: number } {
  return { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) };
}
