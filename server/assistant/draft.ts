/**
 * Makes a draft from the best template, without a model. Chooses among the library's templates and the company's
 * templates that the user can see.
 */
import { bestTemplate, titleFromPrompt } from "#core/assistant/best-template.ts";
import { fittingCategoryId } from "#core/assistant/fitting-category.ts";
import { templateAsDraft } from "#core/assistant/template-draft.ts";
import { AppError } from "#core/errors.ts";
import { limits } from "#core/limits.ts";
import { SopCreate } from "#core/sops/schema.ts";
import { SopQuery } from "#core/sops/list-schema.ts";
import type { Actor } from "#core/permissions/actor.ts";
import type { Call, Identity } from "../http/call.ts";
import type { Services } from "../http/services.ts";
import { createSop } from "../sops/edit/create.ts";
import { listSops } from "../sops/list/list.ts";
import type { ListedSop } from "../sops/list/visible.ts";
import { versionNumberInView } from "../sops/view/present.ts";
import { loadVersionText } from "../sops/view/version-text.ts";
import { readPlainTemplate, plainTemplateName, plainTemplateTitle } from "./plain-template.ts";
import { sentences } from "#core/language/catalog.ts";

const refusals = sentences("server.assistant.refusals", {
  unknownTemplate: "This template is not known",
});

interface TemplateDraftRequest {
  prompt: string;
  category?: string | null | undefined;
  template?: string | null | undefined;
}

interface DraftTemplate {
  id: string;
  title: string;
  description: string;
  tags: readonly string[];
  lang: string | null;
  /** The company's own template; null for a template of the library. */
  own: ListedSop | null;
}

type DraftCall = { identity: Identity } & Pick<Call, "origin" | "idempotency">;

/**
 * Creates a draft SOP from a template.
 * @returns the draft, its template, and the words of the prompt that matched the template
 */
export async function draftFromTemplate(services: Services, call: DraftCall, request: TemplateDraftRequest) {
  const { actor } = call.identity;
  const choices = [...(await loadCompanyTemplates(services, actor)), ...libraryTemplates(services)];
  const { choice, found } = chooseDraftTemplate(choices, request);
  const title = titleFromPrompt(request.prompt);
  const text = choice === null ? await readPlainTemplate() : await loadTemplateMarkdown(services, choice);
  const markdown =
    choice === null ? text : templateAsDraft({ title: choice.title, markdown: text }, request.prompt, found);
  const body = SopCreate.parse({
    title,
    description: (choice?.description || title).slice(0, limits.descriptionCharacters),
    markdown,
    categoryId: await chooseDraftCategory(services, actor, request.category ?? null, { title, choice }),
    ...(choice?.lang ? { lang: choice.lang } : {}),
    isTemplate: false,
    isAiGenerated: false,
  });
  const made = await createSop(services, call, body);
  const rules = {
    template: choice?.id ?? plainTemplateName,
    templateTitle: choice?.title ?? plainTemplateTitle,
    found: [...found],
  };
  return { ...made, rules };
}

/**
 * Chooses the requested template, or the best one for the prompt.
 * @throws AppError invalid_input for a template that doesn't exist, or that the user can't see
 */
function chooseDraftTemplate(
  choices: readonly DraftTemplate[],
  { template, prompt }: TemplateDraftRequest,
): { choice: DraftTemplate | null; found: readonly string[] } {
  if (template === plainTemplateName) return { choice: null, found: [] };
  if (template !== null && template !== undefined) {
    const choice = choices.find(({ id }) => id === template);
    if (choice) return { choice, found: [] };
    throw new AppError("invalid_input", refusals.unknownTemplate(), { template: refusals.unknownTemplate() });
  }
  const best = bestTemplate(prompt, choices);
  return { choice: best?.template ?? null, found: best?.found ?? [] };
}

async function loadCompanyTemplates({ db, clock }: Services, actor: Actor): Promise<DraftTemplate[]> {
  const query = SopQuery.parse({ template: "true", limit: 200 });
  const { rows } = await listSops(db, clock, actor, query);
  return rows.map((own) => {
    const { title, description, tags, lang } = visibleTemplateVersion(own);
    return { id: own.sop._id, title, description, tags, lang, own };
  });
}

function libraryTemplates({ templates }: Services): DraftTemplate[] {
  return [...templates.values()].map(({ id, title, description, tags }) => {
    return { id, title, description, tags, lang: "en", own: null };
  });
}

async function loadTemplateMarkdown({ db, templates }: Services, { id, own }: DraftTemplate): Promise<string> {
  if (own === null) return templates.get(id)?.markdown ?? "";
  return (await loadVersionText({ db }, own.sop, versionNumberInView(own.sop, own.view))).markdown;
}

interface DraftedTitle {
  title: string;
  choice: DraftTemplate | null;
}

/**
 * Chooses the category with this id or name. If there is none (the panel sends 'General'), chooses the template's
 * category, or one that fits the draft.
 */
async function chooseDraftCategory(
  services: Services,
  actor: Actor,
  named: string | null,
  { title, choice }: DraftedTitle,
): Promise<string | null> {
  const all = await services.companies.categories(actor.companyId);
  const wanted = named?.trim().toLowerCase();
  const found = all.find(({ _id, name }) => _id === named || name.toLowerCase() === wanted);
  if (found) return found._id;
  const ofTemplate = choice?.own && visibleTemplateVersion(choice.own).categoryId;
  if (all.some(({ _id }) => _id === ofTemplate)) return ofTemplate ?? null;
  const { rows } = await listSops(services.db, services.clock, actor, SopQuery.parse({ limit: 200 }));
  const draft = { title, description: choice?.description ?? "", tags: choice?.tags ?? [] };
  return fittingCategoryId(
    draft,
    all.map(({ _id, name }) => ({ id: _id, name })),
    rows.map(visibleTemplateVersion),
  );
}

/** Returns the version of a template that the user sees. */
const visibleTemplateVersion = ({ sop, view }: ListedSop) =>
  view === "published" && sop.published ? sop.published : sop;
