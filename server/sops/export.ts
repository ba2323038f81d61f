import type { ExportQuery } from "#core/sops/schema.ts";
import type { z } from "zod";
import { AppError } from "#core/errors.ts";
import { sopFileName } from "#core/repository/names.ts";
import { recordAudit } from "../audit/record.ts";
import type { SopDocument } from "../database/documents.ts";
import type { Call, Identity } from "../http/call.ts";
import type { Services } from "../http/services.ts";
import { controlOf } from "./control.ts";
import { presentSop, versionSeen, type View } from "./present.ts";
import { versionFile } from "../repository/version-file.ts";

type ExportCall = { identity: Identity; query: z.output<typeof ExportQuery> } & Pick<Call, "ctx" | "origin">;

/** One SOP as a file. Markdown is byte for byte what the repository holds, so its hash can be compared. */
export async function exportSop(services: Services, call: ExportCall, sop: SopDocument, view: View): Promise<void> {
  const { ctx, query } = call;
  const version = query.version ?? versionSeen(sop, view);
  if (view === "effective" && version !== versionSeen(sop, view)) throw new AppError("not_found");
  const stored = await services.db
    .forCompany(sop.companyId)
    .collection("sop_versions")
    .findOne({ sopId: sop._id, version });
  if (!stored) throw new AppError("not_found");
  await recordAudit(services.db, {
    companyId: sop.companyId,
    userId: call.identity.user._id,
    userName: call.identity.user.name,
    action: "sop.export",
    entityType: "sop",
    entityId: sop._id,
    changes: { format: query.format, version },
    at: services.clock.now(),
    origin: call.origin,
  });
  const name = sopFileName(sop).replace(/\.md$/, `.${query.format}`);
  ctx.attachment(name);
  ctx.set("X-Content-SHA256", stored.contentHash);
  if (query.format === "md") {
    ctx.type = "text/markdown; charset=utf-8";
    ctx.body = Buffer.from(versionFile(stored));
    return;
  }
  // whose star it has is nothing for a file that goes from hand to hand
  const { favorite: _favorite, ...shown } = await presentSop(services, call.identity.actor, sop, view, stored.markdown);
  ctx.type = "application/json";
  ctx.body = {
    ...shown,
    version,
    title: stored.title,
    description: stored.description,
    contentHash: stored.contentHash,
    frontMatter: stored.frontMatter,
    control: await controlOf(services, sop, view, stored, shown.control.owner?.name ?? null),
  };
}
