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
  list: {
    summary: "SOPs the asker may see, newest change first; with `recent`, what he opened or changed, last first",
    query: SopQuery,
    output: SopPage,
  },
  create: { summary: "Create an SOP: version 1, a draft unless published directly", body: SopCreate, output: Sop },
  import: {
    summary: "Import up to 50 Markdown documents as drafts, in one transaction and one commit",
    body: ImportRequest,
    output: ImportAnswer,
  },
  convertFile: {
    summary:
      "A Markdown, Word, HTML or zip file (raw bytes) as documents for the import; with `store` its pictures are stored",
    query: ConvertQuery,
    output: ConvertedFile,
  },
  preview: { summary: "A text as its readers would see it; nothing is stored", body: PreviewAsk, output: Preview },
  check: { summary: "What the rules find in a text; nothing is stored", body: CheckAsk, output: CheckedText },
  get: {
    summary:
      "One SOP: the head, or the version in force; with `at`, what was in force then (a day means its end in UTC)",
    params: IdParams,
    query: AtQuery,
    output: Sop,
  },
  update: {
    summary: "Save: a new version when the text changed; If-Match makes a stale save 412",
    params: IdParams,
    body: SopUpdate,
    output: Sop,
  },
  remove: { summary: "Delete softly: restorable for 30 days", params: IdParams, output: Done },
  undelete: { summary: "Bring back a deleted SOP", params: IdParams, output: Sop },
  versions: { summary: "Versions, newest first", params: IdParams, output: z.array(SopVersionRow) },
  version: { summary: "One version with its text", params: VersionParams, output: SopVersion },
  diff: {
    summary: "What differs between two versions: facts, rendered blocks, Markdown lines",
    params: IdParams,
    query: DiffQuery,
    output: SopDiff,
  },
  inForce: {
    summary: "From when to when each version was in force, newest first",
    params: IdParams,
    output: z.array(ForcePeriod),
  },
  restore: { summary: "A new version with that version's text", params: VersionParams, body: ChangeNote, output: Sop },
  publish: {
    summary: "Put the head in force directly, where the company's document control allows it",
    params: IdParams,
    body: ChangeNote,
    output: Sop,
  },
  unpublish: {
    summary: "End force: readers lose the SOP, the head is a draft",
    params: IdParams,
    body: ChangeNote,
    output: Sop,
  },
  ...sopApprovalSchemas,
  archive: { summary: "Take an SOP out of use", params: IdParams, body: ChangeNote, output: Sop },
  unarchive: { summary: "An archived SOP becomes a draft again", params: IdParams, body: ChangeNote, output: Sop },
  export: {
    summary:
      "The SOP as a file: md (the exact bytes git holds), json, html (one file), pdf or docx; what could not be shown is told in X-Export-Warnings",
    params: IdParams,
    query: ExportQuery,
    output: null,
  },
  permissions: { summary: "Who may do what with this SOP beyond the roles", params: IdParams, output: SopAccess },
  grant: {
    summary: "Share with a user or a team; the same one again changes the level",
    params: IdParams,
    body: GrantAsk,
    output: SopAccess,
  },
  revoke: { summary: "Take a share back", params: PermissionParams, output: SopAccess },
  restrict: {
    summary: "Readable by its owner, company administrators and by grant only; or for everybody again",
    params: IdParams,
    body: RestrictAsk,
    output: SopAccess,
  },
  ...markSchemas,
  ...reviewSchemas,
});
