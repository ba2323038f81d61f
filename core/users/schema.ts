/** Users as administrators see and change them (`docs/spec/entities.md`), never with a password or key. */
import { z } from "zod";
import { roles } from "../permissions/roles.ts";
import { displayLineSchema } from "../contract/shown-name.ts";
import { accountRefusals, email, username } from "./account-names.ts";
import { Paging, SentenceId, ServerOwned, Time, sentenceError, addSentenceId } from "../contract/parts.ts";
import { personName } from "./person-name.ts";
import { userStatuses } from "./rules.ts";
import { sentenceOfMessage, sentences } from "../language/catalog.ts";

const refusals = sentences("core.users.schema", {
  shortPassword: "Password must be at least 6 characters",
  longPassword: "Password is too long",
});

export const User = z
  .object({
    id: z.string(),
    companyId: z.string(),
    company: z.object({ name: z.string() }).nullable(),
    username: z.string(),
    email: z.string().nullable(),
    name: z.string(),
    role: z.enum(roles),
    initials: z.string(),
    department: z.string().nullable(),
    title: z.string().nullable(),
    phone: z.string().nullable(),
    avatar: z.string().nullable(),
    status: z.enum(userStatuses),
    emailVerified: z.boolean(),
    aiFeaturesEnabled: z.boolean(),
    teamIds: z.array(z.string()),
    lastLoginAt: Time.nullable(),
    passwordChangedAt: Time.nullable(),
    createdAt: Time,
    updatedAt: Time,
  })
  .meta({ id: "User" });
export type User = z.output<typeof User>;

/**
 * Reasons why an email was not sent: the server has no SMTP_URL, the sender's own address is not confirmed, or there
 * were too many emails today.
 */
export const unsentReasons = ["no_mail_server", "unconfirmed", "limit"] as const;
export type UnsentReason = (typeof unsentReasons)[number];

/**
 * `link` is returned once, for a user who gets no email, so that the administrator can pass it on. `unsent` gives the
 * reason, if the user has an address.
 */
const handedOver = { link: z.string().optional(), unsent: z.enum(unsentReasons).optional() };
/** `note` names another user whose name looks the same; `sentence` is its sentence. */
export const UserChanged = User.extend({ note: z.string().optional(), sentence: SentenceId.optional() }).meta({
  id: "UserChanged",
});
export const UserCreated = UserChanged.extend(handedOver).meta({ id: "UserCreated" });
export const PasswordResetSent = z.object({ sent: z.boolean(), ...handedOver }).meta({ id: "PasswordResetSent" });

const blank = z.literal("");
const text = displayLineSchema(120).nullish();
const password = z.union(
  [blank, z.string().min(6, sentenceError(refusals.shortPassword)).max(128, sentenceError(refusals.longPassword))],
  { error: (issue) => messageOfLastOption(issue) ?? addSentenceId(issue, refusals.shortPassword()) },
);
const address = z.union([blank, email], sentenceError(accountRefusals.email));

/** Returns the error message of the last option of a union, because the first option only accepts an empty text. */
function messageOfLastOption(issue: z.core.$ZodRawIssue): string | undefined {
  const first = issue.code === "invalid_union" ? issue.errors?.at(-1)?.[0] : undefined;
  const sentence = first && sentenceOfMessage(first);
  return sentence?.id === undefined ? sentence?.text : addSentenceId(issue, sentence);
}

const about = { email: address.nullish(), department: text, title: text, phone: text };

/** Clients send the whole user: fields that the server owns are accepted and ignored (`docs/spec/calls.md`). */
const serverOwned = {
  id: ServerOwned.text,
  company: ServerOwned.record,
  initials: ServerOwned.text,
  avatar: ServerOwned.text,
  emailVerified: ServerOwned.flag,
  aiFeaturesEnabled: ServerOwned.flag,
  teamIds: ServerOwned.list,
  lastLoginAt: ServerOwned.text,
  passwordChangedAt: ServerOwned.text,
  createdAt: ServerOwned.text,
  updatedAt: ServerOwned.text,
};
const companyId = z.string().max(100).nullish();

export const UserCreate = z
  .strictObject({
    ...serverOwned,
    ...about,
    companyId,
    username,
    name: personName,
    password: password.nullish(),
    role: z.enum(roles).default("viewer"),
    status: z.enum(userStatuses).default("active"),
  })
  .meta({ id: "UserCreate" });
export type UserCreate = z.output<typeof UserCreate>;

/** The changes of a user. A blank password changes nothing. */
export const UserUpdate = z
  .strictObject({
    ...serverOwned,
    ...about,
    companyId,
    /** The username never changes. It is accepted and ignored. */
    username: ServerOwned.text,
    name: personName.optional(),
    password: password.nullish(),
    role: z.enum(roles).optional(),
    status: z.enum(userStatuses).optional(),
  })
  .meta({ id: "UserUpdate" });
export type UserUpdate = z.output<typeof UserUpdate>;

const filters = {
  search: z.string().max(200).optional(),
  role: z.enum([...roles, "all"]).optional(),
  status: z.enum([...userStatuses, "all"]).optional(),
};
export const CompanyUserQuery = z.strictObject({ ...filters, ...Paging });
export const AdminUserQuery = z.strictObject({
  ...filters,
  companyId: z.string().min(1).max(100).optional(),
  ...Paging,
});
export type UserQuery = z.output<typeof AdminUserQuery>;

/** The form of the dialogs 'Create New User' and 'Edit User': missing fields are empty texts. */
export const UserForm = z.object({
  username,
  email: address,
  name: personName,
  password,
  department: z.string().max(120),
  title: z.string().max(120),
  phone: z.string().max(120),
  role: z.enum(roles),
  status: z.enum(userStatuses),
});
export type UserForm = z.output<typeof UserForm>;
