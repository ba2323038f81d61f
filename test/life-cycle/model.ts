/** The life of one SOP as `design/domain.md` tells it: a plain table, written apart from the product's own rules. */
import type { Actor, SopFacts } from "#core/access/actor.ts";
import { can, visibleVersion } from "#core/access/can.ts";
import type { SopAction } from "#core/access/actions.ts";
import type { ApprovalRule } from "#core/companies/settings.ts";

export interface Person {
  id: string;
  actor: Actor;
}

export interface House {
  control: "flexible" | "strict";
  rule: ApprovalRule;
  allowSelfApproval: boolean;
}

export interface Version {
  text: string;
  by: string;
}

export interface Request {
  by: string;
  version: number;
  asked: { who: string; status: "pending" | "approved" | "rejected" }[];
  status: "pending" | "approved" | "rejected";
  outcome: string | null;
}

/** What is true of the SOP. Versions count from 1. */
export interface Life {
  author: string;
  status: "draft" | "under_review" | "published" | "archived";
  versions: Version[];
  inForce: number | null;
  /** Every version that ever was in force. */
  published: number[];
  requests: Request[];
  isDeleted: boolean;
  /** Verbs of the audit log, in order. */
  effects: string[];
}

export type Move =
  | { verb: "save"; text: string }
  | { verb: "save as published"; text: string }
  | { verb: "publish" | "unpublish" | "archive" | "unarchive" | "delete" | "undelete" }
  | { verb: "restore"; version: number }
  | { verb: "request"; approvers: string[] }
  | { verb: "approve" | "reject" | "request changes" | "withdraw" };

export type Answer = "ok" | "not_found" | "forbidden" | "conflict" | "invalid_input";

export const born = (author: string, text: string): Life => ({
  author,
  status: "draft",
  versions: [{ text, by: author }],
  inForce: null,
  published: [],
  requests: [],
  isDeleted: false,
  effects: ["create"],
});

export const openRequest = ({ requests }: Life): Request | undefined =>
  requests.find(({ status }) => status === "pending");

export function factsOf(life: Life, companyId: string): SopFacts {
  // who has decided reads on until the request is resolved
  const asked = openRequest(life)?.asked ?? [];
  return {
    companyId,
    authorId: life.author,
    ownerId: life.author,
    teamId: null,
    status: life.status,
    restricted: false,
    deletedAt: life.isDeleted ? "2026-01-01T00:00:00.000Z" : null,
    publishedVersion: life.inForce,
    version: life.versions.length,
    grants: [],
    approvers: asked.map(({ who }) => who),
  };
}

/** Does the move, or says why it can't be done; then nothing has changed. */
export function move(life: Life, { actor, id }: Person, house: House, asked: Move): Answer {
  const facts = factsOf(life, actor.companyId);
  const may = (action: SopAction) => can(actor, action, facts);
  const head = life.versions.length;
  if (asked.verb === "undelete") {
    if (!life.isDeleted || !may("sop.delete")) return "not_found";
    life.isDeleted = false;
    return did(life, "undelete");
  }
  const seen = visibleVersion(actor, facts);
  if (seen === "nothing") return "not_found";
  switch (asked.verb) {
    case "save":
      if (!may("sop.edit")) return "forbidden";
      if (asked.text === life.versions.at(-1)?.text) return "ok";
      if (life.status === "archived") return "conflict";
      return write(life, id, asked.text, "save");
    case "save as published": {
      if (!may("sop.edit")) return "forbidden";
      const isNew = asked.text !== life.versions.at(-1)?.text;
      if (life.status === "archived" && isNew && !(may("sop.publish") && house.control === "flexible")) {
        return house.control === "strict" ? "conflict" : "forbidden";
      }
      if (may("sop.publish") && house.control === "flexible") {
        if (life.status === "archived" || life.status === "under_review") return "conflict";
        if (isNew) write(life, id, asked.text, "save");
        return isNew || life.status !== "published" ? publish(life) : "ok";
      }
      if (life.status === "published") return isNew ? write(life, id, asked.text, "save") : "ok";
      return house.control === "strict" ? "conflict" : "forbidden";
    }
    case "publish":
      if (!may("sop.publish")) return "forbidden";
      if (house.control === "strict" || life.status !== "draft") return "conflict";
      return publish(life);
    case "unpublish":
      if (!may("sop.publish")) return "forbidden";
      if (life.inForce === null) return "conflict";
      life.inForce = null;
      if (life.status === "published") life.status = "draft";
      return did(life, "unpublish");
    case "archive":
      if (!may("sop.archive")) return "forbidden";
      if (life.status === "archived") return "conflict";
      leave(life, "voided");
      life.status = "archived";
      life.inForce = null;
      return did(life, "archive");
    case "unarchive":
      if (!may("sop.archive")) return "forbidden";
      if (life.status !== "archived") return "conflict";
      life.status = "draft";
      return did(life, "unarchive");
    case "delete":
      if (!may("sop.delete")) return "forbidden";
      leave(life, "voided");
      life.isDeleted = true;
      return did(life, "delete");
    case "restore":
      if (!may("sop.restore")) return "forbidden";
      if (life.status === "archived" || asked.version === head) return "conflict";
      return write(life, id, life.versions[asked.version - 1]?.text ?? "", "restore");
    case "request":
      return request(life, id, house, asked.approvers, may("sop.request_approval"));
    default:
      return decide(life, id, house, asked.verb, { head: seen === "head", publish: may("sop.publish") });
  }
}

function did(life: Life, ...verbs: string[]): Answer {
  life.effects.push(...verbs);
  return "ok";
}

function write(life: Life, by: string, text: string, verb: string): Answer {
  leave(life, "voided");
  life.versions.push({ text, by });
  life.status = "draft";
  return did(life, verb);
}

function publish(life: Life): Answer {
  life.status = "published";
  life.inForce = life.versions.length;
  life.published.push(life.versions.length);
  return did(life, "publish");
}

/** A review ends without a decision of its rule: the SOP is a draft again. */
function leave(life: Life, outcome: string): void {
  const open = openRequest(life);
  if (!open) return;
  Object.assign(open, { status: "rejected", outcome });
  if (life.status === "under_review") life.status = "draft";
}

function request(life: Life, by: string, house: House, approvers: string[], may: boolean): Answer {
  if (!may) return "forbidden";
  if (life.status !== "draft") return "conflict";
  const head = life.versions.length;
  const last = Math.max(0, ...life.published.filter((version) => version < head));
  const writers = life.versions.slice(last).map((version) => version.by);
  const isBarred = (who: string) => !house.allowSelfApproval && (who === by || writers.includes(who));
  if (approvers.some(isBarred)) return "invalid_input";
  const asked = approvers.map((who) => ({ who, status: "pending" as const }));
  life.requests.push({ by, version: head, asked, status: "pending", outcome: null });
  life.status = "under_review";
  return did(life, "request_approval");
}

type Verdict = "approve" | "reject" | "request changes" | "withdraw";

function decide(
  life: Life,
  who: string,
  house: House,
  verb: Verdict,
  may: { head: boolean; publish: boolean },
): Answer {
  const last = life.requests.at(-1);
  if (!last || !may.head) return "not_found";
  if (verb === "withdraw") {
    if (last.status !== "pending") return "conflict";
    if (last.by !== who && !may.publish) return "forbidden";
    leave(life, "withdrawn");
    return did(life, "withdraw");
  }
  const mine = last.asked.find((one) => one.who === who);
  if (!mine) return "forbidden";
  if (last.status !== "pending" || mine.status !== "pending") return "conflict";
  if (verb !== "approve") {
    mine.status = "rejected";
    leave(life, verb === "reject" ? "rejected" : "changes_requested");
    return did(life, verb === "reject" ? "reject" : "request_changes");
  }
  mine.status = "approved";
  const approved = last.asked.filter(({ status }) => status === "approved").length;
  const all = last.asked.length;
  const needed = { all, any: 1, n_of_m: Math.min(house.rule.count ?? all, all) }[house.rule.kind];
  did(life, "approve");
  if (approved < needed) return "ok";
  Object.assign(last, { status: "approved", outcome: "approved" });
  return publish(life);
}
