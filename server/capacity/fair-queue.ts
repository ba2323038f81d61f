/**
 * Divides the slots of a resource among companies, and within a company among users. A task runs while it has a slot.
 * The next slot goes to the company with the fewest running tasks; among equals, to the one served longest ago. Within
 * a company, the same rule picks the user.
 */
import { waitRefusals } from "#core/wait-refusals.ts";
import { AppError } from "#core/errors.ts";
import { currentCaller, type Caller } from "./caller.ts";
import { sentences } from "#core/language/catalog.ts";

const refusals = sentences("server.capacity.refusals", {
  stopping: "The server is stopping. Try again in a moment",
});

export interface QueueLimits {
  /** The maximum number of tasks that run at once, for all companies together. */
  atOnce: number;
  /**
   * The maximum number of tasks of a company that run at once. A number below `atOnce` leaves slots for other
   * companies.
   */
  companyAtOnce: number;
  /** The maximum number of tasks of a user that run at once; absent: as many as of the company. */
  userAtOnce?: number;
  /** The maximum number of tasks of a company that may wait. */
  companyWaiting: number;
  /** The maximum number of tasks of a user that may wait. */
  userWaiting: number;
  /** Milliseconds that a task may wait before it is refused. */
  waitMs: number;
  /** True if all companies of one network together have only as many slots as one company. */
  byNetwork?: boolean;
}

/** A slot of a running task. Call it to release the slot. */
export interface HeldSlot {
  (): void;
  /** Says whether another company waits only because this slot is in use. */
  isWanted(): boolean;
}

export interface FairQueue {
  /**
   * Waits for a slot and returns the held slot. Where strangers can create companies for free, all new companies count
   * as one company for work that can wait, and their networks count as its users. Their accounts count too, so that an
   * account has no more slots by using several networks. For work that can't wait, each new company counts separately,
   * so that strangers can't make its first request fail.
   * @throws AppError `rate_limited` if the company or the user has too much work waiting, `busy` after `waitMs` or if
   * others have too much work waiting
   */
  enter(caller?: Caller): Promise<HeldSlot>;
  /** Runs the work in a slot. @throws the errors of `enter`, and the error of the work */
  run<T>(work: () => Promise<T>, caller?: Caller): Promise<T>;
  /** The running and waiting tasks of all companies. */
  load(): { running: number; waiting: number };
  /** Refuses all waiting tasks. */
  close(): void;
}

interface QueueEntry {
  place: SlotClaim;
  start(): void;
  refuse(error: AppError): void;
}

/** A company or a user: the number of its running tasks, and the turn in which it last got a slot. */
interface QueueParty {
  running: number;
  served: number;
}

interface QueuedUser extends QueueParty {
  waiting: QueueEntry[];
}

interface QueuedCompany extends QueueParty {
  users: Map<string, QueuedUser>;
}

/** The company, user and further limits that a task counts against. */
interface SlotClaim {
  companyId: string;
  userId: string;
  caller: Caller;
  /** True if the task is of a new company. Strangers share the slots of new companies. */
  isShared: boolean;
  /** Further limits, such as that of the network. */
  counted: readonly { key: string; atOnce: number }[];
}

/**
 * The maximum number of waiting tasks of all new companies together. It limits the memory that strangers in many
 * networks can use.
 */
const newcomersWaiting = 1_000;

export function createFairQueue(bounds: QueueLimits): FairQueue {
  const companies = new Map<string, QueuedCompany>();
  /** Slots in use by key: a network, or the account or company of a new company's task. */
  const inUse = new Map<string, number>();
  let running = 0;
  let turn = 0;
  let closed = false;

  const userAtOnce = bounds.userAtOnce ?? bounds.companyAtOnce;

  function slotClaimOf(caller: Caller): SlotClaim {
    const { companyId, userId, network, isNew } = caller;
    if (network === undefined) return { companyId, userId, caller, isShared: false, counted: [] };
    if (!isNew || bounds.waitMs === 0) {
      const counted = bounds.byNetwork ? [{ key: `network ${network}`, atOnce: bounds.companyAtOnce }] : [];
      return { companyId, userId, caller, isShared: false, counted };
    }
    const ofUser = { key: `user ${userId}`, atOnce: userAtOnce };
    const ofCompany = { key: `company ${companyId}`, atOnce: bounds.companyAtOnce };
    return { companyId: "new companies", userId: network, caller, isShared: true, counted: [ofUser, ofCompany] };
  }

  const isFull = ({ counted }: SlotClaim) => counted.some(({ key, atOnce }) => (inUse.get(key) ?? 0) >= atOnce);

  /** Returns the company and the user of a claim, and creates their entries if needed. */
  function partiesOf({ companyId, userId }: SlotClaim): { company: QueuedCompany; user: QueuedUser } {
    let company = companies.get(companyId);
    if (!company) companies.set(companyId, (company = { running: 0, served: 0, users: new Map() }));
    let user = company.users.get(userId);
    if (!user) company.users.set(userId, (user = { running: 0, served: 0, waiting: [] }));
    return { company, user };
  }

  /** Counts a slot as taken (1) or as released (-1). */
  function countSlot(place: SlotClaim, more: 1 | -1): void {
    for (const party of Object.values(partiesOf(place))) party.running += more;
    running += more;
    for (const { key } of place.counted) {
      const left = (inUse.get(key) ?? 0) + more;
      if (left > 0) inUse.set(key, left);
      else inUse.delete(key);
    }
  }

  function removeIdleParties({ companyId, userId }: SlotClaim): void {
    const company = companies.get(companyId);
    const user = company?.users.get(userId);
    if (company && user && user.running === 0 && user.waiting.length === 0) company.users.delete(userId);
    if (company && company.users.size === 0) companies.delete(companyId);
  }

  /** Returns the user's next task that can start. @param except a company whose tasks are skipped */
  const nextEntry = (user: QueuedUser, except?: string): QueueEntry | undefined =>
    user.waiting.find(({ place }) => place.caller.companyId !== except && !isFull(place));
  const canStart = (user: QueuedUser, except?: string): boolean =>
    user.running < userAtOnce && nextEntry(user, except) !== undefined;
  const hasNext = (company: QueuedCompany, except?: string): boolean =>
    company.running < bounds.companyAtOnce && [...company.users.values()].some((user) => canStart(user, except));

  function startNext(): void {
    while (running < bounds.atOnce) {
      const company = leastServedParty([...companies.values()].filter((one) => hasNext(one)));
      const user = company && leastServedParty([...company.users.values()].filter((one) => canStart(one)));
      const entry = user && nextEntry(user);
      if (!company || !user || !entry) return;
      user.waiting.splice(user.waiting.indexOf(entry), 1);
      turn += 1;
      countSlot(entry.place, 1);
      for (const party of [company, user]) party.served = turn;
      entry.start();
    }
  }

  function releaseSlot(place: SlotClaim): void {
    countSlot(place, -1);
    removeIdleParties(place);
    startNext();
  }

  function isWanted(place: SlotClaim): boolean {
    countSlot(place, -1);
    const wanted =
      running < bounds.atOnce && [...companies.values()].some((one) => hasNext(one, place.caller.companyId));
    countSlot(place, 1);
    return wanted;
  }

  /**
   * Returns the error if the task can't even wait. `rate_limited` is only for callers who have work waiting themselves,
   * or whose company has.
   */
  function waitRefusalFor(place: SlotClaim, company: QueuedCompany, user: QueuedUser): AppError | null {
    const { caller, isShared } = place;
    // a new company that has free slots of its own may wait for strangers' tasks, even for work that otherwise never
    // waits
    const least = isShared && !isFull(place) ? 1 : 0;
    const userWaiting = Math.max(bounds.userWaiting, least);
    const companyWaiting = Math.max(bounds.companyWaiting, least);
    const all = waitingCount(company);
    const own = isShared
      ? countWaitingNewcomers(company, ({ userId }) => userId === caller.userId)
      : user.waiting.length;
    const ofCompany = isShared
      ? countWaitingNewcomers(company, ({ companyId }) => companyId === caller.companyId)
      : all;
    if (own >= userWaiting || (own > 0 && ofCompany >= companyWaiting))
      return new AppError("rate_limited", waitRefusals.ownWork(), retryAfterDetails(bounds));
    if (ofCompany >= companyWaiting)
      return new AppError("rate_limited", waitRefusals.companyWork(), retryAfterDetails(bounds));
    const inNetwork = user.waiting.length;
    const isCrowded = inNetwork >= userWaiting || (inNetwork > 0 && all >= companyWaiting) || all >= newcomersWaiting;
    return isShared && isCrowded ? new AppError("busy", waitRefusals.busy(), retryAfterDetails(bounds)) : null;
  }

  function enter(caller: Caller = currentCaller()): Promise<HeldSlot> {
    if (closed) return Promise.reject(new AppError("busy", refusals.stopping()));
    const place = slotClaimOf(caller);
    const { company, user } = partiesOf(place);
    const mustWait =
      running >= bounds.atOnce ||
      company.running >= bounds.companyAtOnce ||
      user.running >= userAtOnce ||
      isFull(place);
    const refusal = mustWait ? waitRefusalFor(place, company, user) : null;
    if (refusal) {
      removeIdleParties(place);
      return Promise.reject(refusal);
    }
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        user.waiting.splice(user.waiting.indexOf(entry), 1);
        removeIdleParties(place);
        reject(new AppError("busy", waitRefusals.busy(), retryAfterDetails(bounds)));
      }, bounds.waitMs);
      const entry: QueueEntry = {
        place,
        start() {
          clearTimeout(late);
          let left = false;
          const leaveOnce = () => {
            if (left) return;
            left = true;
            releaseSlot(place);
          };
          resolve(Object.assign(leaveOnce, { isWanted: () => !left && isWanted(place) }));
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
    load: () => ({ running, waiting: [...companies.values()].reduce((sum, one) => sum + waitingCount(one), 0) }),
    close() {
      closed = true;
      for (const company of companies.values()) {
        for (const user of company.users.values()) {
          for (const entry of user.waiting.splice(0)) entry.refuse(new AppError("busy", refusals.stopping()));
        }
      }
    },
  };
}

function countWaitingNewcomers(company: QueuedCompany, isOf: (caller: Caller) => boolean): number {
  const entries = [...company.users.values()].flatMap(({ waiting }) => waiting);
  return entries.filter(({ place }) => isOf(place.caller)).length;
}

function waitingCount(company: QueuedCompany): number {
  let sum = 0;
  for (const user of company.users.values()) sum += user.waiting.length;
  return sum;
}

function leastServedParty<P extends QueueParty>(parties: readonly P[]): P | undefined {
  let next: P | undefined;
  for (const one of parties) {
    if (!next || one.running < next.running || (one.running === next.running && one.served < next.served)) next = one;
  }
  return next;
}

function retryAfterDetails({ waitMs }: QueueLimits): { retryAfterSeconds: number } {
  return { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) };
}
