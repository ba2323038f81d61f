/** What a list was asked for, as filters: each of the asker's scopes narrowed by it. */
import type { Actor } from "#core/access/actor.ts";
import type { Clock } from "#core/clock.ts";
import { foldText, longestWord } from "#core/markdown/words.ts";
import { dayAfter, dueWithinDays } from "#core/reviews/rules.ts";
import type { SopQuery } from "#core/sops/schema.ts";
import type { Filter } from "../database/port.ts";
import { ownScopes, scopesOf, type Scope } from "./visible.ts";

const dayMs = 24 * 3600 * 1000;
const rangeDays = { "7d": 7, "30d": 30, "3m": 91 } as const;

/** A scope with what was asked for, and the field its rows are sorted by. */
export interface Stream {
  view: Scope["view"];
  asked: Filter;
  time: string;
}

/** Those of the actor's scopes that can hold any of it; they don't overlap. */
export function streamsOf(actor: Actor, query: SopQuery, clock: Clock): Stream[] {
  const scopes = query.mine === "true" ? ownScopes(actor) : scopesOf(actor);
  return scopes.flatMap((scope) => {
    const asked = askedFor(scope, query, clock);
    return asked ? [{ view: scope.view, asked, time: timeField(scope) }] : [];
  });
}

function timeField(scope: Scope): string {
  return scope.view === "head" ? "updatedAt" : "inForce.updatedAt";
}

/** The scope narrowed to what was asked for, by what the asker sees; null when it can't hold any of it. */
function askedFor(scope: Scope, query: SopQuery, clock: Clock): Filter | null {
  const status = statusFilter(scope, query.status ?? "all");
  if (!status) return null;
  const field = (name: string) => (scope.view === "head" ? name : `inForce.${name}`);
  const plain: Filter = { ...status };
  if (query.category !== undefined && query.category !== "all") {
    plain["categoryId"] = query.category === "none" ? null : query.category;
  }
  if (query.review === "due") Object.assign(plain, dueForReview(clock.now()));
  if (query.template !== undefined) plain[field("isTemplate")] = query.template === "true";
  // under an $or no index is looked for
  const parts: Filter[] = [scope.filter, scope.narrow ? { $or: [plain] } : plain];
  if (query.time !== undefined && query.time !== "anytime") {
    const since = new Date(clock.millis() - rangeDays[query.time] * dayMs).toISOString();
    parts.push({ [timeField(scope)]: { $gte: since } });
  }
  const words = wordConditions(query.search ?? "");
  if (!words) return null;
  for (const word of words) parts.push({ [field("words")]: word });
  return Object.assign({}, ...mergeable(parts)) as Filter;
}

/** By what is in force: a draft that moves the date does not put its review off. */
function dueForReview(now: string): Filter {
  return { hasForce: true, "inForce.reviewBy": { $gt: "", $lte: dayAfter(now, dueWithinDays) } };
}

/** Parts on different fields are one flat filter, which the engines narrow best; a field named twice goes under $and. */
function mergeable(parts: readonly Filter[]): Filter[] {
  const flat: Filter = {};
  const rest: Filter[] = [];
  for (const part of parts) {
    if (Object.keys(part).some((key) => Object.hasOwn(flat, key))) rest.push(part);
    else Object.assign(flat, part);
  }
  return rest.length > 0 ? [flat, { $and: rest }] : [flat];
}

/** Archived SOPs are out of lists unless asked for; whoever sees heads finds drafts of published ones under both. */
function statusFilter(scope: Scope, status: NonNullable<SopQuery["status"]>): Filter | null {
  if (scope.view === "effective") return status === "all" || status === "published" ? { hasForce: true } : null;
  switch (status) {
    case "all":
      return { live: true };
    case "published":
      return { isPublished: true };
    default:
      return { deletedAt: null, status };
  }
}

const termsAtMost = 8;

/**
 * A word of a search is the beginning of a word of the text. A single letter or digit begins too many, so alone it is a whole
 * word; beside longer words, which find few, a letter is one about to be typed. Null when there is text but no word in it,
 * which finds nothing.
 */
function wordConditions(search: string): unknown[] | null {
  if (search.trim() === "") return [];
  const found = foldText(search).match(/[\p{L}\p{N}]+/gu);
  if (!found) return null;
  const words = [...new Set(found.map((word) => word.slice(0, longestWord)))];
  // where the longer word is found the shorter one is too
  const needed = words.filter(
    (word) => !words.some((other) => other !== word && word.length > 1 && other.startsWith(word)),
  );
  const hasLonger = needed.some((word) => word.length > 1);
  const isWhole = (word: string) => (hasLonger ? /^\d$/ : /^[a-z\d]$/).test(word);
  return needed
    .sort((one, other) => other.length - one.length)
    .slice(0, termsAtMost)
    .map((word) => (isWhole(word) ? word : { $elemMatch: { $gte: word, $lt: `${word}\uffff` } }));
}
