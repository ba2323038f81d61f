/** Defines companies, people and their credentials. */
import type { UserPermission } from "#core/permissions/actor.ts";
import type { Proof, ProofMethod } from "#core/sign-in/proofs.ts";
import type { Role } from "#core/permissions/roles.ts";
import type { CompanySettings } from "#core/companies/settings.ts";
import type { TokenScope } from "#core/tokens/scopes.ts";
import type { BaseDocument } from "../port.ts";
import type { Tenant, DatedFields, SearchKeyFields, StoredCollections } from "./parts.ts";
import {
  companyId,
  datedChecks,
  searchKeyChecks,
  maybeNumber,
  maybeText,
  maybeTime,
  settings,
  texts,
} from "../shape-parts.ts";
import {
  arrayCheck,
  booleanCheck,
  fieldsCheck,
  numberCheck,
  objectCheck,
  optionalCheck,
  stringCheck,
  timeCheck,
} from "../shape.ts";

export interface CompanyDocument extends BaseDocument, DatedFields, SearchKeyFields {
  name: string;
  slug: string;
  description: string | null;
  logo: string | null;
  website: string | null;
  industry: string | null;
  size: string | null;
  status: "active" | "suspended" | "deleted";
  settings: CompanySettings;
  subscription: string;
  maxUsers: number;
  maxSOPs: number;
  /** The number of users. Conditional updates change it, so that simultaneous requests can't exceed the quota. */
  userCount: number;
  sopCount: number;
  /**
   * The maximum number of bytes of texts, images and PDFs that the company can store; null: as many as the server
   * allows (`COMPANY_BYTES`).
   */
  maxBytes: number | null;
  /** The bytes of images and PDFs that the company stores. Conditional updates change them. */
  assetBytes: number;
}

export interface UserDocument extends Tenant, DatedFields, SearchKeyFields {
  username: string;
  email: string | null;
  /** The hash of the password; null if the user signs in without a password. */
  password: string | null;
  name: string;
  /** Keys of all present and past names of the user; names that look alike share a key (`core/users/looks.ts`). */
  looks: string[];
  role: Role;
  initials: string;
  department: string | null;
  title: string | null;
  phone: string | null;
  avatar: string | null;
  status: "active" | "suspended" | "deleted";
  emailVerified: boolean;
  /** The id of the administrator who entered the email address. Null or absent if the user entered it. */
  emailNamedBy?: string | null;
  openaiApiKey: string | null;
  aiFeaturesEnabled: boolean;
  lastLoginAt: string | null;
  passwordChangedAt: string | null;
  /** Ids of the user's teams. A copy from `team_members`, so that a request needs no second query. */
  teamIds: string[];
  /**
   * A number that grows with each change of password, role or status. Sessions with an older number become invalid at
   * once.
   */
  sessionVersion: number;
  /** Permissions beyond the role (`docs/spec/permissions.md`). Each request checks whether they have expired. */
  permissions: UserPermission[];
  /** The time when the next permission expires; null or absent if none expires. Open browsers get an event then. */
  rightsEndAt?: string | null;
  /** For each kind of notification, whether it is also sent by email. Missing kinds are. */
  mailChoices: Record<string, boolean>;
}

/** A session. `_id` is the SHA-256 of the cookie's value, so that the database never contains credentials. */
export interface SessionDocument extends BaseDocument {
  userId: string;
  companyId: string;
  sessionVersion: number;
  createdAt: string;
  /** The newest proof of identity by each method, such as the password. */
  proofs: Proof[];
  /** The factors that the user still has to prove. The session gives access once the list is empty or absent. */
  missing?: ProofMethod[];
  lastSeenAt: string;
  expiresAt: string;
  userAgent: string | null;
}

export interface TokenDocument extends Tenant {
  userId: string;
  name: string;
  hash: string;
  /** The first and last characters of the token, by which its user recognizes it. */
  hint: string;
  scopes: TokenScope[];
  sessionVersion: number;
  createdAt: string;
  expiresAt: string;
  lastUsedAt: string | null;
}

export interface TeamDocument extends Tenant, DatedFields {
  name: string;
  slug: string;
  description: string | null;
  ownerId: string;
}

export interface TeamMemberDocument extends Tenant {
  teamId: string;
  userId: string;
  role: string;
  joinedAt: string;
}

/** A reset link for a password. `_id` is the SHA-256 of the token in the link. */
export interface PasswordResetDocument extends BaseDocument {
  userId: string;
  /**
   * The email address that got the link. The link works only while the user has this address. Null if an administrator
   * handed the link over.
   */
  mailedTo: string | null;
  companyId: string;
  expiresAt: string;
  usedAt: string | null;
  createdAt: string;
}

/** A link that confirms an email address while the user has it. `_id` is the SHA-256 of the token in the link. */
export interface EmailConfirmationDocument extends BaseDocument {
  userId: string;
  companyId: string;
  email: string;
  expiresAt: string;
  createdAt: string;
}

/** An invitation. `_id` is the SHA-256 of the token in the link. */
export interface InvitationDocument extends Tenant {
  /** The id that identifies the invitation in the list. */
  key: string;
  role: Role;
  email: string | null;
  /**
   * The SHA-256 of the second secret in an emailed link. Its use proves that the user has the email address. Absent if
   * no email was sent.
   */
  proof?: string;
  invitedBy: string;
  invitedByName: string;
  createdAt: string;
  expiresAt: string;
  usedAt: string | null;
  usedBy: string | null;
  revokedAt: string | null;
}

/** A browser in which this user has signed in before. `_id` is the SHA-256 of the browser's cookie. */
export interface KnownDeviceDocument extends BaseDocument {
  userId: string;
  lastUsedAt: string;
  expiresAt: string;
}

export interface PeopleCollections {
  companies: CompanyDocument;
  users: UserDocument;
  sessions: SessionDocument;
  tokens: TokenDocument;
  teams: TeamDocument;
  team_members: TeamMemberDocument;
  email_confirmations: EmailConfirmationDocument;
  password_resets: PasswordResetDocument;
  invitations: InvitationDocument;
  known_devices: KnownDeviceDocument;
}

export const peopleCollections: StoredCollections<PeopleCollections> = {
  companies: {
    tenant: false,
    indexes: [
      { name: "slug", keys: { slug: 1 }, unique: true },
      { name: "by_name", keys: { nameKey: 1, _id: 1 } },
      { name: "status_name", keys: { status: 1, nameKey: 1, _id: 1 } },
      { name: "words", keys: { words: 1 }, array: "words" },
    ],
    shape: {
      ...datedChecks,
      ...searchKeyChecks,
      name: stringCheck,
      slug: stringCheck,
      description: maybeText,
      logo: maybeText,
      website: maybeText,
      industry: maybeText,
      size: maybeText,
      status: stringCheck,
      settings,
      subscription: stringCheck,
      maxUsers: numberCheck,
      maxSOPs: numberCheck,
      userCount: numberCheck,
      sopCount: numberCheck,
      maxBytes: maybeNumber,
      assetBytes: numberCheck,
    },
  },
  users: {
    tenant: true,
    indexes: [
      { name: "username", keys: { username: 1 }, unique: true },
      { name: "company", keys: { companyId: 1, status: 1, name: 1 } },
      { name: "role", keys: { role: 1, status: 1 } },
      { name: "email", keys: { email: 1 } },
      { name: "by_name", keys: { nameKey: 1, _id: 1 } },
      { name: "status_name", keys: { status: 1, nameKey: 1, _id: 1 } },
      { name: "company_name", keys: { companyId: 1, nameKey: 1, _id: 1 } },
      { name: "company_status_name", keys: { companyId: 1, status: 1, nameKey: 1, _id: 1 } },
      { name: "company_role", keys: { companyId: 1, role: 1, status: 1 } },
      { name: "company_avatar", keys: { companyId: 1, avatar: 1 } },
      { name: "rights_end", keys: { rightsEndAt: 1 }, partial: { rightsEndAt: { $gt: "" } } },
      { name: "words", keys: { words: 1 }, array: "words" },
      { name: "company_words", keys: { companyId: 1, words: 1 }, array: "words" },
      { name: "company_looks", keys: { companyId: 1, looks: 1 }, array: "looks" },
    ],
    sealed: { entity: "user", names: { openaiApiKey: "AI key of user" } },
    shape: {
      companyId,
      ...datedChecks,
      ...searchKeyChecks,
      username: stringCheck,
      email: maybeText,
      password: maybeText,
      name: stringCheck,
      looks: texts,
      role: stringCheck,
      initials: stringCheck,
      department: maybeText,
      title: maybeText,
      phone: maybeText,
      avatar: maybeText,
      status: stringCheck,
      emailVerified: booleanCheck,
      emailNamedBy: optionalCheck(maybeText),
      openaiApiKey: maybeText,
      aiFeaturesEnabled: booleanCheck,
      lastLoginAt: maybeTime,
      passwordChangedAt: maybeTime,
      teamIds: texts,
      sessionVersion: numberCheck,
      permissions: arrayCheck(
        fieldsCheck({
          id: stringCheck,
          permission: stringCheck,
          granted: booleanCheck,
          grantedBy: stringCheck,
          expiresAt: maybeTime,
          createdAt: timeCheck,
        }),
      ),
      rightsEndAt: optionalCheck(maybeTime),
      mailChoices: objectCheck,
    },
  },
  sessions: {
    tenant: false,
    indexes: [
      { name: "user", keys: { userId: 1, createdAt: 1 } },
      { name: "company", keys: { companyId: 1 } },
      { name: "expiry", keys: { expiresAt: 1 } },
    ],
    swept: { by: "expiresAt", afterMs: 0 },
    inBackups: false,
    ifLost: "its user signs in again",
  },
  tokens: {
    tenant: true,
    indexes: [
      { name: "hash", keys: { hash: 1 }, unique: true },
      { name: "user", keys: { companyId: 1, userId: 1, createdAt: 1 } },
    ],
    shape: {
      companyId,
      userId: stringCheck,
      name: stringCheck,
      hash: stringCheck,
      hint: stringCheck,
      scopes: texts,
      sessionVersion: numberCheck,
      createdAt: timeCheck,
      expiresAt: timeCheck,
      lastUsedAt: maybeTime,
    },
  },
  teams: {
    tenant: true,
    indexes: [{ name: "slug", keys: { companyId: 1, slug: 1 }, unique: true }],
    shape: {
      companyId,
      ...datedChecks,
      name: stringCheck,
      slug: stringCheck,
      description: maybeText,
      ownerId: stringCheck,
    },
  },
  team_members: {
    tenant: true,
    indexes: [
      { name: "member", keys: { companyId: 1, teamId: 1, userId: 1 }, unique: true },
      { name: "user", keys: { companyId: 1, userId: 1 } },
    ],
    shape: { companyId, teamId: stringCheck, userId: stringCheck, role: stringCheck, joinedAt: timeCheck },
  },
  email_confirmations: {
    tenant: false,
    indexes: [
      { name: "user", keys: { userId: 1 } },
      { name: "expiry", keys: { expiresAt: 1 } },
    ],
    swept: { by: "expiresAt", afterMs: 0 },
    ifLost: "a link that expires",
  },
  password_resets: {
    tenant: false,
    indexes: [
      { name: "user", keys: { userId: 1, createdAt: -1 } },
      { name: "expiry", keys: { expiresAt: 1 } },
    ],
    swept: { by: "expiresAt", afterMs: 0 },
    ifLost: "a link that expires",
  },
  invitations: {
    tenant: true,
    indexes: [
      { name: "recent", keys: { companyId: 1, createdAt: -1, key: -1 } },
      { name: "key", keys: { companyId: 1, key: 1 }, unique: true },
    ],
  },
  known_devices: {
    tenant: false,
    indexes: [
      { name: "user", keys: { userId: 1, lastUsedAt: -1 } },
      { name: "expiry", keys: { expiresAt: 1 } },
    ],
    swept: { by: "expiresAt", afterMs: 0 },
    ifLost: "its user answers one question more",
  },
};
