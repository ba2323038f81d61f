/**
 * Every resource that companies share, how much of it there is, and the share of each company and user.
 * `docs/limits.md` is written from this table, so that no resource can be added without its bound.
 */
import type { Bounds } from "./fair-queue.ts";

export interface Resource extends Bounds {
  /** What is bounded, for the docs. */
  what: string;
  /** Who the shares belong to, where it isn't a company and its users. */
  share?: string;
}

export const resources = {
  render: {
    what: "Worker threads for Markdown: previews, saves, versions, comparisons, imports, checks",
    atOnce: 3,
    companyAtOnce: 2,
    companyWaiting: 100,
    userWaiting: 30,
    waitMs: 8_000,
  },
  search: {
    what: "Questions to the search, and lists with search words",
    atOnce: 4,
    companyAtOnce: 3,
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
} as const satisfies Record<string, Resource>;
