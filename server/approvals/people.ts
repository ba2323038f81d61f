/** Who may be named as approver of an SOP's head, and why not where not. */
import { resolveActor } from "#core/access/resolve.ts";
import {
  ineligible,
  ineligibleTexts,
  involvement,
  type Candidate,
  type IneligibleReason,
  type Involved,
} from "#core/approvals/rules.ts";
import { defaultSettings } from "#core/companies/settings.ts";
import { AppError } from "#core/errors.ts";
import { newId } from "#core/ids.ts";
import type {
  ApproverDocument,
  Collections,
  CompanyDocument,
  SopDocument,
  UserDocument,
} from "../database/documents.ts";
import type { Transaction } from "../database/port.ts";
import type { Services } from "../http/services.ts";

type Person = Pick<UserDocument, "_id" | "name" | "initials" | "role" | "status" | "teamIds" | "permissions">;
const personOnly = { name: 1, initials: 1, role: 1, status: 1, teamIds: 1, permissions: 1 } as const;

/** Whom a request still asks: nobody who was replaced. */
export const isAsked = ({ replacedAt }: ApproverDocument): boolean => replacedAt === null;
export const askedIds = (approvers: readonly ApproverDocument[]): string[] =>
  approvers.filter(isAsked).map(({ userId }) => userId);

type Deciding = Pick<Services, "db" | "companies" | "clock">;

/** What stands against people as approvers of this head: their part in it, and what the company allows. */
async function circumstances({ db, companies, clock }: Deciding, sop: SopDocument, requestedBy: string) {
  const company = await companies.get(sop.companyId);
  const involved: Involved = {
    requestedBy,
    writers: await writersOf({ db }, sop),
    allowSelfApproval: company?.settings.allowSelfApproval ?? false,
  };
  const now = clock.now();
  return { involved, judge: (person: Person) => ineligible(candidateFrom(person, company, now), involved) };
}

function candidateFrom(person: Person, company: CompanyDocument | null, now: string): Candidate {
  const { _id: userId, role, teamIds, permissions } = person;
  const source = { userId, companyId: company?._id ?? "", role, teamIds, permissions };
  return {
    actor: resolveActor(source, company?.settings ?? defaultSettings, now),
    isActive: person.status === "active",
  };
}

/** Who wrote a version since the one published last, before the head. */
async function writersOf({ db }: Pick<Services, "db">, { companyId, _id, version }: SopDocument): Promise<Set<string>> {
  const company = db.forCompany(companyId);
  const periods = await company.collection("force_periods").find({ sopId: _id }, { projection: { version: 1 } });
  const published = Math.max(0, ...periods.map((period) => period.version).filter((one) => one < version));
  const since = await company
    .collection("sop_versions")
    .find({ sopId: _id, version: { $gt: published } }, { projection: { changedBy: 1 } });
  return new Set(since.map(({ changedBy }) => changedBy));
}

export interface JudgedPerson {
  person: Person;
  reason: IneligibleReason | null;
}

/** Everybody active, by name. */
export async function judgeEverybody(
  services: Deciding,
  sop: SopDocument,
  requestedBy: string,
): Promise<JudgedPerson[]> {
  const { judge } = await circumstances(services, sop, requestedBy);
  const people = await services.db
    .forCompany(sop.companyId)
    .collection("users")
    .find({ status: "active" }, { sort: { name: 1 }, projection: personOnly });
  return people.map((person) => ({ person, reason: judge(person) }));
}

/**
 * New entries for the people named.
 * @param field the body's field that names them
 * @throws AppError invalid_input with every ineligible id in `details`, under its place in the body
 */
export async function chooseApprovers(
  services: Deciding,
  sop: SopDocument,
  requestedBy: string,
  { ids, field }: { ids: readonly string[]; field: (index: number) => string },
): Promise<ApproverDocument[]> {
  const { involved, judge } = await circumstances(services, sop, requestedBy);
  const found = await services.db
    .forCompany(sop.companyId)
    .collection("users")
    .find({ _id: { $in: [...new Set(ids)] } }, { projection: personOnly });
  const people = new Map(found.map((person) => [person._id, person]));
  const refused = ids.flatMap((id, index) => {
    const person = people.get(id);
    const reason = person ? judge(person) : "inactive";
    return reason === null ? [] : [[field(index), ineligibleTexts[reason]] as const];
  });
  if (refused.length > 0)
    throw new AppError(
      "invalid_input",
      "Some of the approvers can't decide about this SOP",
      Object.fromEntries(refused),
    );
  return found
    .sort((a, b) => ids.indexOf(a._id) - ids.indexOf(b._id))
    .map(({ _id, name, initials }) => ({
      id: newId(),
      userId: _id,
      name,
      initials,
      status: "pending",
      comment: null,
      respondedAt: null,
      contentHash: null,
      replacedAt: null,
      isOwnWork: involvement(_id, involved) !== null,
    }));
}

/** In the transaction that names them: a suspension may have been faster. */
export async function assertStillActive(
  tx: Transaction<Collections>,
  companyId: string,
  approvers: readonly ApproverDocument[],
): Promise<void> {
  const ids = approvers.map(({ userId }) => userId);
  const active = await tx
    .forCompany(companyId)
    .collection("users")
    .countDocuments({ _id: { $in: ids }, status: "active" });
  if (active !== ids.length) throw new AppError("conflict", "One of the approvers is no active user any more");
}
