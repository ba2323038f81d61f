/** Decides whether people can be approvers of an SOP's latest version, and gives the reason if they can't. */
import { resolveActor } from "#core/permissions/resolve.ts";
import {
  ineligibleReason,
  ineligibleRefusals,
  authorshipOf,
  approverShortageText,
  reasonUserCannotDecide,
  type ApprovalCandidate,
  type IneligibleReason,
  type InvolvedPeople,
  type RuleOfSop,
} from "#core/approvals/rules.ts";
import { defaultSettings } from "#core/companies/settings.ts";
import { AppError } from "#core/errors.ts";
import { newId } from "#core/ids.ts";
import { decisionRefusals } from "#core/life-cycle/decide.ts";
import type {
  ApproverDocument,
  Collections,
  CompanyDocument,
  SopDocument,
  UserDocument,
} from "../database/documents.ts";
import type { Projection, Transaction } from "../database/port.ts";
import type { Services } from "../http/services.ts";
import { findWriters } from "../sops/history/writers.ts";
import { sentences, type MessageWithId } from "#core/language/catalog.ts";

const refusals = sentences("server.approvals.refusals", {
  cannotApprove: "Some of the approvers can't approve this SOP",
  oneCannotApprove: "One of the approvers can't approve anymore. Choose another one",
});

type ApprovalPerson = Pick<
  UserDocument,
  "_id" | "name" | "username" | "initials" | "role" | "status" | "teamIds" | "permissions"
>;
const personFields: Projection<UserDocument> = {
  name: 1,
  username: 1,
  initials: 1,
  role: 1,
  status: 1,
  teamIds: 1,
  permissions: 1,
};

type ApproverServices = Pick<Services, "db" | "companies" | "clock">;
type EligibilityServices = ApproverServices & Pick<Services, "templates">;

/**
 * Creates a check of people as approvers of the latest version. The check considers the company's settings, the
 * requester and the writers of the version.
 */
async function createEligibilityCheck(
  { db, companies, clock, templates }: EligibilityServices,
  sop: SopDocument,
  requestedBy: string,
) {
  const company = await companies.get(sop.companyId);
  const involved: InvolvedPeople = {
    requestedBy,
    writers: await findWriters(db, templates, sop, sop.version),
    allowSelfApproval: company?.settings.allowSelfApproval ?? false,
  };
  const now = clock.now();
  return {
    involved,
    judge: (person: ApprovalPerson) => ineligibleReason(candidateOfPerson(person, company, now), involved, sop),
  };
}

function candidateOfPerson(person: ApprovalPerson, company: CompanyDocument | null, now: string): ApprovalCandidate {
  const { _id: userId, role, teamIds, permissions } = person;
  const source = { userId, companyId: company?._id ?? "", role, teamIds, permissions };
  return {
    actor: resolveActor(source, company?.settings ?? defaultSettings, now),
    isActive: person.status === "active",
  };
}

export interface ApproverWithReason {
  person: ApprovalPerson;
  reason: IneligibleReason | null;
}

/** Loads every active user, sorted by name. `reason` says why the user can't approve; null for a user who can. */
export async function loadApproverCandidates(
  services: EligibilityServices,
  sop: SopDocument,
  requestedBy: string,
): Promise<ApproverWithReason[]> {
  const { judge } = await createEligibilityCheck(services, sop, requestedBy);
  const people = await services.db
    .forCompany(sop.companyId)
    .collection("users")
    .find({ status: "active" }, { sort: { name: 1 }, projection: personFields });
  return people.map((person) => ({ person, reason: judge(person) }));
}

/**
 * Creates the approvers of a request from user ids.
 * @param field returns the name of the body's field for an index
 * @throws AppError invalid_input, whose `details` have a message for each ineligible user, by the name of the field
 */
export async function createApprovers(
  services: EligibilityServices,
  sop: SopDocument,
  requestedBy: string,
  { ids, field }: { ids: readonly string[]; field: (index: number) => string },
): Promise<ApproverDocument[]> {
  const { involved, judge } = await createEligibilityCheck(services, sop, requestedBy);
  const people = await loadPeopleById(services.db, sop.companyId, ids);
  const refused = ids.flatMap((id, index) => {
    const person = people.get(id);
    const reason = person ? judge(person) : "inactive";
    return reason === null ? [] : [[field(index), ineligibleRefusals[reason]()] as const];
  });
  if (refused.length > 0) throw new AppError("invalid_input", refusals.cannotApprove(), Object.fromEntries(refused));
  return [...people.values()]
    .sort((a, b) => ids.indexOf(a._id) - ids.indexOf(b._id))
    .map(({ _id, name, username, initials }) => ({
      id: newId(),
      userId: _id,
      name,
      username,
      initials,
      status: "pending",
      comment: null,
      respondedAt: null,
      contentHash: null,
      replacedAt: null,
      isOwnWork: authorshipOf(_id, involved) !== null,
    }));
}

/**
 * Creates the message for a requester who names too few people for the rule.
 * @returns null when enough people are named
 */
export async function tooFewApproversMessage(
  services: EligibilityServices,
  sop: SopDocument,
  requestedBy: string,
  rule: RuleOfSop,
  named: number,
): Promise<MessageWithId | null> {
  if (approverShortageText(rule, named, named) === null) return null;
  const people = await loadApproverCandidates(services, sop, requestedBy);
  return approverShortageText(rule, named, people.filter(({ reason }) => reason === null).length);
}

/**
 * Returns why one of the loaded users can't decide about an SOP now; null for a user who can. A user who wasn't loaded
 * counts as inactive.
 */
type CheckApprover = (userId: string, sop: SopDocument) => IneligibleReason | null;

/** Creates a check of approvers for answers, with the cached company. */
export async function loadApproverCheck(
  { db, companies, clock }: ApproverServices,
  companyId: string,
  ids: readonly string[],
): Promise<CheckApprover> {
  return createApproverCheck(await companies.get(companyId), await loadPeopleById(db, companyId, ids), clock.now());
}

/**
 * Creates a check of approvers for writes, with the users and the company as the transaction reads them.
 * @param now ISO time
 */
export async function loadApproverCheckIn(
  tx: Transaction<Collections>,
  companyId: string,
  ids: readonly string[],
  now: string,
): Promise<CheckApprover> {
  const company = await tx.collection("companies").findOne({ _id: companyId });
  return createApproverCheck(company, await loadPeopleById(tx, companyId, ids), now);
}

function createApproverCheck(
  company: CompanyDocument | null,
  people: ReadonlyMap<string, ApprovalPerson>,
  now: string,
): CheckApprover {
  return (userId, sop) => {
    const person = people.get(userId);
    return person ? reasonUserCannotDecide(candidateOfPerson(person, company, now), sop) : "inactive";
  };
}

async function loadPeopleById(store: Transaction<Collections>, companyId: string, ids: readonly string[]) {
  const wanted = [...new Set(ids)];
  const users = store.forCompany(companyId).collection("users");
  const found = wanted.length === 0 ? [] : await users.find({ _id: { $in: wanted } }, { projection: personFields });
  return new Map(found.map((person) => [person._id, person]));
}

/**
 * Checks that the approvers can still approve, because they can be suspended or lose the permission. Call in the
 * transaction that names them.
 * @throws AppError conflict
 */
export async function assertApproversStillEligible(
  tx: Transaction<Collections>,
  sop: SopDocument,
  ids: readonly string[],
  now: string,
): Promise<void> {
  const judge = await loadApproverCheckIn(tx, sop.companyId, ids, now);
  const lost = ids.some((id) => judge(id, sop) !== null);
  if (lost) throw new AppError("conflict", refusals.oneCannotApprove());
}

/**
 * Checks that the user is active and still has the permission to decide about the SOP. Call in the transaction of the
 * decision.
 * @throws AppError forbidden
 */
export async function assertMayDecide(
  tx: Transaction<Collections>,
  sop: SopDocument,
  userId: string,
  now: string,
): Promise<void> {
  const judge = await loadApproverCheckIn(tx, sop.companyId, [userId], now);
  if (judge(userId, sop) !== null) throw new AppError("forbidden", decisionRefusals.permissionLost());
}
