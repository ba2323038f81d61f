/** Companies, people, and their credentials. */
import type { UserPermission } from "#core/permissions/actor.ts";
import type { Proof, ProofMethod } from "#core/sign-in/proofs.ts";
import type { Role } from "#core/permissions/roles.ts";
import type { CompanySettings } from "#core/companies/settings.ts";
import type { TokenScope } from "#core/tokens/scopes.ts";
import type { BaseDocument } from "../port.ts";
import type { Tenant, DatedFields, SearchKeyFields } from "./parts.ts";

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
  /** The number of users. Conditional updates change the counts, so that quotas hold under concurrency. */
  userCount: number;
  sopCount: number;
  /**
   * The most bytes of images and PDFs that the company can store; null: as many as the server allows (`COMPANY_BYTES`).
   */
  maxBytes: number | null;
  /** Bytes of images and PDFs that the company stores. Conditional updates change them too. */
  assetBytes: number;
}

export interface UserDocument extends Tenant, DatedFields, SearchKeyFields {
  username: string;
  email: string | null;
  /** The hash of the password; null if the user signs in without a password. */
  password: string | null;
  name: string;
  /** The looks of all names that the user has had (`core/users/looks.ts`). */
  looks: string[];
  role: Role;
  initials: string;
  department: string | null;
  title: string | null;
  phone: string | null;
  avatar: string | null;
  status: "active" | "suspended" | "deleted";
  emailVerified: boolean;
  /** The id of the administrator who entered the address. Null or absent: the user entered it. */
  emailNamedBy?: string | null;
  openaiApiKey: string | null;
  aiFeaturesEnabled: boolean;
  lastLoginAt: string | null;
  passwordChangedAt: string | null;
  /** The user's teams, kept with `team_members`, so that a request needs no second query for them. */
  teamIds: string[];
  /** Raised by a password, role or status change: each older session and token check fails at once. */
  sessionVersion: number;
  /** Permissions beyond the role (`docs/spec/permissions.md`). Each request compares their expiry. */
  permissions: UserPermission[];
  /** The time when the next permission expires. Open browsers get an event then. */
  rightsEndAt?: string | null;
  /** Kinds of notifications, and whether each is also sent by email. A missing kind is sent. */
  mailChoices: Record<string, boolean>;
}

/** `_id` is the SHA-256 of the cookie's value: the database never holds credentials. */
export interface SessionDocument extends BaseDocument {
  userId: string;
  companyId: string;
  sessionVersion: number;
  createdAt: string;
  /** The newest proof of identity of each method. */
  proofs: Proof[];
  /** The factors that the sign-in still asks for. The session gives access once the list is empty. */
  missing?: ProofMethod[];
  lastSeenAt: string;
  expiresAt: string;
  userAgent: string | null;
}

export interface TokenDocument extends Tenant {
  userId: string;
  name: string;
  hash: string;
  /** First and last characters, to recognise a token by. */
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

/** `_id` is the SHA-256 of the token in the reset link. */
export interface PasswordResetDocument extends BaseDocument {
  userId: string;
  /**
   * The address that got the link. The link works while the user has this address. Null if an administrator handed it
   * over.
   */
  mailedTo: string | null;
  companyId: string;
  expiresAt: string;
  usedAt: string | null;
  createdAt: string;
}

/** `_id` is the SHA-256 of the token in the emailed link. The link confirms this address while the user has it. */
export interface EmailConfirmationDocument extends BaseDocument {
  userId: string;
  companyId: string;
  email: string;
  expiresAt: string;
  createdAt: string;
}

/** `_id` is the SHA-256 of the invitation link's token. */
export interface InvitationDocument extends Tenant {
  /** Identifies the invitation in the list. */
  key: string;
  role: Role;
  email: string | null;
  /**
   * SHA-256 of the emailed link's second secret, beside the token. Its use proves the address. Absent if no email was
   * sent.
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

/** A browser that has signed this user in before. `_id` is the SHA-256 of its cookie. */
export interface KnownDeviceDocument extends BaseDocument {
  userId: string;
  lastUsedAt: string;
  expiresAt: string;
}
