/**
 * A queue that divides a resource by company first and by user second. The company with the least running work goes
 * next. Among equals, it is the company served longest ago. Within a company, the same rule picks the user.
 */
import { AppError } from "#core/errors.ts";
import { currentCaller, type Caller } from "./caller.ts";

export interface Bounds {
  /** The most tasks that run at once, for all companies together. */
  atOnce: number;
  /** The most tasks of a company that run at once. A number below `atOnce` keeps a place free for the others. */
  companyAtOnce: number;
  /** The most tasks of a user that run at once; absent: as many as of the company. */
  userAtOnce?: number;
  /** The most tasks of a company that may wait. */
  companyWaiting: number;
  /** The most tasks of a user that may wait. */
  userWaiting: number;
  /** Milliseconds a task may wait before it is refused. */
  waitMs: number;
  /**
   * True to share places by network among new companies, because strangers can create companies for free. All new
   * companies count as one, with their networks as its users. A network gets no more places than a company. The account
   * counts too, or it would have places in each network.
   */
  byNetwork?: boolean;
}

export interface FairQueue {
  /**
   * Waits for a place and returns the function that gives it back.
   * @throws AppError `rate_limited` if too much work of the company or the user waits, `busy` after `waitMs` or if too
   * much other work waits
   */
  enter(caller?: Caller): Promise<() => void>;
  /** Runs the work in a place of its own. @throws AppError as `enter` does, and the error of the work */
  run<T>(work: () => Promise<T>, caller?: Caller): Promise<T>;
  /** The running and waiting tasks of all companies. */
  load(): { running: number; waiting: number };
  /** True if all places are taken and a task waits only for a place, not for other work of its company. */
  isCrowded(): boolean;
  /** Refuses all waiting tasks. */
  close(): void;
}

interface Entry {
  place: Place;
  start(): void;
  refuse(error: AppError): void;
}

/** A company or a user: its running tasks, and when it last got a place. */
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

/** The parties that the queue counts a task for. */
interface Place {
  companyId: string;
  userId: string;
  /** The caller, if its company is new. Such companies share places, so the caller alone shows whose work waits. */
  newcomer: Caller | null;
  /** Further limits on the places that the task takes. */
  counted: readonly { key: string; atOnce: number }[];
}

/** The most waiting tasks of all new companies. It bounds the server's memory against strangers of many networks. */
const newcomersWaiting = 1_000;

export function createFairQueue(bounds: Bounds): FairQueue {
  const companies = new Map<string, Company>();
  /** Places in use, by network, and by account and company of newcomers. */
  const inUse = new Map<string, number>();
  let running = 0;
  let turn = 0;
  let closed = false;

  const userAtOnce = bounds.userAtOnce ?? bounds.companyAtOnce;

  function placeOf(caller: Caller): Place {
    const { companyId, userId, network, isNew } = caller;
    if (bounds.byNetwork !== true || network === undefined) return { companyId, userId, newcomer: null, counted: [] };
    const ofNetwork = { key: `network ${network}`, atOnce: bounds.companyAtOnce };
    if (!isNew) return { companyId, userId, newcomer: null, counted: [ofNetwork] };
    const ofUser = { key: `user ${userId}`, atOnce: userAtOnce };
    const ofCompany = { key: `company ${companyId}`, atOnce: bounds.companyAtOnce };
    const counted = [ofNetwork, ofUser, ofCompany];
    return { companyId: "new companies", userId: network, newcomer: caller, counted };
  }

  const isFull = ({ counted }: Place) => counted.some(({ key, atOnce }) => (inUse.get(key) ?? 0) >= atOnce);

  function count({ counted }: Place, more: 1 | -1): void {
    for (const { key } of counted) {
      const left = (inUse.get(key) ?? 0) + more;
      if (left > 0) inUse.set(key, left);
      else inUse.delete(key);
    }
  }

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

  const nextEntry = (user: User): Entry | undefined => user.waiting.find(({ place }) => !isFull(place));
  const canStart = (user: User): boolean => user.running < userAtOnce && nextEntry(user) !== undefined;
  const hasNext = (company: Company): boolean =>
    company.running < bounds.companyAtOnce && [...company.users.values()].some(canStart);

  function startNext(): void {
    while (running < bounds.atOnce) {
      const company = nextOf([...companies.values()].filter(hasNext));
      const user = company && nextOf([...company.users.values()].filter(canStart));
      const entry = user && nextEntry(user);
      if (!company || !user || !entry) return;
      user.waiting.splice(user.waiting.indexOf(entry), 1);
      turn += 1;
      count(entry.place, 1);
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
    count(place, -1);
    running -= 1;
    company.running -= 1;
    user.running -= 1;
    forgetIdle(place);
    startNext();
  }

  /** The reason why the task can't even wait. The reason is "your work" only if the caller's own work waits. */
  function refusalOf({ newcomer }: Place, company: Company, user: User): AppError | null {
    const all = waitingOf(company);
    const own = newcomer ? waitingBy(company, ({ userId }) => userId === newcomer.userId) : user.waiting.length;
    const ofCompany = newcomer ? waitingBy(company, ({ companyId }) => companyId === newcomer.companyId) : all;
    if (own >= bounds.userWaiting || (own > 0 && ofCompany >= bounds.companyWaiting))
      return new AppError("rate_limited", "Too much of your work is waiting", retryAfter(bounds));
    if (ofCompany >= bounds.companyWaiting)
      return new AppError("rate_limited", "Too much work of your company is waiting", retryAfter(bounds));
    const inNetwork = user.waiting.length;
    const isCrowded =
      inNetwork >= bounds.userWaiting || (inNetwork > 0 && all >= bounds.companyWaiting) || all >= newcomersWaiting;
    return newcomer && isCrowded ? new AppError("busy", undefined, retryAfter(bounds)) : null;
  }

  function enter(caller: Caller = currentCaller()): Promise<() => void> {
    if (closed) return Promise.reject(new AppError("busy", "The server is stopping"));
    const place = placeOf(caller);
    const { company, user } = partiesOf(place);
    const mustWait =
      running >= bounds.atOnce ||
      company.running >= bounds.companyAtOnce ||
      user.running >= userAtOnce ||
      isFull(place);
    const refusal = mustWait ? refusalOf(place, company, user) : null;
    if (refusal) {
      forgetIdle(place);
      return Promise.reject(refusal);
    }
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        user.waiting.splice(user.waiting.indexOf(entry), 1);
        forgetIdle(place);
        reject(new AppError("busy", undefined, retryAfter(bounds)));
      }, bounds.waitMs);
      const entry: Entry = {
        place,
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
    isCrowded: () => running >= bounds.atOnce && [...companies.values()].some(hasNext),
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

function waitingBy(company: Company, isOf: (newcomer: Caller) => boolean): number {
  const entries = [...company.users.values()].flatMap(({ waiting }) => waiting);
  return entries.filter(({ place }) => place.newcomer !== null && isOf(place.newcomer)).length;
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
