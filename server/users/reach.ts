/** Limits the users that a call can reach: those of the caller's company, or all users. */
import { AppError } from "#core/errors.ts";
import type { Collections, UserDocument } from "../database/documents.ts";
import type { Transaction } from "../database/port.ts";
import { refusals } from "./refusals.ts";

export interface ReachableUsers {
  /**
   * Loads a user.
   * @throws AppError not_found for users that the call can't reach, exactly as for an unknown id
   */
  find(store: Transaction<Collections>, caller: UserDocument, id: string): Promise<UserDocument>;
  /** Returns the id of the company that a new user joins. */
  companyFor(caller: UserDocument, requested: string | null | undefined): string;
  /**
   * Checks that the user stays in the company.
   * @throws AppError conflict if the request would move the user to another company
   */
  assertStays(target: UserDocument, requested: string | null | undefined): void;
}

export const usersOfOwnCompany: ReachableUsers = {
  async find(store, caller, id) {
    return assertUserFound(await store.forCompany(caller.companyId).collection("users").findOne({ _id: id }));
  },
  // a new user always joins the caller's company, even if the body names another one
  companyFor: (caller) => caller.companyId,
  assertStays() {},
};

export const usersOfAllCompanies: ReachableUsers = {
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
