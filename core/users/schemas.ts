import { z } from "zod";
import { Done, IdParams, page } from "../contract/parts.ts";
import { schemaGroup } from "../contract/schema.ts";
import {
  AdminUserQuery,
  CompanyUserQuery,
  PasswordResetSent,
  User,
  UserCreate,
  UserCreated,
  UserUpdate,
} from "./schema.ts";

export const Person = z.object({ id: z.string(), name: z.string() }).meta({ id: "Person" });

export const userSchemas = schemaGroup({
  list: { summary: "Active people of the company: id and name", output: z.array(Person) },
});

/** The same calls for one company and for all; only the companies they reach differ. */
const changes = {
  create: {
    summary: "Add a user to a company; without a password a link to choose one is sent",
    body: UserCreate,
    output: UserCreated,
  },
  update: {
    summary: "Change a user; another role, status or password ends all of the user's sessions and tokens",
    params: IdParams,
    body: UserUpdate,
    output: User,
  },
  remove: {
    summary: "Set a user to deleted: access ends at once, the printed name stays on what was signed",
    params: IdParams,
    output: Done,
  },
  resetPassword: {
    summary: "Send a one-use link, valid 1 hour; for a user without email the link is answered once",
    params: IdParams,
    output: PasswordResetSent,
  },
} as const;

export const adminUserSchemas = schemaGroup({
  list: { summary: "People of all companies, or of one, by name", query: AdminUserQuery, output: page(User) },
  ...changes,
});
export const companyUserSchemas = schemaGroup({
  list: { summary: "People of the own company by name", query: CompanyUserQuery, output: page(User) },
  ...changes,
});
