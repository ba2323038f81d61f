/** Creates users and companies for tests, as the API returns them to administrators. */
import type { Company } from "#core/companies/schema.ts";
import { defaultSettings } from "#core/companies/settings.ts";
import type { User } from "#core/users/schema.ts";
import { companyId } from "./records.ts";

let made = 0;

export function aListedUser(change: Partial<User> = {}): User {
  made += 1;
  return {
    id: `01980000-0000-7000-9000-${String(made).padStart(12, "0")}`,
    companyId,
    company: { name: "Acme" },
    username: `user${made}`,
    email: null,
    name: `User ${made}`,
    role: "viewer",
    initials: "US",
    department: null,
    title: null,
    phone: null,
    avatar: null,
    status: "active",
    emailVerified: false,
    aiFeaturesEnabled: true,
    teamIds: [],
    lastLoginAt: null,
    passwordChangedAt: null,
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
    ...change,
  };
}

export function aCompany(change: Partial<Company> = {}): Company {
  return {
    id: companyId,
    name: "Acme",
    slug: "acme",
    description: null,
    logo: null,
    website: null,
    industry: null,
    size: null,
    status: "active",
    settings: { ...defaultSettings, roleOverrides: {} },
    subscription: "free",
    maxUsers: 10,
    maxSOPs: 100,
    userCount: 3,
    maxBytes: 2 ** 31,
    assetBytes: 0,
    sopCount: 12,
    createdAt: "2026-01-05T12:00:00.000Z",
    updatedAt: "2026-01-05T12:00:00.000Z",
    ...change,
  };
}
