/**
 * Every resource that companies share, how much of it there is, and the share of each company and user.
 * `docs/limits.md` is written from this table, so that no resource can be added without its bound.
 */
import { availableParallelism } from "node:os";
import { createFairQueue, type Bounds, type FairQueue } from "./fair-queue.ts";

export interface Resource extends Bounds {
  /** What is bounded, for the docs. */
  what: string;
  /** Who the shares belong to, where it isn't a company and its users. */
  share?: string;
  /** For the docs: what depends on the machine. */
  byProcessors?: { atOnce: string; companyAtOnce: string };
}

const processors = availableParallelism();

export const resources = {
  render: {
    what: "Worker threads for Markdown: previews, saves, versions, comparisons, imports, checks",
    atOnce: Math.max(3, processors),
    // one processor stays free for the others: with two, a company's texts took both and previews of others waited
    companyAtOnce: Math.max(1, processors - 1),
    byProcessors: { atOnce: "as processors, at least 3", companyAtOnce: "one less than processors, at least 1" },
    companyWaiting: 120,
    userWaiting: 60,
    waitMs: 8_000,
  },
  search: {
    what: "Questions to the search, and lists with search words",
    // one thread answers them: what a company asks beyond that would only wait there, ahead of others
    atOnce: 4,
    companyAtOnce: 1,
    companyWaiting: 200,
    userWaiting: 20,
    waitMs: 5_000,
  },
  print: {
    what: "PDF and Word files; one takes at most 30 s and 1 GB of memory",
    atOnce: 2,
    companyAtOnce: 1,
    companyWaiting: 40,
    userWaiting: 10,
    waitMs: 30_000,
  },
  pages: {
    what: "HTML files with images, until they are sent; one that is taken too slowly is broken off",
    atOnce: 32,
    companyAtOnce: 6,
    userAtOnce: 3,
    companyWaiting: 40,
    userWaiting: 10,
    waitMs: 30_000,
  },
  images: {
    what: "Images that the server reads and encodes for HTML, PDF and Word files, one at a time",
    atOnce: 2,
    companyAtOnce: 1,
    // as many as `pages` and `print` let run: none of them is ever refused
    companyWaiting: 20,
    userWaiting: 10,
    waitMs: 60_000,
  },
  uploads: {
    what: "Files to import, while the server receives and converts them",
    atOnce: 4,
    companyAtOnce: 2,
    userAtOnce: 1,
    companyWaiting: 8,
    userWaiting: 3,
    waitMs: 20_000,
  },
  conversions: {
    what: "Worker threads that unpack and convert files to import",
    atOnce: 2,
    companyAtOnce: 1,
    companyWaiting: 4,
    userWaiting: 2,
    waitMs: 60_000,
  },
  imports: {
    what: "Import requests with documents, while the server reads and writes them",
    atOnce: 4,
    companyAtOnce: 2,
    companyWaiting: 20,
    userWaiting: 10,
    waitMs: 30_000,
  },
  bodies: {
    what: "Request bodies of more than 64 KiB, while the server receives them into memory",
    atOnce: 32,
    companyAtOnce: 12,
    userAtOnce: 6,
    companyWaiting: 60,
    userWaiting: 30,
    waitMs: 20_000,
  },
  ai: {
    what: "Calls to the AI provider",
    atOnce: 24,
    companyAtOnce: 8,
    companyWaiting: 0,
    userWaiting: 0,
    waitMs: 0,
  },
  streams: {
    what: "Open event streams: one for each browser tab",
    atOnce: 10_000,
    companyAtOnce: 2_000,
    userAtOnce: 20,
    companyWaiting: 0,
    userWaiting: 0,
    waitMs: 0,
  },
  passwords: {
    what: "Passwords being hashed: sign-in, registration, new passwords",
    share: "network address before sign-in, then as above",
    atOnce: 3,
    companyAtOnce: 2,
    companyWaiting: 64,
    userWaiting: 60,
    waitMs: 20_000,
  },
} as const satisfies Record<string, Resource>;

/** The resources that are divided by a plain queue; the render pool has its own. */
const queued = [
  "pages",
  "images",
  "uploads",
  "conversions",
  "imports",
  "bodies",
  "ai",
  "streams",
  "passwords",
] as const;

/** One queue for each resource of a running server. */
export type Shares = Record<(typeof queued)[number], FairQueue>;

export function createShares(): Shares {
  return Object.fromEntries(queued.map((name) => [name, createFairQueue(resources[name])])) as Shares;
}

export function closeShares(shares: Shares): void {
  for (const queue of Object.values(shares)) queue.close();
}

/** Requests a minute; a read counts one, everything else two. Of one server: each counts for itself. */
export const requestRate = {
  /** A company's share, in shares of one user. */
  companyFactor: 5,
  /** The share of a network address, in shares of one user: an office can be behind one. */
  addressFactor: 5,
  /** Sessions and tokens whose users are remembered, so that their requests count before a lookup. */
  credentialsInUse: 10_000,
  read: 1,
  write: 2,
  seconds: 60,
} as const;

/** The least speed of a request's body. A slower one is refused, because it keeps a place from others. */
export const leastPace = { bytesPerSecond: 16 * 1024, startMs: 10_000 } as const;
