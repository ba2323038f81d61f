/** The life of an SOP by `docs/life-cycle.md`: a plain table, written independently of the product's own rules. */
import type { SopAction } from "#core/permissions/actions.ts";
import type { GrantLevel } from "#core/permissions/actor.ts";
import { can, grantableLevels, canBeApprover, visibleVersion } from "#core/permissions/can.ts";
import type { ApprovalRule } from "#core/companies/settings.ts";
import {
  approvingRule,
  counted,
  factsOf,
  latestOf,
  needsApproval,
  openRequest,
  type Category,
  type Control,
  type CompanyRules,
  type SopState,
  type Person,
  type Request,
  type Status,
  type Text,
  type Verdict,
} from "./life.ts";

/** A save. Omitted fields keep their values. */
export interface Change extends Partial<Text> {
  status?: Status;
  category?: Category | null;
}

type Verdicts = "approve" | "reject" | "request changes";
type BareVerb = "publish" | "unpublish" | "archive" | "unarchive" | "delete" | "undelete" | "withdraw" | Verdicts;

export type Move =
  | { [V in BareVerb]: { verb: V } }[BareVerb]
  | { verb: "save"; change: Change }
  | { verb: "restore"; version: number }
  | { verb: "restrict"; restricted: boolean }
  | { verb: "share"; with: string; level: GrantLevel }
  | { verb: "unshare"; with: string }
  | { verb: "review"; verdict: Verdict }
  | { verb: "request"; approvers: string[] }
  | { verb: "replace"; replace: string; with: string }
  | { verb: "turn"; control: Control };

export type Answer = "ok" | "not_found" | "forbidden" | "conflict" | "invalid_input" | "unprocessable";

/**
 * Says whether the text passes the writing rules. By default they require an owner; these texts keep the other rules.
 */
const isReady = ({ owner }: Text): boolean => owner !== null;

/** Does the move, or says why it is impossible and changes nothing. @param now ISO time */
export function move(life: SopState, { actor, id }: Person, house: CompanyRules, wanted: Move, now: string): Answer {
  if (wanted.verb === "turn") {
    if (!can(actor, "company.settings")) return "forbidden";
    life.control = wanted.control;
    return "ok";
  }
  const facts = factsOf(life, house);
  const may = (action: SopAction) => can(actor, action, facts);
  if (wanted.verb === "undelete") {
    if (life.deletedAt === null || Date.parse(now) - Date.parse(life.deletedAt) > thirtyDays) return "not_found";
    if (!may("sop.delete")) return "not_found";
    life.deletedAt = null;
    return did(life, "undelete");
  }
  const seen = visibleVersion(actor, facts);
  if (seen === "nothing") return "not_found";
  switch (wanted.verb) {
    case "save":
      return save(life, house, id, may, wanted.change, now);
    case "publish":
      if (!may("sop.publish")) return "forbidden";
      if (needsApproval(life.control, life.category) || life.status !== "draft") return "conflict";
      return isReady(latestOf(life)) ? publish(life, now) : "unprocessable";
    case "unpublish":
      if (!may("sop.publish")) return "forbidden";
      if (life.published === null && life.scheduled === null) return "conflict";
      Object.assign(life, unpublished);
      if (life.status === "published") life.status = "draft";
      return did(life, "unpublish");
    case "archive":
      if (!may("sop.archive")) return "forbidden";
      return life.status === "archived" ? "conflict" : archive(life);
    case "unarchive":
      if (!may("sop.archive")) return "forbidden";
      return life.status === "archived" ? unarchive(life) : "conflict";
    case "delete":
      if (!may("sop.delete")) return "forbidden";
      leave(life, "voided");
      life.deletedAt = now;
      return did(life, "delete");
    case "restore": {
      if (!may("sop.restore")) return "forbidden";
      if (life.status === "archived" || wanted.version === life.versions.length) return "conflict";
      // restores the text, but not the owner and the effective date
      const { body = "" } = life.versions[wanted.version - 1] ?? {};
      return write(life, id, { ...latestOf(life), body }, "restore", wanted.version);
    }
    case "restrict":
      if (!may("sop.restrict")) return "forbidden";
      if (life.restricted === wanted.restricted) return "ok";
      life.restricted = wanted.restricted;
      return did(life, wanted.restricted ? "restrict" : "unrestrict");
    case "share":
      if (!grantableLevels(actor, facts).includes(wanted.level)) return "forbidden";
      if (life.grants[wanted.with] === wanted.level) return "ok";
      life.grants[wanted.with] = wanted.level;
      return did(life, "grant");
    case "unshare":
      if (!may("sop.share")) return "forbidden";
      if (life.grants[wanted.with] === undefined) return "not_found";
      delete life.grants[wanted.with];
      return did(life, "revoke");
    case "review":
      if (!may("sop.publish") && !(latestOf(life).owner === id && may("sop.edit"))) return "forbidden";
      if (wanted.verdict === "archive" && !may("sop.archive")) return "forbidden";
      if (life.published === null) return "conflict";
      life.reviews.push({ verdict: wanted.verdict, version: life.published });
      did(life, "review");
      return wanted.verdict === "archive" ? archive(life) : "ok";
    case "request":
      return request(life, id, house, wanted.approvers, may("sop.request_approval"));
    default:
      return seen === "latest" ? onRequest(life, id, house, wanted, may, now) : "not_found";
  }
}

/** Publishes a scheduled version on its day, unless it now lacks a required approval. */
export function timePasses(life: SopState, house: CompanyRules, now: string): void {
  const waiting = life.scheduled;
  if (!waiting || life.deletedAt !== null || waiting.day > now) return;
  life.scheduled = null;
  if (hasMet(life, house, waiting.version, waiting.in)) {
    becomePublished(life, waiting.version, waiting.in);
    return;
  }
  if (life.status === "published") life.status = "draft";
  did(life, "lapse");
}

const thirtyDays = 30 * 24 * 3_600_000;
const unpublished = { published: null, publishedIn: null, scheduled: null } satisfies Partial<SopState>;
type May = (action: SopAction) => boolean;

function did(life: SopState, ...verbs: string[]): "ok" {
  life.effects.push(...verbs);
  return "ok";
}

function save(
  life: SopState,
  house: CompanyRules,
  by: string,
  may: May,
  { status, category, ...change }: Change,
  now: string,
): Answer {
  const latest = latestOf(life);
  const next = { ...latest, ...change };
  const isGivenAway = next.owner !== latest.owner || next.inTeam !== latest.inTeam;
  if (!may("sop.edit") || (isGivenAway && !may("sop.share"))) return "forbidden";
  const isNew = isGivenAway || next.body !== latest.body || next.effective !== latest.effective;
  const home = category === undefined ? life.category : category;
  const moves = home !== life.category;
  // a save that moves the SOP needs the approvals of both categories
  const needs = needsApproval(life.control, home) || needsApproval(life.control, life.category);
  const publishes = may("sop.publish") && !needs;
  const { status: before } = life;
  const refused = refusal(before, status, isNew || moves, isNew, {
    publish: publishes,
    archive: may("sop.archive"),
    needs,
  });
  if (refused) return refused;
  const becomesPublished = status === "published" && publishes && (isNew || before !== "published");
  if (becomesPublished && !isReady(next)) return "unprocessable";
  if (status === "draft" && before === "archived") unarchive(life);
  if (moves) moveTo(life, house, home);
  // if readers can't follow the SOP to its new category, they keep the old one; the next version there is a draft
  const isLeft = moves && life.status === "published" && !readersFollow(life, house, home) && status !== "archived";
  if (isNew || isLeft) write(life, by, next, "save");
  if (becomesPublished) publish(life, now);
  if (status === "archived" && before !== "archived") archive(life);
  return "ok";
}

/** Says whether a version has the approvals that a category requires by the current rule. */
function hasMet(life: SopState, house: CompanyRules, version: number, home: Category | null): boolean {
  if (!needsApproval(life.control, home)) return true;
  const rule = home === "approving" ? approvingRule : house.rule;
  return life.requests.some((one) => {
    const people = counted(one);
    const given = people.filter(({ status }) => status === "approved").length;
    return one.version === version && one.outcome === "approved" && given >= approvalsFor(rule, people.length);
  });
}

function readersFollow(life: SopState, house: CompanyRules, home: Category | null): boolean {
  const shown = [life.published, life.scheduled?.version];
  return shown.every((version) => version == null || hasMet(life, house, version, home));
}

function moveTo(life: SopState, house: CompanyRules, home: Category | null): void {
  leave(life, "voided");
  life.category = home;
  if (readersFollow(life, house, home)) {
    if (life.published !== null) life.publishedIn = home;
    if (life.scheduled) life.scheduled.in = home;
  }
  did(life, "move");
}

/** The refusal of a status that the form sends, given the stored state; null if it is allowed. */
function refusal(
  before: Status,
  chosen: Status | undefined,
  isChange: boolean,
  isNew: boolean,
  may: { publish: boolean; archive: boolean; needs: boolean },
): Answer | null {
  if (before === "archived" && isNew && (chosen === undefined || chosen === "archived")) return "conflict";
  if (chosen === "published") {
    if (may.publish) return before === "archived" || before === "under_review" ? "conflict" : null;
    if (before === "published") return null;
    return may.needs ? "conflict" : "forbidden";
  }
  if (chosen === undefined || chosen === before) return null;
  if (chosen === "under_review") return "conflict";
  if (chosen === "archived" || before === "archived") return may.archive ? null : "forbidden";
  return isChange ? null : "conflict";
}

function write(life: SopState, by: string, text: Text, verb: string, restores: number | null = null): Answer {
  leave(life, "voided");
  life.versions.push({ ...text, by, restores });
  life.status = "draft";
  return did(life, verb);
}

function publish(life: SopState, now: string): Answer {
  const { effective } = latestOf(life);
  life.status = "published";
  if (effective !== null && effective > now) {
    life.scheduled = { version: life.versions.length, day: effective, in: life.category };
    return did(life, "schedule");
  }
  life.scheduled = null;
  return becomePublished(life, life.versions.length, life.category);
}

function becomePublished(life: SopState, version: number, home: Category | null): Answer {
  life.published = version;
  life.publishedIn = home;
  life.everPublished.push(version);
  return did(life, "publish");
}

function archive(life: SopState): Answer {
  leave(life, "voided");
  Object.assign(life, unpublished, { status: "archived" });
  return did(life, "archive");
}

function unarchive(life: SopState): Answer {
  life.status = "draft";
  return did(life, "unarchive");
}

/** Ends the request without a decision by its rule, so that the SOP is a draft again. */
function leave(life: SopState, outcome: string): void {
  const open = openRequest(life);
  if (!open) return;
  Object.assign(open, { status: "rejected", outcome });
  if (life.status === "under_review") life.status = "draft";
}

/** Says whether this person has the permission to approve the SOP. */
function mayApprove(life: SopState, house: CompanyRules, who: string): boolean {
  const person = house.people.find(({ id }) => id === who);
  return person !== undefined && canBeApprover(person.actor, factsOf(life, house));
}

/**
 * Says whether a person can't decide: requesters, authors since the last published version, and people without the
 * permission to approve.
 */
export function isBarred(life: SopState, house: CompanyRules, requester: string, who: string): boolean {
  const { allowSelfApproval } = house;
  if (!mayApprove(life, house, who)) return true;
  const latest = life.versions.length;
  const last = Math.max(0, ...life.everPublished.filter((version) => version < latest));
  const published = life.versions[last - 1]?.body;
  // an older text that is restored or saved again has the words of everyone who wrote up to it
  const older = life.versions.slice(0, Math.max(0, last - 1));
  const restored = life.versions.slice(last).map(({ restores }) => restores ?? 0);
  const again = older.findLastIndex(({ body }) => body === life.versions.at(-1)?.body) + 1;
  // the words of the published text were approved already
  const isOpen = (version: number) => version < last && life.versions[version - 1]?.body !== published;
  const back = Math.max(0, ...[again, ...restored].filter(isOpen));
  const writers = [...life.versions.slice(0, back), ...life.versions.slice(last)].map(({ by }) => by);
  return !allowSelfApproval && (who === requester || writers.includes(who));
}

function request(life: SopState, by: string, house: CompanyRules, approvers: string[], may: boolean): Answer {
  if (!may) return "forbidden";
  if (life.status !== "draft") return "conflict";
  if (!isReady(latestOf(life))) return "unprocessable";
  if (approvers.some((who) => isBarred(life, house, by, who))) return "invalid_input";
  const approverStates = approvers.map((who) => ({ who, status: "pending" as const, isReplaced: false }));
  const rule = ruleNow(life, house);
  if (approvers.length < (rule.kind === "n_of_m" ? (rule.count ?? 0) : 1)) return "invalid_input";
  life.requests.push({
    by,
    version: life.versions.length,
    rule,
    approvers: approverStates,
    status: "pending",
    outcome: null,
  });
  life.status = "under_review";
  return did(life, "request_approval");
}

const ruleNow = ({ category }: SopState, house: CompanyRules): ApprovalRule =>
  category === "approving" ? approvingRule : house.rule;

type OnRequest = Extract<Move, { verb: "replace" | "withdraw" | Verdicts }>;

function onRequest(life: SopState, who: string, house: CompanyRules, wanted: OnRequest, may: May, now: string): Answer {
  const last = life.requests.at(-1);
  if (!last) return "not_found";
  const isMine = last.by === who;
  switch (wanted.verb) {
    case "withdraw":
      if (last.status !== "pending") return "conflict";
      if (!isMine && !may("sop.publish")) return "forbidden";
      leave(life, "withdrawn");
      return did(life, "withdraw");
    case "replace":
      if (last.status !== "pending") return "conflict";
      if (!may(isMine ? "sop.request_approval" : "sop.publish")) return "forbidden";
      return isBarred(life, house, last.by, wanted.with) ? "invalid_input" : replace(life, last, wanted);
    default:
      return decide(life, house, last, who, wanted.verb, now);
  }
}

function replace(life: SopState, open: Request, wanted: { replace: string; with: string }): Answer {
  const gone = counted(open).find(({ who, status }) => who === wanted.replace && status === "pending");
  if (!gone || counted(open).some(({ who }) => who === wanted.with)) return "invalid_input";
  gone.isReplaced = true;
  open.approvers.splice(open.approvers.indexOf(gone) + 1, 0, {
    who: wanted.with,
    status: "pending",
    isReplaced: false,
  });
  return did(life, "replace_approver");
}

function decide(life: SopState, house: CompanyRules, last: Request, who: string, verb: Verdicts, now: string): Answer {
  const mine = counted(last).find((one) => one.who === who);
  if (!mine) return "forbidden";
  if (last.status !== "pending" || mine.status !== "pending") return "conflict";
  if (!mayApprove(life, house, who)) return "forbidden";
  if (verb !== "approve") {
    mine.status = "rejected";
    leave(life, verb === "reject" ? "rejected" : "changes_requested");
    return did(life, verb === "reject" ? "reject" : "request_changes");
  }
  // the fixed number, or the number of current approvers if that is higher
  const needed = Math.max(...[last.rule, ruleNow(life, house)].map((rule) => approvalsFor(rule, counted(last).length)));
  if (needed > counted(last).length) return "conflict";
  mine.status = "approved";
  did(life, "approve");
  if (counted(last).filter(({ status }) => status === "approved").length < needed) return "ok";
  Object.assign(last, { status: "approved", outcome: "approved" });
  return publish(life, now);
}

function approvalsFor({ kind, count }: ApprovalRule, named: number): number {
  return { all: named, any: 1, n_of_m: count ?? named }[kind];
}
