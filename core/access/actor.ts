import type { Role } from "./roles.ts";

/** Who asks: what every decision needs to know of the signed-in user. */
export interface Actor {
  userId: string;
  companyId: string;
  role: Role;
  teamIds: readonly string[];
}

/** What decisions need to know of an SOP. */
export interface SopFacts {
  companyId: string;
  authorId: string;
  ownerId: string | null;
  teamId: string | null;
  status: string;
  restricted: boolean;
  deletedAt: string | null;
  publishedVersion: number | null;
  version: number;
}
