import { z } from "zod";
import { Done, IdParams } from "../contract/parts.ts";
import { schemaGroup } from "../contract/schema.ts";
import { DiffQuery, PublishedPeriod, SopDiff, SopGetQuery } from "../diff/schema.ts";
import { GrantAsk, PermissionParams, RestrictAsk, SopAccess } from "../permissions/schema.ts";
import { PublishAsk } from "./publication.ts";
import { ConvertQuery, ConvertedFile, ImportAnswer, ImportRequest } from "./import-schema.ts";
import {
  ExportQuery,
  ChangeNote,
  CheckAsk,
  CheckedText,
  Preview,
  PreviewAsk,
  SavedSop,
  Sop,
  SopCreate,
  SopLinksAnswer,
  SopUpdate,
  SopVersion,
  SopVersionRow,
} from "./schema.ts";
import { SopPage, SopQuery } from "./list-schema.ts";

const VersionParams = z.strictObject({ id: z.string().min(1).max(100), version: z.coerce.number().int().min(1) });

export const sopSchemas = schemaGroup({
  list: {
    summary:
      "List the SOPs that you can see, newest change first; `recent` lists those you opened or changed. `view=published` lists what readers have",
    query: SopQuery,
    output: SopPage,
  },
  create: { summary: "Create an SOP: version 1, a draft unless published directly", body: SopCreate, output: SavedSop },
  import: {
    summary: "Import up to 50 Markdown documents as drafts, in one transaction and one commit",
    body: ImportRequest,
    output: ImportAnswer,
  },
  convertFile: {
    summary:
      "Convert a Markdown, Word, HTML or zip file (raw bytes) to documents for the import; `store` also stores its images",
    query: ConvertQuery,
    output: ConvertedFile,
  },
  preview: { summary: "Preview a text as readers see it; nothing is stored", body: PreviewAsk, output: Preview },
  check: { summary: "Check a text and list its issues; nothing is stored", body: CheckAsk, output: CheckedText },
  get: {
    summary:
      "Get an SOP: the latest or the published version. `at` gets the version published then (a day means its end in UTC)",
    params: IdParams,
    query: SopGetQuery,
    output: Sop,
  },
  update: {
    summary: "Save an SOP: creates a new version if the text changed; with If-Match, a stale save gets 412",
    params: IdParams,
    body: SopUpdate,
    output: SavedSop,
  },
  remove: { summary: "Delete softly: restorable for 30 days", params: IdParams, output: Done },
  undelete: { summary: "Restore a deleted SOP", params: IdParams, output: Sop },
  links: {
    summary: "List the SOPs that link to an SOP, as far as you can see them",
    params: IdParams,
    output: SopLinksAnswer,
  },
  versions: { summary: "List versions, newest first", params: IdParams, output: z.array(SopVersionRow) },
  version: { summary: "Get a version with its text", params: VersionParams, output: SopVersion },
  diff: {
    summary: "Compare two versions: details, rendered blocks and Markdown lines",
    params: IdParams,
    query: DiffQuery,
    output: SopDiff,
  },
  publishedPeriods: {
    summary: "List the periods in which versions were published, newest first",
    params: IdParams,
    output: z.array(PublishedPeriod),
  },
  restore: {
    summary: "Restore a version: creates a new version with its text",
    params: VersionParams,
    body: ChangeNote,
    output: Sop,
  },
  publish: {
    summary: "Publish the latest version without approval, if the company allows it",
    params: IdParams,
    body: PublishAsk,
    output: Sop,
  },
  unpublish: {
    summary: "Unpublish: readers lose the SOP, it's a draft again",
    params: IdParams,
    body: ChangeNote,
    output: Sop,
  },
  archive: { summary: "Archive an SOP", params: IdParams, body: ChangeNote, output: Sop },
  unarchive: { summary: "Unarchive an SOP: it becomes a draft", params: IdParams, body: ChangeNote, output: Sop },
  export: {
    summary:
      "Export an SOP as md (the exact bytes in git), json, html (one file), pdf or docx. `view=published` takes the readers' version. X-Export-Warnings lists what the file can't show",
    params: IdParams,
    query: ExportQuery,
    output: null,
  },
  permissions: { summary: "List the access to this SOP beyond the roles", params: IdParams, output: SopAccess },
  grant: {
    summary: "Share an SOP with a user or a team, or change their access",
    params: IdParams,
    body: GrantAsk,
    output: SopAccess,
  },
  revoke: { summary: "Remove the access of a user or team", params: PermissionParams, output: SopAccess },
  restrict: {
    summary: "Restrict an SOP to its owner, company administrators and shares, or open it again",
    params: IdParams,
    body: RestrictAsk,
    output: SopAccess,
  },
});
