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
  list: { query: AuditQuery, output: page(AuditRow) },
  state: { output: AuditState },
  export: { query: AuditExportQuery, output: null },
  adminList: { query: AuditAdminQuery, output: page(AuditRow) },
  adminExport: { query: AuditAdminExportQuery, output: null },
});
