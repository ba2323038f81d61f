/** Turns a request into a version's text: one canonical form for every client and input format. */
import { noteInFile } from "#core/import/markdown/report.ts";
import { readDateField } from "#core/life-cycle/publish.ts";
import type { SopRelations } from "#core/life-cycle/save.ts";
import { findAssetLinkProblem } from "../../assets/linkable.ts";
import { AppError } from "#core/errors.ts";
import type { CanonicalBody } from "#core/import/markdown/canonical-body.ts";
import { limits } from "#core/limits.ts";
import { utf8Length } from "#core/markdown/limits.ts";
import { isKnownKey, splitFrontMatter, type FrontMatter } from "#core/markdown/front-matter.ts";
import { fieldsOfKinds } from "#core/sop-fields.ts";
import type { SopLink } from "#core/markdown/sop-links.ts";
import { notesOnUnseenCharacters, withoutUnseenCharacters } from "#core/text/clean-text.ts";
import { readingMinutesOf } from "#core/markdown/read-time.ts";
import type { z } from "zod";
import type { ImportNote } from "#core/sops/import-schema.ts";
import type { CheckAsk, SopUpdate } from "#core/sops/schema.ts";
import type { SopDocument, UserDocument } from "../../database/documents.ts";
import type { Identity } from "../../http/call.ts";
import type { Services } from "../../http/services.ts";
import type { ComposedText } from "../../render/tasks.ts";
import { loadVersionText } from "../view/version-text.ts";
import { linkText } from "../links/link-mentions.ts";
import { storedLinks } from "../links/link-sops.ts";
import { withVisibleTitles } from "../links/titles.ts";
import { withoutIdentity, type SopText, type TextLinks } from "./version-of.ts";
import { refusals } from "./refusals.ts";
import { messageAndReasonOf, sentences, type MessageWithId } from "#core/language/catalog.ts";

/** The base of a save: the latest file, or nothing for a new SOP. */
export interface SaveBase {
  text: SopText;
  relations: SopRelations;
  /** The stored links to other SOPs. */
  sopLinks?: readonly SopLink[];
  /** Hashes of the files that the text links. */
  assets?: readonly string[];
  /** The SOP's number in the form that people see. */
  number: string;
}

/** The result of a save. */
export interface ComposedSop {
  text: SopText;
  relations: SopRelations;
  links: TextLinks;
  /** The differences between the stored and the sent text. */
  notes: ImportNote[];
}

type TextServices = Pick<Services, "db" | "render" | "companies" | "address">;

/** The text that the client sent. The links of an unchanged text are read again only on request. */
type SubmittedText = CanonicalBody & Partial<Pick<ComposedText, "sopLinks" | "assets">>;

/**
 * Composes the text of a version from a request and the version before, and checks the linked files.
 * @param aiDrafted true if AI drafted an earlier version
 * @throws AppError for a text without content, too long a text, and unknown owners, teams and files
 */
export async function composeText(
  services: TextServices,
  { actor, user }: Pick<Identity, "actor" | "user">,
  body: SopUpdate,
  base: SaveBase | null,
  aiDrafted?: true,
): Promise<ComposedSop> {
  const title = body.title ?? base?.text.frontMatter.title ?? "";
  const shownTo = (html: string) => withVisibleTitles(services, actor, html, base?.sopLinks);
  const origin = services.address.url;
  const sent = await composeMarkdown(services.render, body, base, { title, origin, shownTo });
  const { markdown, links: sops } = await linkText(services, actor, sent, {
    texts: base ? [base.text.markdown] : [],
    links: base?.sopLinks ?? [],
    own: base?.number,
    // a screen that stays open sends its own text again, which lacks the links that its earlier save added
    sawLinks: false,
  });
  const known = markdown === sent.markdown ? sent.assets : undefined;
  const assets = known ?? (await services.render.assetLinks(markdown));
  const unreadable = await findAssetLinkProblem(services, actor, assets, base?.assets ?? []);
  if (unreadable !== null) throw new AppError("invalid_input", unreadable, { content: unreadable });
  const relations = await composeRelations(services.db, user, body, base);
  const before: FrontMatter = base ? withoutIdentity(base.text.frontMatter) : {};
  const frontMatter: FrontMatter = { ...before };
  for (const { name, file } of fieldsOfKinds("flag")) frontMatter[file] = body[name] ?? before[file] ?? false;
  // a text that AI drafted keeps its mark as AI-generated
  if (aiDrafted === true) frontMatter.ai_generated = true;
  frontMatter.title = normalizeLine(title);
  frontMatter.description = normalizeLine(body.description ?? before.description ?? "");
  frontMatter.read_minutes = body.readTime ?? before.read_minutes ?? readingMinutesOf(markdown);
  for (const { name, file } of fieldsOfKinds("tags"))
    setOrDeleteField(frontMatter, file, body[name] === undefined ? before[file] : uniqueLines(body[name]));
  for (const { name, file } of fieldsOfKinds("text"))
    setOrDeleteField(frontMatter, file, body[name] === undefined ? before[file] : normalizeLine(body[name] ?? ""));
  for (const { name, file } of fieldsOfKinds("day"))
    setOrDeleteField(frontMatter, file, readDateField(body[name], before[file], name));
  for (const { file } of fieldsOfKinds("relation")) setOrDeleteField(frontMatter, file, relations[file]);
  return {
    text: { frontMatter, markdown },
    links: { ...assets, sops: storedLinks(sops) },
    relations: { ownerId: relations.ownerId, teamId: relations.teamId },
    notes: [...shortTextNotes(body), ...sent.notes.map(noteInFile)],
  };
}

function shortTextNotes(body: SopUpdate): ImportNote[] {
  const names = ["title", "description", ...fieldsOfKinds("tags", "text").map(({ name }) => name)] as const;
  return names.flatMap((name) => [body[name] ?? []].flat().flatMap((text) => notesOnUnseenCharacters(name, text)));
}

/**
 * Returns the text to save. If `content` and `markdown` were sent, the field that differs from the stored text counts.
 * If both differ from it, they must have the same text (`docs/spec/calls.md`).
 */
async function composeMarkdown(
  render: TextServices["render"],
  body: SopUpdate,
  base: SaveBase | null,
  { shownTo, ...options }: { title: string; origin: string; shownTo(html: string): Promise<string> },
): Promise<SubmittedText> {
  const latest = base?.text.markdown ?? null;
  const unchangedText = (markdown: string): SubmittedText => ({ markdown, notes: [] });
  const isShown = async (content: string, markdown: string) => {
    const shown = await render.render(markdown);
    return content === shown || content === (await shownTo(shown));
  };
  const isTextOf = async (content: string, texts: readonly string[]) => {
    for (const text of texts) if (await isShown(content, text)) return true;
    return texts.includes((await render.compose({ content }, options)).markdown);
  };
  if (body.markdown !== undefined && (latest === null || body.markdown !== latest)) {
    const canonical = assertTextFits(
      body.markdown.trim() === "" ? refuseEmptyContent() : await render.compose({ markdown: body.markdown }, options),
    );
    const isNew = canonical.markdown !== latest;
    const sent = latest === null ? [canonical.markdown] : [canonical.markdown, latest];
    if (isNew && body.content !== undefined && !(await isTextOf(body.content, sent)))
      throw new AppError("invalid_input", refusals.twoTexts(), { content: refusals.twoTexts() });
    if (isNew || body.content === undefined)
      return beginsWithFrontMatter(body.markdown)
        ? {
            ...canonical,
            notes: [
              { path: "", code: "front-matter", ...messageAndReasonOf(texts.frontMatter()), line: 1 },
              ...canonical.notes,
            ],
          }
        : canonical;
  }
  if (body.content !== undefined) {
    if (latest !== null && (await isShown(body.content, latest))) return unchangedText(latest);
    return assertTextFits(await render.compose({ content: body.content }, options));
  }
  return latest === null ? refuseEmptyContent() : unchangedText(latest);
}

const texts = sentences("server.sops.edit.text", {
  frontMatter:
    "The text begins with front matter, which readers see. Import the file, or send its fields beside the text",
});

function beginsWithFrontMatter(markdown: string): boolean {
  if (!/^\uFEFF?---[ \t]*\r?\n/.test(markdown)) return false;
  const { raw } = splitFrontMatter(markdown);
  return (raw ?? "").split("\n").some((line) => isKnownKey(/^(\w+):/.exec(line)?.[1] ?? ""));
}

function refuseEmptyContent(): never {
  throw new AppError("invalid_input", refusals.contentNeeded(), { content: refusals.contentNeeded() });
}

function assertTextFits<T extends CanonicalBody>(body: T): T {
  if (body.markdown.trim() === "") refuseEmptyContent();
  if (utf8Length(body.markdown) > limits.document) {
    throw new AppError("too_large", refusals.longText({ kibibytes: limits.document / 1024 }));
  }
  return body;
}

/**
 * Resolves the owner and the team of the text: the file has their names, the database their ids. Both must belong to
 * this company.
 */
async function composeRelations(db: TextServices["db"], user: UserDocument, body: SopUpdate, base: SaveBase | null) {
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
    if (body.ownerId !== null && !found) throw unknownValueError("ownerId", refusals.inactiveOwner());
    owner = found?.username;
    ownerId = found?._id ?? null;
  }
  let team = before?.team;
  let teamId = base?.relations.teamId ?? null;
  if (body.teamId !== undefined && body.teamId !== teamId) {
    const found = body.teamId === null ? null : await company.collection("teams").findOne({ _id: body.teamId });
    if (body.teamId !== null && !found) throw unknownValueError("teamId", refusals.unknownTeam());
    team = found?.slug;
    teamId = found?._id ?? null;
  }
  return { owner, ownerId, team, teamId };
}

function unknownValueError(field: string, message: MessageWithId): AppError {
  return new AppError("invalid_input", message, { [field]: message });
}

export function setOrDeleteField<K extends keyof FrontMatter>(
  frontMatter: FrontMatter,
  key: K,
  value: FrontMatter[K] | undefined,
): void {
  if (value === undefined || value === "" || (Array.isArray(value) && value.length === 0)) delete frontMatter[key];
  else frontMatter[key] = value;
}

function normalizeLine(text: string): string {
  return withoutUnseenCharacters(text.toWellFormed()).normalize("NFC").replace(/\s+/g, " ").trim();
}

function uniqueLines(values: readonly string[]): string[] {
  return [...new Set(values.map(normalizeLine))].filter((text) => text !== "");
}

/**
 * Returns the front matter with the SOP's review date, if a periodic review changed that date after the latest save.
 * The next version would otherwise restore the earlier date.
 */
function withReviewDateOf({ reviewBy }: SopDocument, frontMatter: FrontMatter): FrontMatter {
  const { review_by: written, ...rest } = frontMatter;
  if (written === undefined || written === reviewBy) return frontMatter;
  return reviewBy === null ? rest : { ...rest, review_by: reviewBy };
}

/**
 * Loads the base of a save.
 * @throws AppError not_found, damaged
 */
export async function loadSaveBase(
  { db }: Pick<Services, "db">,
  sop: SopDocument,
  version = sop.version,
): Promise<SaveBase> {
  const { frontMatter, markdown, assets, sopLinks = [] } = await loadVersionText({ db }, sop, version);
  const isLatest = version === sop.version;
  return {
    text: { frontMatter: isLatest ? withReviewDateOf(sop, frontMatter) : frontMatter, markdown },
    relations: { ownerId: sop.ownerId, teamId: sop.teamId },
    sopLinks,
    assets,
    number: sop.label,
  };
}

/**
 * Returns an unsaved text as the file that it would become, for checks. The rules require an owner, but don't check
 * which.
 */
export function unsavedTextAsFile(body: z.output<typeof CheckAsk>, owner: string): SopText {
  const { title, description, markdown } = body;
  const frontMatter: FrontMatter = { title: normalizeLine(title), description: normalizeLine(description), owner };
  for (const { name, file } of fieldsOfKinds("flag")) frontMatter[file] = body[name] ?? false;
  for (const { name, file } of fieldsOfKinds("text", "day")) setOrDeleteField(frontMatter, file, body[name] ?? "");
  return { frontMatter, markdown };
}
