/** The audit log: queries and answers. */
import { z } from "zod";
import { dayOrMomentSchema, Paging } from "../contract/parts.ts";
import { sentences } from "../language/catalog.ts";

const refusals = sentences("core.audit.schema", {
  when: "Give a day (2026-01-31) or a moment (2026-01-31T08:00:00Z)",
});

export const AuditRow = z
  .object({
    id: z.string(),
    /** The entry's position in the hash chain; null for about a second until it gets one. */
    seq: z.int().nullable(),
    hash: z.string().nullable(),
    action: z.string(),
    entityType: z.string(),
    entityId: z.string().nullable(),
    /**
     * The record's current name, or else the name in the entry. The name of an SOP is only given if the user can read
     * the SOP.
     */
    entityName: z.string().nullable(),
    userId: z.string().nullable(),
    userName: z.string().nullable(),
    /** Changed fields as `{field: {from, to}}`, or other facts about the action. */
    changes: z.record(z.string(), z.unknown()).nullable(),
    ipAddress: z.string().nullable(),
    userAgent: z.string().nullable(),
    requestId: z.string().nullable(),
    createdAt: z.string(),
  })
  .meta({ id: "AuditRow" });
export type AuditRow = z.output<typeof AuditRow>;

/** A day (UTC) or a moment. */
const When = dayOrMomentSchema(refusals.when);
const Word = z.string().min(1).max(100);

const filters = {
  action: Word.optional(),
  entityType: Word.optional(),
  entityId: Word.optional(),
  userId: Word.optional(),
  from: When.optional(),
  /** The end of the range, included; a day counts to its end. */
  to: When.optional(),
  search: z.string().max(200).optional(),
};

const { limit, cursor } = Paging;

export const AuditQuery = z.strictObject({ ...filters, limit, cursor });
export type AuditQuery = z.output<typeof AuditQuery>;
export const AuditAdminQuery = z.strictObject({ companyId: Word, ...filters, limit, cursor });

const format = z.enum(["csv", "ndjson"]).default("csv");
export const AuditExportQuery = z.strictObject({ format, ...filters });
export type AuditExportQuery = z.output<typeof AuditExportQuery>;
export const AuditAdminExportQuery = z.strictObject({ companyId: Word, format, ...filters });

export const AuditState = z
  .object({
    /** The number of rows in the hash chain. `waiting` counts rows that have no position in it yet. */
    seq: z.int(),
    waiting: z.int(),
    checkpoint: z.object({ seq: z.int(), head: z.string(), at: z.string(), kid: z.string() }).nullable(),
    key: z.object({ kid: z.string(), publicKeyPem: z.string() }),
    verification: z
      .object({
        at: z.string(),
        ok: z.boolean(),
        rows: z.int(),
        anchoredTo: z.int(),
        findings: z.array(z.object({ verdict: z.string(), seq: z.int().nullable(), message: z.string() })),
      })
      .nullable(),
  })
  .meta({ id: "AuditState" });
