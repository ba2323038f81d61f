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

export const userSchemas = schemaGroup({ list: { output: z.array(Person) } });

const changes = {
  create: { body: UserCreate, output: UserCreated },
  update: { params: IdParams, body: UserUpdate, output: User },
  remove: { params: IdParams, output: Done },
  resetPassword: { params: IdParams, output: PasswordResetSent },
} as const;

export const adminUserSchemas = schemaGroup({ list: { query: AdminUserQuery, output: page(User) }, ...changes });
export const companyUserSchemas = schemaGroup({ list: { query: CompanyUserQuery, output: page(User) }, ...changes });
