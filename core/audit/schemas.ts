import { pageSchemaOf } from "../contract/parts.ts";
import { schemaGroup } from "../contract/schema.ts";
import {
  AuditAdminExportQuery,
  AuditAdminQuery,
  AuditExportQuery,
  AuditQuery,
  AuditRow,
  AuditState,
} from "./schema.ts";

export const auditSchemas = schemaGroup({
  list: {
    summary: "List the audit log, newest first; managers see the SOPs of their teams",
    query: AuditQuery,
    output: pageSchemaOf(AuditRow),
  },
  state: {
    summary: "Get the state of the audit log: chain, signatures, keys and last verification",
    output: AuditState,
  },
  export: {
    summary: "Export the audit log as CSV, or as NDJSON with the proof that `sop verify` checks",
    query: AuditExportQuery,
    output: null,
  },
  adminList: {
    summary: "List any company's audit log; this adds an entry to it",
    query: AuditAdminQuery,
    output: pageSchemaOf(AuditRow),
  },
  adminExport: {
    summary: "Export any company's audit log; this adds an entry to it",
    query: AuditAdminExportQuery,
    output: null,
  },
});
