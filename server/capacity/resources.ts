/**
 * Lists the work that companies share, in classes with one set of limits each. Each kind of work has its own slots, so
 * that slow work of one kind takes no slot from another. `docs/limits.md` is created from this table. A task takes
 * several slots only in the order of the table, so that tasks can't wait for each other in a circle. The servers of the
 * tests check that order (`test/order-of-places.ts`).
 */
import { availableParallelism } from "node:os";
import { createFairQueue, type QueueLimits, type FairQueue } from "./fair-queue.ts";

interface WorkClass {
  places: number;
  /** The slots for a company and its users; default: a quarter of `places`. */
  company?: number;
  /** The slots for a user; default: half of the company's. */
  user?: number;
  /** Milliseconds that a task may wait; 0: a task without a slot is refused at once. */
  waitMs: number;
  byNetwork?: boolean;
  /** The parties with a share, for the docs; default: a company and its users. */
  share?: string;
  /** The numbers that depend on the machine's processors, for the docs. */
  byProcessors?: { atOnce: string; companyAtOnce: string };
  work: Readonly<Record<string, LimitedWork>>;
}

interface LimitedWork {
  /** The description of the work, for the docs. */
  what: string;
  /** The number of slots of its class that a task takes. */
  weight?: number;
  waiting?: keyof typeof waiting;
  /** The result for a task beyond the limit, for the docs, if it isn't an answer of 429 or 503. */
  beyond?: string;
}

/** The maximum number of waiting tasks of a company and of a user. */
const waiting = {
  /**
   * For tasks that fail at once, in view of the user. New companies count as one here, so their tasks may still wait
   * for each other.
   */
  none: { company: 0, user: 0 },
  /** For tasks that keep an answer or a document in memory while they wait. */
  few: { company: 30, user: 10 },
  usual: { company: 120, user: 60 },
  /**
   * For tasks that need no memory while they wait: a page can have hundreds of images, and a proxy requests them all at
   * once.
   */
  many: { company: 1_000, user: 300 },
} as const;

const processors = availableParallelism();

const classes = {
  background: {
    places: 8,
    waitMs: 600_000,
    share: "company",
    work: {
      outbox: {
        what: "Emails being sent; as many again for other work of the outbox, such as notices",
        beyond: "waits in the database",
      },
      mirrors: {
        what: "Pushes to mirrors of repositories and checks of them: one process each, at most 2 minutes. Slow remotes share one place, at most 15 minutes",
        weight: 2,
        beyond: "waits",
      },
      // an index build takes no other slot while it runs, so tasks with slots of any class can wait for it
      indexBuilds: {
        what: "Search indexes of large companies being built, each in a thread of its own",
        weight: 4,
        beyond: "waits; a search for the company gets 503 after 10 s",
      },
    },
  },
  streams: {
    places: 10_000,
    user: 20,
    waitMs: 0,
    work: { streams: { what: "Open event streams: one for each browser tab" } },
  },
  transfer: {
    places: 64,
    waitMs: 20_000,
    byNetwork: true,
    work: {
      // a request takes this slot before its body is read, so that waiting requests need no memory
      imports: {
        what: "Imports, from the first byte to the answer. Each takes at most 200 MiB of the disk or 16 MiB of memory",
        weight: 5,
      },
      bodies: {
        what: "Other request bodies of more than 64 KiB, while the server receives them into memory: at most 5 MiB each",
      },
      downloads: {
        what: "HTML files with images, and exports of the audit log, until they are sent",
        weight: 4,
        waiting: "few",
      },
      files: {
        what: "Images and PDFs of more than 64 KiB, from the database until they are sent: 5 MiB of memory each",
        waiting: "many",
      },
      answers: { what: "Other answers of more than 64 KiB, until they are sent", waiting: "few" },
    },
  },
  git: {
    places: 16,
    waitMs: 60_000,
    byNetwork: true,
    work: {
      clones: {
        what: "Clones and fetches of repositories by git, until the last byte is sent: one process each",
      },
      pushBodies: {
        what: "Pushes by git of more than 64 KiB, from the first byte to the answer. Each takes at most 100 MiB of disk",
      },
      pushes: {
        what: "Pushes that the server has received, until the answer: one process each. Users whose push took too much work are as one company for 10 minutes",
        weight: 2,
      },
    },
  },
  ai: {
    places: 32,
    user: 2,
    waitMs: 20_000,
    work: {
      ai: { what: "Calls to the AI provider. Only those of new companies wait, for each other", waiting: "none" },
    },
  },
  printing: {
    places: 2,
    waitMs: 60_000,
    work: {
      print: { what: "PDF and Word files; one takes at most 30 s and 1 GB of memory", waiting: "few" },
      conversions: { what: "Worker threads that unpack and convert files to import", waiting: "few" },
      // `downloads` and `print` together run fewer tasks than may wait for `images`, so none of their tasks is refused
      // here
      images: {
        what: "Images that the server reads and encodes for HTML, PDF and Word files, one at a time",
        waiting: "few",
      },
    },
  },
  search: {
    // one thread answers all search questions: more slots for a company would only delay the questions of other
    // companies
    places: 4,
    waitMs: 5_000,
    work: { search: { what: "Questions to the search, and lists with search words" } },
  },
  passwords: {
    places: 3,
    waitMs: 20_000,
    share: "network address before sign-in, then as above",
    work: { passwords: { what: "Passwords being hashed: sign-in, registration, new passwords" } },
  },
  rendering: {
    places: Math.max(3, processors),
    // leave a processor to other companies: with two processors, the texts of one company took both and delayed others'
    // previews
    company: Math.max(1, processors - 1),
    byProcessors: { atOnce: "as processors, at least 3", companyAtOnce: "one less than processors, at least 1" },
    waitMs: 8_000,
    work: {
      render: { what: "Worker threads for Markdown: previews, saves, versions, comparisons, imports, checks" },
    },
  },
} as const satisfies Record<string, WorkClass>;

type WorkClasses = typeof classes;
type WorkName = { [Name in keyof WorkClasses]: keyof WorkClasses[Name]["work"] }[keyof WorkClasses];

/** A kind of work with its limits. */
export interface SharedResource
  extends QueueLimits, LimitedWork, Pick<WorkClass, "share" | "byNetwork" | "byProcessors"> {
  className: string;
  userAtOnce: number;
}

function resourceOfWork(className: string, one: WorkClass, work: LimitedWork): SharedResource {
  const { places, waitMs, company = Math.floor(places / 4) } = one;
  const { user = one.company ?? Math.floor(company / 2) } = one;
  const scaledCount = (count: number) => Math.max(1, Math.floor(count / (work.weight ?? 1)));
  const wait = waitMs === 0 ? waiting.none : waiting[work.waiting ?? "usual"];
  return {
    ...one,
    ...work,
    className,
    atOnce: scaledCount(places),
    companyAtOnce: scaledCount(company),
    userAtOnce: scaledCount(user),
    companyWaiting: wait.company,
    userWaiting: wait.user,
    waitMs,
  };
}

export const resources = Object.fromEntries(
  Object.entries<WorkClass>(classes).flatMap(([className, one]) =>
    Object.entries(one.work).map(([name, work]) => [name, resourceOfWork(className, one, work)]),
  ),
) as Record<WorkName, SharedResource>;

/** Kinds of work whose queues other files create. All other kinds have a plain queue. */
const queuedElsewhere = ["print", "search", "render", "outbox", "indexBuilds"] as const;

type QueuedWorkName = Exclude<WorkName, (typeof queuedElsewhere)[number]>;

/** The queues of a running server, one for each kind of work. */
export type Shares = Record<QueuedWorkName, FairQueue>;

export function createShares(): Shares {
  const elsewhere = new Set<string>(queuedElsewhere);
  const queued = Object.entries(resources).filter(([name]) => !elsewhere.has(name));
  return Object.fromEntries(queued.map(([name, bounds]) => [name, createFairQueue(bounds)])) as Shares;
}

export function closeShares(shares: Shares): void {
  for (const queue of Object.values(shares)) queue.close();
}

export interface ServerLimit {
  what: string;
  atMost: number;
  unit: string;
  /** The result beyond the limit, such as a refusal. */
  beyond: string;
}

const oldestGoes = "the oldest goes";

/** Limits on memory and open files, for all companies together. `docs/limits.md` lists them too. */
export const serverLimits = {
  connections: { what: "Open connections", atMost: 20_000, unit: "", beyond: "more are closed at once" },
  streamBytes: {
    what: "What waits for the browser of one event stream",
    atMost: 256 * 1024,
    unit: "bytes",
    beyond: "the stream ends, and the browser opens another",
  },
  mongoConnections: { what: "Connections to MongoDB", atMost: 100, unit: "", beyond: "commands wait" },
  documentCache: {
    what: "Cache of documents, embedded database",
    atMost: 32 * 1024 * 1024,
    unit: "characters",
    beyond: oldestGoes,
  },
  htmlCache: { what: "Cache of rendered texts", atMost: 32_000_000, unit: "characters", beyond: oldestGoes },
  textNames: {
    what: "Cache of the names in texts, for suggestions",
    atMost: 6_000,
    unit: "texts",
    beyond: "the cache starts over",
  },
  credentials: {
    what: "Users of sessions and tokens in use, for the requests a minute",
    atMost: 10_000,
    unit: "",
    beyond: oldestGoes,
  },
  searchIndexes: { what: "Open search indexes", atMost: 64, unit: "companies", beyond: "the oldest is closed" },
  searchPostings: {
    what: "Words of SOPs in open search indexes, each once for an SOP: about 250 MB of memory",
    atMost: 60_000_000,
    unit: "",
    beyond: "the oldest index is closed",
  },
  repositories: { what: "Repositories in memory", atMost: 64, unit: "companies", beyond: oldestGoes },
  committers: {
    what: "Companies whose versions are committed to Git at once",
    atMost: 4,
    unit: "",
    beyond: "the others wait; saves don't wait for them",
  },
} as const satisfies Record<string, ServerLimit>;

/** Limits on requests a minute, on each server separately. A read costs one point, and other requests two. */
export const requestRate = {
  /** A company's points, as a multiple of a user's: at least this many, and one more for every `usersOfShare` users. */
  companyFactor: 5,
  usersOfShare: 10,
  /** The points of a network address, as a multiple of a user's. A whole office can use one address. */
  addressFactor: 5,
  read: 1,
  write: 2,
  seconds: 60,
} as const;

/**
 * The size in bytes from which an answer needs a slot until it is sent. Smaller answers fit into the buffers of a
 * connection.
 */
export const largeAnswer = 64 * 1024;

/**
 * The minimum speed at which a client must send a body or read an answer. A slower client would take slots from others.
 */
export const leastPace = { bytesPerSecond: 16 * 1024, startMs: 10_000, earnedMs: 50_000 } as const;

/** The minimum speed of a body with a slot for which other requests wait. */
export const crowdedPace = { bytesPerSecond: 256 * 1024, startMs: 20_000 } as const;
