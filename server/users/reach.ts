/** The users that a call can reach: those of the own company, or all. */
import { AppError } from "#core/errors.ts";
import type { Collections, UserDocument } from "../database/documents.ts";
import type { Transaction } from "../database/port.ts";
import { refusals } from "./refusals.ts";

export interface ReachableUsers {
  /** @throws AppError not_found for users out of reach, exactly as for an unknown id */
  find(store: Transaction<Collections>, caller: UserDocument, id: string): Promise<UserDocument>;
  /** The company that a new user joins. */
  companyFor(caller: UserDocument, requested: string | null | undefined): string;
  /** @throws AppError conflict if the request would move the user to another company */
  assertStays(target: UserDocument, requested: string | null | undefined): void;
}

export const ownCompany: ReachableUsers = {
  async find(store, caller, id) {
    return assertUserFound(await store.forCompany(caller.companyId).collection("users").findOne({ _id: id }));
  },
  // always the own company, even if the body names another
  companyFor: (caller) => caller.companyId,
  assertStays() {},
};

export const allCompanies: ReachableUsers = {
  async find(store, _caller, id) {
    return assertUserFound(await store.collection("users").findOne({ _id: id }));
  },
  companyFor: (caller, requested) => requested ?? caller.companyId,
  assertStays(target, requested) {
    if (requested != null && requested !== target.companyId)
      throw new AppError("conflict", refusals.otherCompany(), {
        companyId: refusals.fixedCompany(),
      });
  },
};

function assertUserFound(user: UserDocument | null): UserDocument {
  if (!user) throw new AppError("not_found");
  return user;
}
