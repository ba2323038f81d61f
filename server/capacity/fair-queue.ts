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

export function createFairQueue(bounds: Bounds): FairQueue {
  const companies = new Map<string, Company>();
  let running = 0;
  let turn = 0;
  let closed = false;

  function partiesOf({ companyId, userId }: Caller): { company: Company; user: User } {
    let company = companies.get(companyId);
    if (!company) companies.set(companyId, (company = { running: 0, served: 0, users: new Map() }));
    let user = company.users.get(userId);
    if (!user) company.users.set(userId, (user = { running: 0, served: 0, waiting: [] }));
    return { company, user };
  }

  function forgetIdle({ companyId, userId }: Caller): void {
    const company = companies.get(companyId);
    const user = company?.users.get(userId);
    if (company && user && user.running === 0 && user.waiting.length === 0) company.users.delete(userId);
    if (company && company.users.size === 0) companies.delete(companyId);
  }

  const userAtOnce = bounds.userAtOnce ?? bounds.companyAtOnce;
  const canStart = (user: User): boolean => user.waiting.length > 0 && user.running < userAtOnce;

  function startNext(): void {
    while (running < bounds.atOnce) {
      const company = nextOf(
        [...companies.values()].filter(
          (one) => one.running < bounds.companyAtOnce && [...one.users.values()].some(canStart),
        ),
      );
      const user = company && nextOf([...company.users.values()].filter(canStart));
      const entry = user?.waiting.shift();
      if (!company || !user || !entry) return;
      turn += 1;
      running += 1;
      for (const party of [company, user]) {
        party.running += 1;
        party.served = turn;
      }
      entry.start();
    }
  }

  function leave(caller: Caller): void {
    const { company, user } = partiesOf(caller);
    running -= 1;
    company.running -= 1;
    user.running -= 1;
    forgetIdle(caller);
    startNext();
  }

  function enter(caller: Caller = currentCaller()): Promise<() => void> {
    if (closed) return Promise.reject(new AppError("busy", "The server is stopping"));
    const { company, user } = partiesOf(caller);
    const mustWait = running >= bounds.atOnce || company.running >= bounds.companyAtOnce || user.running >= userAtOnce;
    if (mustWait && (waitingOf(company) >= bounds.companyWaiting || user.waiting.length >= bounds.userWaiting)) {
      forgetIdle(caller);
      return Promise.reject(new AppError("rate_limited", "Too much of your work is waiting", retryAfter(bounds)));
    }
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        user.waiting.splice(user.waiting.indexOf(entry), 1);
        forgetIdle(caller);
        reject(new AppError("busy", undefined, retryAfter(bounds)));
      }, bounds.waitMs);
      const entry: Entry = {
        start() {
          clearTimeout(late);
          let left = false;
          resolve(() => {
            if (left) return;
            left = true;
            leave(caller);
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
