/** Turns a request into a version's text: one canonical form for every client and input format. */
import { dayMessage, readDay } from "#core/days.ts";
import { AppError } from "#core/errors.ts";
import type { CanonicalBody } from "#core/import/markdown/canonical-body.ts";
import { limits } from "#core/limits.ts";
import { utf8Length } from "#core/markdown/limits.ts";
import type { FrontMatter } from "#core/markdown/front-matter.ts";
import type { SopLink } from "#core/markdown/sop-links.ts";
import { readMinutes } from "#core/markdown/read-time.ts";
import type { z } from "zod";
import type { ImportNote } from "#core/sops/import-schema.ts";
import type { CheckAsk, SopUpdate } from "#core/sops/schema.ts";
import type { SopDocument, UserDocument } from "../../database/documents.ts";
import type { Identity } from "../../http/call.ts";
import type { Services } from "../../http/services.ts";
import { linkText } from "../links/link-mentions.ts";
import { storedLinks } from "../links/link-sops.ts";
import { withTitlesSeen } from "../links/titles.ts";
import type { TextLinks } from "../links/text-links.ts";
import { withoutIdentity, type SopRelations, type SopText } from "./steps.ts";

/** The base of a save: the latest file, or nothing for a new SOP. */
export interface Base {
  text: SopText;
  relations: SopRelations;
  /** The stored links to other SOPs. */
  sopLinks?: readonly SopLink[];
  /** Its number, as people see it. */
  number: string;
}

/** The result of a save. */
export interface Composed {
  text: SopText;
  relations: SopRelations;
  links: TextLinks;
  /** How the text differs from what was sent. */
  notes: ImportNote[];
}

type Needs = Pick<Services, "db" | "render" | "companies" | "address">;

export async function composeText(
  services: Needs,
  { actor, user }: Pick<Identity, "actor" | "user">,
  body: SopUpdate,
  base: Base | null,
  aiDrafted?: true,
): Promise<Composed> {
  const title = body.title ?? base?.text.frontMatter.title ?? "";
  const shownTo = (html: string) => withTitlesSeen(services, actor, html, base?.sopLinks);
  const { markdown: written, notes } = await composeMarkdown(services.render, body, base, { title, shownTo });
  const { markdown, links: sops } = await linkText(services, actor, written, {
    texts: base ? [base.text.markdown] : [],
    links: base?.sopLinks ?? [],
    own: base?.number,
    // a screen that stays open sends what it shows, without the links that its save before made
    sawLinks: false,
  });
  const relations = await composeRelations(services.db, user, body, base);
  const before: FrontMatter = base ? withoutIdentity(base.text.frontMatter) : { template: false, ai_generated: false };
  const frontMatter: FrontMatter = {
    ...before,
    title: oneLine(title),
    description: oneLine(body.description ?? before.description ?? ""),
    template: body.isTemplate ?? before.template ?? false,
    // what AI wrote once stays marked
    ai_generated: aiDrafted ?? body.isAiGenerated ?? before.ai_generated ?? false,
    read_minutes: body.readTime ?? before.read_minutes ?? readMinutes(markdown),
  };
  setOrClear(frontMatter, "tags", body.tags === undefined ? before.tags : unique(body.tags));
  setOrClear(frontMatter, "lang", body.lang === undefined ? before.lang : (body.lang ?? undefined));
  setOrClear(frontMatter, "effective", dateField(body.effectiveAt, before.effective, "effectiveAt"));
  setOrClear(frontMatter, "review_by", dateField(body.reviewBy, before.review_by, "reviewBy"));
  setOrClear(frontMatter, "owner", relations.owner);
  setOrClear(frontMatter, "team", relations.team);
  return {
    text: { frontMatter, markdown },
    links: { ...(await services.render.assetLinks(markdown)), sops: storedLinks(sops) },
    relations: { ownerId: relations.ownerId, teamId: relations.teamId },
    notes: notes.map(({ code, message, line }) => ({ code, message, ...(line === undefined ? {} : { line }) })),
  };
}

/** With both sent, the one that differs from the stored text counts; `markdown` if both do (`docs/spec/calls.md`). */
async function composeMarkdown(
  render: Needs["render"],
  body: SopUpdate,
  base: Base | null,
  { title, shownTo }: { title: string; shownTo(html: string): Promise<string> },
): Promise<CanonicalBody> {
  const latest = base?.text.markdown ?? null;
  const same = (markdown: string): CanonicalBody => ({ markdown, notes: [] });
  if (body.markdown !== undefined && (latest === null || body.markdown !== latest)) {
    const canonical = fitting(body.markdown.trim() === "" ? missing() : await render.body(body.markdown, title));
    if (canonical.markdown !== latest || body.content === undefined) return canonical;
  }
  if (body.content !== undefined) {
    const shown = latest === null ? null : await render.render(latest);
    if (latest !== null && shown !== null && (body.content === shown || body.content === (await shownTo(shown))))
      return same(latest);
    return fitting(await render.content(body.content, title));
  }
  return latest === null ? missing() : same(latest);
}

function missing(): never {
  throw new AppError("invalid_input", "Content is required", { content: "Content is required" });
}

function fitting(body: CanonicalBody): CanonicalBody {
  if (body.markdown.trim() === "") missing();
  if (utf8Length(body.markdown) > limits.document) {
    throw new AppError("too_large", `An SOP's text can have at most ${limits.document / 1024} KiB`);
  }
  return body;
}

/** The file has owner and team by name, the database by id. Both must belong to this company. */
async function composeRelations(db: Needs["db"], user: UserDocument, body: SopUpdate, base: Base | null) {
  const company = db.forCompany(user.companyId);
  const before = base?.text.frontMatter;
  let owner = before?.owner;
  let ownerId = base?.relations.ownerId ?? null;
  if (base === null && body.ownerId === undefined) {
    owner = user.username;
    ownerId = user._id;
  } else if (body.ownerId !== undefined && body.ownerId !== ownerId) {
    const found =
      body.ownerId === null ? null : await company.collection("users").findOne({ _id: body.ownerId, status: "active" });
    if (body.ownerId !== null && !found)
      throw unknownField("ownerId", "This owner is not an active user of the company");
    owner = found?.username;
    ownerId = found?._id ?? null;
  }
  let team = before?.team;
  let teamId = base?.relations.teamId ?? null;
  if (body.teamId !== undefined && body.teamId !== teamId) {
    const found = body.teamId === null ? null : await company.collection("teams").findOne({ _id: body.teamId });
    if (body.teamId !== null && !found) throw unknownField("teamId", "This team is not known");
    team = found?.slug;
    teamId = found?._id ?? null;
  }
  return { owner, ownerId, team, teamId };
}

function unknownField(field: string, message: string): AppError {
  return new AppError("invalid_input", message, { [field]: message });
}

/**
 * The date of a file after a save: null and an empty text clear it.
 * @throws AppError invalid_input for what doesn't mean one day: a moment that were ignored would publish at once
 */
export function dateField(
  input: string | null | undefined,
  before: string | undefined,
  field: string,
): string | undefined {
  if (input === undefined) return before;
  if (input === null || input === "") return undefined;
  const day = readDay(input);
  if (day === null) throw unknownField(field, dayMessage);
  return day;
}

function setOrClear<K extends keyof FrontMatter>(
  frontMatter: FrontMatter,
  key: K,
  value: FrontMatter[K] | undefined,
): void {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) delete frontMatter[key];
  else frontMatter[key] = value;
}

function oneLine(text: string): string {
  return text.toWellFormed().normalize("NFC").replace(/\s+/g, " ").trim();
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values.map(oneLine))];
}

/** A review moved its date since the latest save. The next version keeps that date instead of moving it back. */
function withReviewOf({ reviewBy }: SopDocument, frontMatter: FrontMatter): FrontMatter {
  const { review_by: written, ...rest } = frontMatter;
  if (written === undefined || written === reviewBy) return frontMatter;
  return reviewBy === null ? rest : { ...rest, review_by: reviewBy };
}

/** @throws when the stored version is missing: the database is damaged, not the request wrong */
export async function loadBase({ db }: Pick<Services, "db">, sop: SopDocument, version = sop.version): Promise<Base> {
  const stored = await db.forCompany(sop.companyId).collection("sop_versions").findOne({ sopId: sop._id, version });
  if (!stored) throw new AppError("not_found", "This version does not exist");
  const { frontMatter, markdown, sopLinks = [] } = stored;
  const isLatest = version === sop.version;
  return {
    text: { frontMatter: isLatest ? withReviewOf(sop, frontMatter) : frontMatter, markdown },
    relations: { ownerId: sop.ownerId, teamId: sop.teamId },
    sopLinks,
    number: sop.label,
  };
}

/** Checks see an unsaved text as the file it would become. Rules only want some owner, so any will do. */
export function fileOf(body: z.output<typeof CheckAsk>, owner: string): SopText {
  const { title, description, lang, effectiveAt, reviewBy, isTemplate = false, isAiGenerated = false, markdown } = body;
  const frontMatter: FrontMatter = {
    title: oneLine(title),
    description: oneLine(description),
    owner,
    template: isTemplate,
    ai_generated: isAiGenerated,
  };
  setOrClear(frontMatter, "lang", lang ?? undefined);
  setOrClear(frontMatter, "effective", effectiveAt || undefined);
  setOrClear(frontMatter, "review_by", reviewBy || undefined);
  return { frontMatter, markdown };
}
