import type { z } from "zod";
import type { UnsentReason, User, UserQuery, UserUpdate } from "#core/users/schema.ts";
import { AppError } from "#core/errors.ts";
import type { MessageWithId } from "#core/language/catalog.ts";
import { createResetLinkToHandOver, issuePasswordReset } from "../sign-in/issue-reset.ts";
import { recordChange } from "../effects/record.ts";
import type { SignedInCall } from "../effects/signed.ts";
import { loadPageByName } from "../companies/named-pages.ts";
import { transactionFor } from "../database/turns.ts";
import type { UserDocument } from "../database/documents.ts";
import type { Collection } from "../database/port.ts";
import type { Handlers } from "../http/call.ts";
import { assertProven } from "../http/proven.ts";
import type { Limiters } from "../http/limiters.ts";
import type { Services } from "../http/services.ts";
import { confirmedAddressOf } from "../mail/outbox.ts";
import { countEmailTo, countResetEmailTo } from "../mail/to-others.ts";
import { changeUser } from "./change.ts";
import { createUser } from "./create.ts";
import { findSimilarNameNote } from "./own-identity.ts";
import { usersOfAllCompanies, usersOfOwnCompany, type ReachableUsers } from "./reach.ts";
import { assertRolesAssignable } from "./managed-roles.ts";
import { refusals } from "./refusals.ts";

/**
 * Limits on emails to addresses that an administrator enters, on names taken in another company, and on users' changes
 * of their own name.
 */
type UserLimits = Pick<Limiters, "takeMailTo" | "takeEmailOfDay" | "takeName" | "renameOwn">;

export function userHandlers({ db }: Services): Handlers<"users"> {
  return {
    async list({ identity }) {
      const people = await db
        .forCompany(identity.actor.companyId)
        .collection("users")
        .find({ status: "active" }, { sort: { name: 1 }, projection: { name: 1, username: 1 } });
      return people.map(({ _id, name, username }) => ({ id: _id, name, username }));
    },
  };
}

export function adminUserHandlers(services: Services, limiters: UserLimits): Handlers<"adminUsers"> {
  const { db } = services;
  return {
    list({ query: { companyId, ...query } }) {
      return listUsers(
        services,
        companyId === undefined ? db.collection("users") : usersCollection(services, companyId),
        query,
      );
    },
    ...userChangeHandlers(services, limiters, usersOfAllCompanies),
  };
}

export function companyUserHandlers(services: Services, limiters: UserLimits): Handlers<"companyUsers"> {
  return {
    list: ({ identity, query }) => listUsers(services, usersCollection(services, identity.actor.companyId), query),
    ...userChangeHandlers(services, limiters, usersOfOwnCompany),
  };
}

const usersCollection = ({ db }: Pick<Services, "db">, companyId: string) =>
  db.forCompany(companyId).collection("users");
/** Fields that lists never load. */
const hidden = { password: 0, openaiApiKey: 0, permissions: 0, mailChoices: 0, words: 0 } as const;

async function listUsers(services: Services, people: Collection<UserDocument>, query: Omit<UserQuery, "companyId">) {
  const { role, status, ...paging } = query;
  const filter = {
    ...(status === undefined || status === "all" ? {} : { status }),
    ...(role === undefined || role === "all" ? {} : { role }),
  };
  const { rows, ...page } = await loadPageByName(people, filter, paging, hidden);
  return { data: await presentUsers(services, rows), ...page };
}

/**
 * Presents users with the names of their companies. Names are cached for a second, so a page costs at most one read for
 * each company.
 */
function presentUsers({ companies }: Pick<Services, "companies">, users: readonly UserDocument[]) {
  return Promise.all(
    users.map(async (user): Promise<z.input<typeof User>> => {
      const company = await companies.get(user.companyId);
      return { ...user, id: user._id, company: company && { name: company.name } };
    }),
  );
}

function noteFields(note: MessageWithId | undefined) {
  if (!note) return {};
  const { text, ...sentence } = note;
  return { note: text, sentence };
}

function userChangeHandlers(
  services: Services,
  limiters: UserLimits,
  reach: ReachableUsers,
): Omit<Handlers<"companyUsers">, "list"> & Omit<Handlers<"adminUsers">, "list"> {
  const presentUser = async (user: UserDocument) => {
    const [presented] = await presentUsers(services, [user]);
    if (!presented) throw new AppError("not_found");
    return presented;
  };
  return {
    async create(call) {
      const { email, status } = call.body;
      const sender = call.identity.user;
      const unsent = email && status === "active" ? await countEmailTo(services, limiters, sender, email) : null;
      const { user, note, ...link } = await limiters.takeName({ user: sender }, () =>
        createUser(services, call, reach, call.body, { emails: unsent === null }),
      );
      return { ...(await presentUser(user)), ...link, ...noteFields(note), ...(unsent === null ? {} : { unsent }) };
    },
    async update(call) {
      const target = await reach.find(services.db, call.identity.user, call.params.id);
      assertFreshProof(services, call, target);
      if (call.body.password) {
        const email = confirmedAddressOf(target);
        if (email !== null) await limiters.takeMailTo(email);
      }
      const changeCalledUser = () => changeUser(services, call, reach, call.params.id, call.body);
      const { name = target.name } = call.body;
      const isOwnRename = target._id === call.identity.user._id && name !== target.name;
      const user = await (isOwnRename ? limiters.renameOwn(target._id, changeCalledUser) : changeCalledUser());
      const note = user.name === target.name ? undefined : await findSimilarNameNote(services.db, user);
      return { ...(await presentUser(user)), ...noteFields(note) };
    },
    async remove(call) {
      await changeUser(services, call, reach, call.params.id, { status: "deleted" });
      return { ok: true };
    },
    async resetPassword(call) {
      const target = await reach.find(services.db, call.identity.user, call.params.id);
      const unsent = await countResetEmailTo(services, limiters, call.identity.user, target);
      return issueResetForUser(services, call, reach, unsent);
    },
  };
}

/**
 * Refuses a change of a password, email or role, or a reactivation, unless the caller has just proven their identity.
 * These changes can give another person access to the account, so neither a stolen token nor an open session is enough
 * for them.
 */
function assertFreshProof(
  { clock }: Services,
  { identity, body }: Pick<SignedInCall, "identity"> & { body: z.output<typeof UserUpdate> },
  target: UserDocument,
): void {
  const { password, email = target.email, role = target.role, status = target.status } = body;
  const isOpened = status === "active" && target.status !== "active";
  if (password !== undefined || email !== target.email || role !== target.role || isOpened)
    assertProven(identity, "credentials", clock);
}

async function issueResetForUser(
  services: Services,
  call: SignedInCall & { params: { id: string } },
  reach: ReachableUsers,
  unsent: UnsentReason | null,
) {
  const { db, clock, keys, address } = services;
  const { user: caller } = call.identity;
  const { id } = call.params;
  const { companyId } = await reach.find(db, caller, id);
  const at = clock.now();
  return transactionFor(db, companyId, async (tx) => {
    const user = await reach.find(tx, caller, id);
    if (user._id === caller._id) throw new AppError("forbidden", refusals.ownPassword());
    assertRolesAssignable(caller.role, user.role);
    if (user.status !== "active") throw new AppError("conflict", refusals.inactiveUser());
    const order = { user, at, url: address.url };
    const issued =
      unsent === null
        ? await issuePasswordReset(tx, keys, order)
        : { sent: false, link: await createResetLinkToHandOver(tx, order), unsent };
    await recordChange(
      tx,
      call,
      { companyId, at, hears: { resources: [] } },
      {
        action: "user.reset_password",
        entityType: "user",
        entityId: id,
        changes: { name: user.name, sent: issued.sent },
      },
    );
    return issued;
  });
}
