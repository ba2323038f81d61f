/** Companies, people, and their credentials. */
import type { UserPermission } from "#core/permissions/actor.ts";
import type { Proof, ProofMethod } from "#core/sign-in/proofs.ts";
import type { Role } from "#core/permissions/roles.ts";
import type { CompanySettings } from "#core/companies/settings.ts";
import type { TokenScope } from "#core/tokens/scopes.ts";
import type { BaseDocument } from "../port.ts";
import type { Tenant, Dated, Found } from "./parts.ts";

export interface CompanyDocument extends BaseDocument, Dated, Found {
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
  /** Places taken, kept by conditional updates so that quotas hold under concurrency. */
  userCount: number;
  sopCount: number;
  /** Bytes of images and PDFs it may store; null: as many as the server gives (`COMPANY_BYTES`). */
  maxBytes: number | null;
  /** Bytes of images and PDFs it stores, kept like the places above. */
  assetBytes: number;
}

export interface UserDocument extends Tenant, Dated, Found {
  username: string;
  email: string | null;
  /** The hash; null: the user signs in another way. */
  password: string | null;
  name: string;
  /** Of all names until now (`core/users/looks.ts`). */
  looks: string[];
  role: Role;
  initials: string;
  department: string | null;
  title: string | null;
  phone: string | null;
  avatar: string | null;
  status: "active" | "suspended" | "deleted";
  emailVerified: boolean;
  /** The id of another user who named the address: an administrator. Null or absent: the user did. */
  emailNamedBy?: string | null;
  openaiApiKey: string | null;
  aiFeaturesEnabled: boolean;
  lastLoginAt: string | null;
  passwordChangedAt: string | null;
  /** Kept with `team_members`, so that a request needs no second query to know its teams. */
  teamIds: string[];
  /** Raised by a password, role or status change: every older session and token check fails at once. */
  sessionVersion: number;
  /** Allowed or denied beyond the role (`docs/spec/permissions.md`); the expiry is compared with each request. */
  permissions: UserPermission[];
  /** When the next of them expires. Open browsers then get an event. */
  rightsEndAt?: string | null;
  /** Kinds of notifications that also go out by email. A missing kind does. */
  mailChoices: Record<string, boolean>;
}

/** `_id` is the SHA-256 of the cookie's value: the database never holds credentials. */
export interface SessionDocument extends BaseDocument {
  userId: string;
  companyId: string;
  sessionVersion: number;
  createdAt: string;
  /** How the user proved who they are, the newest of each method. */
  proofs: Proof[];
  /** The factors that the sign-in still asks for. The session signs its user in once there are none. */
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

export interface TeamDocument extends Tenant, Dated {
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

/** `_id` is the SHA-256 of the token that the mailed link holds. */
export interface PasswordResetDocument extends BaseDocument {
  userId: string;
  /** The address it was mailed to: it works while that is the user's. Null when it was handed over. */
  mailedTo: string | null;
  companyId: string;
  expiresAt: string;
  usedAt: string | null;
  createdAt: string;
}

/** `_id` is the SHA-256 of the token in the emailed link. It confirms this address, while it is the user's. */
export interface EmailConfirmationDocument extends BaseDocument {
  userId: string;
  companyId: string;
  email: string;
  expiresAt: string;
  createdAt: string;
}

/** `_id` is the SHA-256 of the invitation link's token. */
export interface InvitationDocument extends Tenant {
  /** Identifies it in the list. */
  key: string;
  role: Role;
  email: string | null;
  /**
   * SHA-256 of the emailed link's second secret, beside the token. Its use proves the address. Absent without an email.
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
