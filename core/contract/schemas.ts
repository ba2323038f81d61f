/** The zod half of the table; loaded by the server, by forms and by tests, never by a list in the browser. */
import { authSchemas } from "../accounts/schemas.ts";
import { assetSchemas } from "../assets/schemas.ts";
import { categorySchemas } from "../categories/schemas.ts";
import { eventSchemas } from "../events/schemas.ts";
import { repositorySchemas } from "../repository/schemas.ts";
import { settingsSchemas } from "../settings/schemas.ts";
import { sopSchemas } from "../sops/schemas.ts";
import { statsSchemas } from "../stats/schemas.ts";
import { templateSchemas } from "../templates/schemas.ts";
import { tokenSchemas } from "../tokens/schemas.ts";
import { userSchemas } from "../users/schemas.ts";
import type { Routes } from "./routes.ts";
import type { SchemaTable } from "./schema.ts";

export const schemas = {
  auth: authSchemas,
  tokens: tokenSchemas,
  sops: sopSchemas,
  categories: categorySchemas,
  assets: assetSchemas,
  users: userSchemas,
  stats: statsSchemas,
  templates: templateSchemas,
  repository: repositorySchemas,
  events: eventSchemas,
  settings: settingsSchemas,
} as const satisfies SchemaTable<Routes>;

export type Schemas = typeof schemas;
