import type { Readable } from "node:stream";
import type { z } from "zod";
import { mayReadVersion } from "#core/permissions/can.ts";
import { AppError } from "#core/errors.ts";
import { catalog } from "#core/language/catalog.ts";
import type { MissingCharacters } from "#core/export/fonts.ts";
import { exportDocumentOfSop, markdownFileEnding, versionStateOf, type ExportedSop } from "#core/export/of-sop.ts";
import { withServerAddress } from "#core/markdown/live-titles.ts";
import { versionProof, type VersionProof } from "#core/repository/prove-file.ts";
import { sopFileName, versionTag } from "#core/repository/names.ts";
import type { ExportQuery } from "#core/sops/schema.ts";
import { SopRow } from "#core/sops/schema.ts";
import { backdatedText } from "#core/export/effective-text.ts";
import { printedName } from "#core/users/printed-name.ts";
import { recordAudit } from "../../audit/record.ts";
import type { SopDocument, SopVersionDocument } from "../../database/documents.ts";
import { createHtmlPage } from "../../export/html-page.ts";
import { findStoredImages, readImagesForPrinter } from "../../export/stored-images.ts";
import type { Call, Identity } from "../../http/call.ts";
import { abortOnDisconnect } from "../../http/disconnect.ts";
import type { Services } from "../../http/services.ts";
import { loadDocumentControl, loadEffectiveDate } from "./document-control.ts";
import { presentSop, versionNumberInView } from "./present.ts";
import { loadVersionText } from "./version-text.ts";
import type { View } from "../list/visible.ts";
import { sha256 } from "../../hashing.ts";
import { versionFileBytes } from "../../repository/version-file.ts";
import { refusals } from "./refusals.ts";

type ExportCall = { identity: Identity; query: z.output<typeof ExportQuery> } & Pick<Call, "ctx" | "origin">;

/**
 * Exports an SOP as a file. Markdown has the same bytes as the file in the repository, so that its hash can be
 * compared.
 */
export async function exportSop(services: Services, call: ExportCall, sop: SopDocument, view: View): Promise<void> {
  const { ctx, query } = call;
  const version = query.version ?? versionNumberInView(sop, view);
  if (!mayReadVersion(call.identity.actor, sop, version)) throw new AppError("not_found");
  const stored = await loadVersionText(services, sop, version);
  const file = await createExportFile(services, call, { sop, view, stored });
  await recordAudit(services.db, {
    companyId: sop.companyId,
    userId: call.identity.user._id,
    userName: printedName(call.identity.user),
    action: "sop.export",
    entityType: "sop",
    entityId: sop._id,
    changes: { format: query.format, version, ...(Buffer.isBuffer(file.body) && { sha256: sha256(file.body) }) },
    at: services.clock.now(),
    origin: call.origin,
  });
  const ending = query.format === "md" ? markdownFileEnding(versionStateOf(version, sop)) : `.${query.format}`;
  ctx.attachment(sopFileName(sop).replace(/\.md$/, ending));
  ctx.set("X-Content-SHA256", stored.contentHash);
  if (file.warnings.length > 0) ctx.set("X-Export-Warnings", encodeURIComponent(JSON.stringify(file.warnings)));
  ctx.type = types[query.format];
  ctx.body = file.body;
  if (file.length !== undefined) ctx.length = file.length;
}

const types: Record<z.output<typeof ExportQuery>["format"], string> = {
  md: "text/markdown; charset=utf-8",
  json: "application/json",
  html: "text/html; charset=utf-8",
  pdf: "application/pdf",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
};

const warningsAtMost = 20;

interface ExportedVersion {
  sop: SopDocument;
  view: View;
  stored: SopVersionDocument;
}

interface ExportFile {
  body: Buffer | string | object | Readable;
  /** The size of a streamed body in bytes. */
  length?: number;
  /**
   * Warnings about parts that this format can't show exactly. There are only a few, because they are sent in a header.
   */
  warnings: string[];
}

async function createExportFile(services: Services, call: ExportCall, shown: ExportedVersion): Promise<ExportFile> {
  const { format, standard } = call.query;
  if (format === "md")
    return { body: Buffer.from(versionFileBytes(shown.stored)), warnings: await loadExportWarnings(services, shown) };
  const exported = await loadExportedSop(services, call, shown);
  if (format === "json") return { body: exported, warnings: [] };
  const { publicUrl } = services.config;
  const address = publicUrl === null ? null : `${publicUrl}/sop/${exported.number}`;
  const proof = format === "pdf" ? await loadVersionProof(services, exported, shown.stored) : null;
  const document = { ...exportDocumentOfSop(exported), address, proof };
  const html = withServerAddress(exported.content, services.address.url);
  if (format === "html") {
    const page = await createHtmlPage(services, call.ctx, { document, html, version: shown.stored });
    return { ...page, warnings: page.warnings.slice(0, warningsAtMost) };
  }
  const left = abortOnDisconnect(call.ctx);
  const loadImages = async () => {
    if (left.aborted) throw new AppError("busy", refusals.clientLeft());
    return readImagesForPrinter(await findStoredImages(services, shown.stored));
  };
  const printed = await services.printer
    .print({ format, document, html, standard: standard ?? null }, loadImages)
    .catch((error: unknown) => Promise.reject(explainExportError(services, error)));
  return { body: Buffer.from(printed.bytes), warnings: printed.warnings.slice(0, warningsAtMost) };
}

const warnings = catalog("server.export.warnings", {
  effective: "The effective date is {shown}",
  otherDay: "The text says effective {written}, but it is {day}",
  noDay: "The text says effective {written}, but it was published without a date",
});

/** Returns warnings about a Markdown file. They can't be in the file, which has the same bytes as in git. */
async function loadExportWarnings(services: Services, { sop, stored }: ExportedVersion): Promise<string[]> {
  const { day, isBackdated } = await loadEffectiveDate(services, sop, stored);
  if (isBackdated && day !== null) return [warnings.effective({ shown: backdatedText(day) })];
  const written = stored.frontMatter.effective ?? null;
  if (written === null || day === written) return [];
  return [day === null ? warnings.noDay({ written }) : warnings.otherDay({ written, day })];
}

/** Returns the proof that the version is in the company's repository; null until the version is committed. */
async function loadVersionProof(
  { db, repositories }: Services,
  { number }: ExportedSop,
  stored: SopVersionDocument,
): Promise<VersionProof | null> {
  const { companyId, repoSeq, version } = stored;
  const event = await db.forCompany(companyId).collection("repo_events").findOne({ seq: repoSeq });
  const tag = versionTag(number, version);
  const commit = await repositories.commit(companyId, { tag, oid: event?.oids.history ?? null });
  return commit && versionProof({ tag, content: versionFileBytes(stored) }, commit);
}

/**
 * Returns an error that explains a missing font: it tells readers whom to ask. Logs the command that adds the font.
 * Other errors are returned unchanged.
 */
function explainExportError({ config, log }: Services, error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== "font_missing") return error;
  const { fonts } = error.details as MissingCharacters;
  const add = `sop fonts add ${fonts.join(" ")}`;
  if (fonts.length > 0) log.warn({ run: `${add} --fonts ${config.fontsDir}` }, "fonts for a PDF are missing");
  const message = error.sentence;
  const said = fonts.length > 0 ? refusals.addFonts({ message, command: add }) : refusals.otherCharacters({ message });
  return new AppError("font_missing", said, error.details);
}

async function loadExportedSop(
  services: Services,
  call: ExportCall,
  { sop, view, stored }: ExportedVersion,
): Promise<ExportedSop> {
  const presented = await presentSop(services, call.identity.actor, sop, view, {
    markdown: stored.markdown,
    sopLinks: stored.sopLinks ?? [],
  });
  // fields about the exporting user are left out, because other people get the file
  const {
    favorite: _favorite,
    grants: _grants,
    approvers: _approvers,
    waitsForMe: _waitsForMe,
    ...shown
    // the fields are sorted as in the API contract, because an export is sent without further checks
  } = { ...SopRow.parse(presented), ...presented };
  const { version } = stored;
  const state = versionStateOf(version, sop);
  const owner = (await loadOwnerOfVersion(services, stored)) ?? shown.control.owner;
  return {
    ...shown,
    version,
    status: state,
    state,
    company: (await services.companies.get(sop.companyId))?.name ?? null,
    title: stored.title,
    description: stored.description,
    contentHash: stored.contentHash,
    frontMatter: stored.frontMatter,
    control: await loadDocumentControl(services, sop, view, stored, owner),
  };
}

/**
 * Loads the owner that the version's file names by username; null if it names none. An unknown username counts as the
 * name.
 */
async function loadOwnerOfVersion(
  { db }: Pick<Services, "db">,
  stored: SopVersionDocument,
): Promise<{ name: string; username?: string } | null> {
  const { owner } = stored.frontMatter;
  if (owner === undefined) return null;
  const users = db.forCompany(stored.companyId).collection("users");
  return (await users.findOne({ username: owner })) ?? { name: owner };
}
