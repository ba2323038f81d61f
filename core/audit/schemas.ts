import { page } from "../contract/parts.ts";
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
    summary: "What happened in the company, newest first; managers see the SOPs of their teams",
    query: AuditQuery,
    output: page(AuditRow),
  },
  state: {
    summary: "How far the log is chained and signed, by which key, and what its last verification said",
    output: AuditState,
  },
  export: {
    summary: "The log as CSV, or as NDJSON with the proof that `sop verify` checks",
    query: AuditExportQuery,
    output: null,
  },
  adminList: {
    summary: "What happened in any company; asking leaves a row in its log",
    query: AuditAdminQuery,
    output: page(AuditRow),
  },
  adminExport: {
    summary: "Any company's log as a file; asking leaves a row in its log",
    query: AuditAdminExportQuery,
    output: null,
  },
});
