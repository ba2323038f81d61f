/**
 * Every resource that companies share, how much of it there is, and the share of each company and user.
 * `docs/limits.md` is written from this table, so that no resource can be added without its bound.
 */
import { availableParallelism } from "node:os";
import { createFairQueue, type Bounds, type FairQueue } from "./fair-queue.ts";

export interface Resource extends Bounds {
  /** The limited resource, for the docs. */
  what: string;
  /** The owners of the shares, if not a company and its users. */
  share?: string;
  /** The handling of more work, if not 429 or 503. */
  beyond?: string;
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
    what: "HTML files with images, until they are sent",
    atOnce: 32,
    companyAtOnce: 6,
    userAtOnce: 3,
    companyWaiting: 40,
    userWaiting: 10,
    waitMs: 30_000,
    byNetwork: true,
  },
  files: {
    // a request waits here before its bytes are read, so that waiting requests take no memory
    what: "Images and PDFs of more than 64 KiB, from the database until they are sent: 5 MiB of memory each",
    atOnce: 96,
    companyAtOnce: 24,
    userAtOnce: 8,
    // a page with hundreds of images, behind a proxy that asks for all at once
    companyWaiting: 1_000,
    userWaiting: 300,
    waitMs: 20_000,
    byNetwork: true,
  },
  answers: {
    // these wait with their bytes in memory, so few of them may
    what: "Other answers of more than 64 KiB, until they are sent",
    atOnce: 64,
    companyAtOnce: 16,
    userAtOnce: 6,
    companyWaiting: 30,
    userWaiting: 10,
    waitMs: 20_000,
    byNetwork: true,
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
    atOnce: 12,
    companyAtOnce: 3,
    userAtOnce: 1,
    companyWaiting: 8,
    userWaiting: 3,
    waitMs: 20_000,
    byNetwork: true,
  },
  conversions: {
    what: "Worker threads that unpack and convert files to import",
    atOnce: 2,
    companyAtOnce: 1,
    companyWaiting: 4,
    userWaiting: 2,
    waitMs: 60_000,
  },
  importBodies: {
    // a request waits here before its body is read, so that waiting bodies take no memory
    what: "Import requests with documents, from the first byte of the body to the end: 16 MiB of memory each",
    atOnce: 12,
    companyAtOnce: 4,
    userAtOnce: 2,
    companyWaiting: 20,
    userWaiting: 10,
    waitMs: 30_000,
    byNetwork: true,
  },
  imports: {
    what: "Of those, the ones whose documents the server writes",
    atOnce: 4,
    companyAtOnce: 2,
    companyWaiting: 4,
    userWaiting: 2,
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
    byNetwork: true,
  },
  ai: {
    what: "Calls to the AI provider",
    atOnce: 24,
    companyAtOnce: 8,
    userAtOnce: 2,
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
  auditExports: {
    what: "Exports of the audit log, until the last byte is sent",
    atOnce: 32,
    companyAtOnce: 2,
    userAtOnce: 1,
    companyWaiting: 4,
    userWaiting: 2,
    waitMs: 10_000,
    byNetwork: true,
  },
  clones: {
    what: "Clones and fetches of repositories by git, until the last byte is sent: one process each",
    atOnce: 8,
    companyAtOnce: 4,
    userAtOnce: 2,
    companyWaiting: 200,
    userWaiting: 60,
    waitMs: 60_000,
    byNetwork: true,
  },
  pushBodies: {
    what: "Pushes by git of more than 64 KiB, from the first byte to the answer. Each takes at most 100 MiB of disk",
    atOnce: 24,
    companyAtOnce: 3,
    userAtOnce: 1,
    companyWaiting: 20,
    userWaiting: 5,
    waitMs: 60_000,
    byNetwork: true,
  },
  pushes: {
    what: "Pushes that the server has received, until the answer: one process each. Users whose push took too much work are as one company for 10 minutes",
    atOnce: 4,
    companyAtOnce: 2,
    userAtOnce: 1,
    companyWaiting: 20,
    userWaiting: 5,
    waitMs: 60_000,
    byNetwork: true,
  },
  mirrors: {
    what: "Pushes to mirrors of repositories and checks of them: one process each, at most 2 minutes. Slow remotes share one place, at most 15 minutes",
    share: "company",
    atOnce: 3,
    companyAtOnce: 1,
    // of all slow mirrors, which are as one company
    companyWaiting: 100,
    userWaiting: 1,
    waitMs: 600_000,
    beyond: "waits",
  },
  outbox: {
    what: "Emails being sent; as many again for other work of the outbox, such as notices",
    share: "company",
    atOnce: 8,
    companyAtOnce: 3,
    companyWaiting: 20,
    userWaiting: 0,
    waitMs: 0,
    beyond: "waits in the database",
  },
  indexBuilds: {
    what: "Search indexes of large companies being built, each in a thread of its own",
    share: "company",
    atOnce: 2,
    companyAtOnce: 1,
    companyWaiting: 2,
    userWaiting: 1,
    waitMs: 600_000,
    beyond: "waits; a search for the company gets 503 after 10 s",
  },
} as const satisfies Record<string, Resource>;

/** The resources that are divided by a plain queue; the others are divided where their work is done. */
const queued = [
  "pages",
  "files",
  "answers",
  "images",
  "uploads",
  "conversions",
  "importBodies",
  "imports",
  "bodies",
  "ai",
  "streams",
  "passwords",
  "auditExports",
  "clones",
  "pushBodies",
  "pushes",
  "mirrors",
] as const;

/** One queue for each resource of a running server. */
export type Shares = Record<(typeof queued)[number], FairQueue>;

export function createShares(): Shares {
  return Object.fromEntries(queued.map((name) => [name, createFairQueue(resources[name])])) as Shares;
}

export function closeShares(shares: Shares): void {
  for (const queue of Object.values(shares)) queue.close();
}

export interface Bound {
  what: string;
  atMost: number;
  unit: string;
  /** The handling of more. */
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
} as const satisfies Record<string, Bound>;

/** Requests a minute on one server: a read counts one, all else two. Each server counts for itself. */
export const requestRate = {
  /** A company's share, in shares of one user: this many at least, and one more for each of these users. */
  companyFactor: 5,
  usersOfShare: 10,
  /** The share of a network address, in shares of one user: an office can be behind one. */
  addressFactor: 5,
  read: 1,
  write: 2,
  seconds: 60,
} as const;

/** Bytes of an answer that takes a place until it is sent. Smaller ones fit into the buffers of a connection. */
export const largeAnswer = 64 * 1024;

/** The least speed of a request's body, and of the reader of an answer. A slower one keeps a place from others. */
export const leastPace = { bytesPerSecond: 16 * 1024, startMs: 10_000, earnedMs: 50_000 } as const;

/** The same for a body with a place that others wait for, and for an answer with a place that other companies wait for. */
export const crowdedPace = { bytesPerSecond: 256 * 1024, startMs: 20_000 } as const;
