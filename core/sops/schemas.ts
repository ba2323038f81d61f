import { z } from "zod";
import { sopApprovalSchemas } from "../approvals/schemas.ts";
import { Done, IdParams } from "../contract/parts.ts";
import { schemaGroup } from "../contract/schema.ts";
import { AtQuery, DiffQuery, ForcePeriod, SopDiff } from "../diff/schema.ts";
import { GrantAsk, PermissionParams, RestrictAsk, SopAccess } from "../permissions/schema.ts";
import { markSchemas } from "../marks/schemas.ts";
import { reviewSchemas } from "../reviews/schemas.ts";
import { ConvertQuery, ConvertedFile, ImportAnswer, ImportRequest } from "./import-schema.ts";
import {
  ChangeNote,
  CheckAsk,
  CheckedText,
  ExportQuery,
  Preview,
  PreviewAsk,
  Sop,
  SopCreate,
  SopPage,
  SopQuery,
  SopUpdate,
  SopVersion,
  SopVersionRow,
} from "./schema.ts";

const VersionParams = z.strictObject({ id: z.string().min(1).max(100), version: z.coerce.number().int().min(1) });

export const sopSchemas = schemaGroup({
  list: { query: SopQuery, output: SopPage },
  create: { body: SopCreate, output: Sop },
  import: { body: ImportRequest, output: ImportAnswer },
  convertFile: { query: ConvertQuery, output: ConvertedFile },
  preview: { body: PreviewAsk, output: Preview },
  check: { body: CheckAsk, output: CheckedText },
  get: { params: IdParams, query: AtQuery, output: Sop },
  update: { params: IdParams, body: SopUpdate, output: Sop },
  remove: { params: IdParams, output: Done },
  undelete: { params: IdParams, output: Sop },
  versions: { params: IdParams, output: z.array(SopVersionRow) },
  version: { params: VersionParams, output: SopVersion },
  diff: { params: IdParams, query: DiffQuery, output: SopDiff },
  inForce: { params: IdParams, output: z.array(ForcePeriod) },
  restore: { params: VersionParams, body: ChangeNote, output: Sop },
  publish: { params: IdParams, body: ChangeNote, output: Sop },
  unpublish: { params: IdParams, body: ChangeNote, output: Sop },
  ...sopApprovalSchemas,
  archive: { params: IdParams, body: ChangeNote, output: Sop },
  unarchive: { params: IdParams, body: ChangeNote, output: Sop },
  export: { params: IdParams, query: ExportQuery, output: null },
  permissions: { params: IdParams, output: SopAccess },
  grant: { params: IdParams, body: GrantAsk, output: SopAccess },
  revoke: { params: PermissionParams, output: SopAccess },
  restrict: { params: IdParams, body: RestrictAsk, output: SopAccess },
  ...markSchemas,
  ...reviewSchemas,
});
