import { z } from "zod";
import { Done, IdParams, pageSchemaOf } from "../contract/parts.ts";
import { schemaGroup } from "../contract/schema.ts";
import {
  AdminUserQuery,
  CompanyUserQuery,
  PasswordResetSent,
  User,
  UserChanged,
  UserCreate,
  UserCreated,
  UserUpdate,
} from "./schema.ts";

const Person = z.object({ id: z.string(), name: z.string(), username: z.string() }).meta({ id: "Person" });

export const userSchemas = schemaGroup({
  list: { summary: "List active users of the company: id, name and username", output: z.array(Person) },
});

/** The calls that change users. Administrators of one company and of all companies have the same calls. */
const changes = {
  create: {
    summary: "Add a user to a company; without a password a link to choose one is sent",
    body: UserCreate,
    output: UserCreated,
  },
  update: {
    summary:
      "Update a user; a new role, status or password ends all sessions and tokens of the user. Role, password and email need a session and a recent proof of your password",
    params: IdParams,
    body: UserUpdate,
    output: UserChanged,
  },
  remove: {
    summary: "Delete a user: access ends now, the name stays on signatures",
    params: IdParams,
    output: Done,
  },
  resetPassword: {
    summary: "Send a one-time link, valid for 1 hour; for a user without email the answer has the link, once",
    params: IdParams,
    output: PasswordResetSent,
  },
} as const;

export const adminUserSchemas = schemaGroup({
  list: {
    summary: "List users of all companies or of one, by name",
    query: AdminUserQuery,
    output: pageSchemaOf(User),
  },
  ...changes,
});
export const companyUserSchemas = schemaGroup({
  list: { summary: "List users of your company by name", query: CompanyUserQuery, output: pageSchemaOf(User) },
  ...changes,
});
