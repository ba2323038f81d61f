/** Drafts an SOP from a sentence: by AI if there is a key, or else from the best template. The output says which. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { openProvider } from "#core/ai/provider.ts";
import { defaultModel, type ProviderSettings } from "#core/ai/client.ts";
import { generateDraft, type Provenance } from "#core/ai/generate.ts";
import { bestTemplate, titleFromPrompt } from "#core/assistant/best-template.ts";
import { limits } from "#core/limits.ts";
import { lintText } from "#core/lint/engine.ts";
import type { Finding } from "#core/lint/finding.ts";
import { fileTextOf } from "#core/markdown/front-matter.ts";
import { readMarkdownFile } from "#core/markdown/read-file.ts";
import { slugify } from "#core/repository/slugs.ts";
import { ApiError } from "#core/api/client.ts";
import type { AiUsage } from "#core/ai/tokens.ts";
import { exit, invalidInputError } from "../exit.ts";
import { writeFileAtomically } from "../files.ts";
import { printableText, type CommandOutput } from "../output.ts";
import { readProviderSettings } from "../ai/provider.ts";
import { showAnswerProgress } from "../ai/watch-answer.ts";
import { connectSignedIn, type SopClient } from "../server.ts";
import { findWorkspaceAbove } from "../workspace/find.ts";
import { documentFromTemplate, categoryFolderName } from "../workspace/new-document.ts";
import { findDefaultOwner } from "../workspace/default-owner.ts";
import { loadTemplates, standardTemplateName, unknownTemplateError } from "../workspace/templates.ts";
import { announceTarget } from "../write-target.ts";
import type { CommandContext, CommandResult } from "../context.ts";

interface DraftNotes {
  assumptions: readonly string[];
  findings: readonly Pick<Finding, "severity">[];
}

interface GenerateRequest {
  prompt: string;
  /** The language of the draft; undefined means the language of the company's SOPs. */
  lang: string | undefined;
  client: SopClient;
  categoryId: string | null;
}

export interface GenerateOptions {
  template?: string;
  ai: boolean;
  lang?: string;
  category?: string;
  owner?: string;
  output?: string;
  save?: boolean;
  timeout: number;
}

interface GeneratedText {
  text: string;
  title: string;
  source: { kind: "ai"; made: Provenance } | { kind: "template"; template: string; found: readonly string[] | null };
  assumptions: string[];
  findings: Finding[];
}

export async function generateDocument(
  context: CommandContext,
  given: string,
  options: GenerateOptions,
): Promise<CommandResult> {
  const prompt = await readPrompt(context, given);
  // An unusable target must fail before a paid call to the AI.
  const target = await prepareDraftTarget(context, options);
  const wantsAi = options.ai && options.template === undefined;
  const settings = wantsAi ? readProviderSettings(context.env) : null;
  if (wantsAi && settings === null && target.kind === "server") {
    const made = await generateOnServer(context, { prompt, lang: options.lang, ...target });
    if (made !== null) return made;
  }
  const draft =
    settings === null
      ? await draftFromTemplate(context, prompt, options)
      : await draftByAi(context, prompt, options, settings);
  const place = await storeGeneratedDraft(context, draft, target, options);
  printDraftOrigin(context, draft, options);
  const { text: markdown, ...facts } = draft;
  const data = { ...facts, ...place, ...(target.kind === "stdout" ? { markdown } : {}) };
  return { exit: exit.done, data, text: place.text };
}

async function readPrompt(context: CommandContext, given: string): Promise<string> {
  const text = given === "-" ? new TextDecoder().decode(await context.stdin()) : given;
  const prompt = text.trim();
  if (prompt === "")
    throw invalidInputError("usage", "describe what the SOP is about", {
      hint: 'sop generate "Drain and clean tank 4"',
    });
  if (prompt.length > limits.promptCharacters)
    throw invalidInputError(
      "prompt",
      `a prompt has at most ${limits.promptCharacters} characters, this one has ${prompt.length}`,
    );
  return prompt;
}

async function draftByAi(
  context: CommandContext,
  prompt: string,
  { lang = "en", owner, timeout }: GenerateOptions,
  settings: ProviderSettings,
): Promise<GeneratedText> {
  const timeoutMs = timeout * 1000;
  const watched = showAnswerProgress(context.out, `Asking ${settings.model ?? defaultModel}…`, timeoutMs);
  const provider = openProvider(settings, timeoutMs, context.signal, watched.listening);
  try {
    const frontMatter = { owner: owner ?? (await findDefaultOwner(context)) };
    const made = await generateDraft(provider, { prompt, language: lang, frontMatter });
    return {
      text: fileTextOf(made.frontMatter, made.body),
      title: made.frontMatter.title ?? "",
      source: { kind: "ai", made: made.made },
      assumptions: made.assumptions,
      findings: made.findings,
    };
  } finally {
    watched.stop();
  }
}

async function draftFromTemplate(
  context: CommandContext,
  prompt: string,
  options: GenerateOptions,
): Promise<GeneratedText> {
  const templates = await loadTemplates(findWorkspaceAbove(context.cwd));
  const { name, found } =
    options.template === undefined ? chooseTemplate(prompt, templates) : { name: options.template, found: null };
  const template = templates.get(name);
  if (template === undefined) throw unknownTemplateError(name, [...templates.keys()]);
  const title = titleFromPrompt(prompt);
  const text = documentFromTemplate(template, { title, owner: options.owner ?? (await findDefaultOwner(context)) });
  const findings = lintText(text, { path: "draft.md", preset: "recommended" });
  return { text, title, source: { kind: "template", template: name, found }, assumptions: [], findings };
}

/** Chooses the template that fits the prompt best, or the standard one if none fits. */
function chooseTemplate(
  prompt: string,
  templates: ReadonlyMap<string, string>,
): { name: string; found: readonly string[] } {
  const heads = [...templates].map(([name, text]) => {
    const { title = name, description = "", tags = [] } = readMarkdownFile(text).frontMatter;
    return { name, title, description, tags };
  });
  const first = bestTemplate(prompt, heads);
  return first === null ? { name: standardTemplateName, found: [] } : { name: first.template.name, found: first.found };
}

type DraftTarget =
  | { kind: "stdout" }
  | ({ kind: "server" } & DraftServer)
  | { kind: "file"; file: string }
  | { kind: "workspace"; root: string };

async function prepareDraftTarget(
  context: CommandContext,
  { output, save, category }: GenerateOptions,
): Promise<DraftTarget> {
  const { cwd } = context;
  if (save && output !== undefined) throw invalidInputError("usage", "--save and --output can't be combined");
  if (save) return { kind: "server", ...(await connectForDraft(context, category)) };
  if (output === "-") return { kind: "stdout" };
  if (output !== undefined) {
    const file = resolve(cwd, output);
    if (existsSync(file)) throw invalidInputError("exists", `${output} exists`, { path: output });
    return { kind: "file", file };
  }
  const root = findWorkspaceAbove(cwd);
  return root === null ? { kind: "stdout" } : { kind: "workspace", root };
}

interface StoredDraftResult {
  path?: string;
  sop?: { id: string; number: string };
  text: string;
}

async function storeGeneratedDraft(
  context: CommandContext,
  draft: GeneratedText,
  target: DraftTarget,
  options: GenerateOptions,
): Promise<StoredDraftResult> {
  switch (target.kind) {
    case "stdout":
      return { text: draft.text };
    case "file":
      await writeFileAtomically(target.file, draft.text);
      return { path: options.output ?? "", text: `+ ${options.output}\n` };
    case "workspace": {
      const folder = options.category === undefined ? "uncategorized" : categoryFolderName(options.category);
      const path = findFreeDraftPath(target.root, `sops/${folder}/${slugify(draft.title)}`);
      await writeFileAtomically(join(target.root, path), draft.text);
      return { path, text: `+ ${path}\n` };
    }
    case "server":
      return saveDraftOnServer(draft, target);
  }
}

/**
 * Finds a path that no file has yet, with a number if needed, so that a paid draft overwrites no file and isn't lost.
 */
function findFreeDraftPath(root: string, base: string): string {
  for (let count = 1; ; count += 1) {
    const path = `${base}${count === 1 ? "" : `-${count}`}.md`;
    if (!existsSync(join(root, path))) return path;
  }
}

interface DraftServer {
  client: SopClient;
  categoryId: string | null;
}

async function connectForDraft(context: CommandContext, category: string | undefined): Promise<DraftServer> {
  const signedIn = await connectSignedIn(context);
  await announceTarget(context, signedIn);
  const { client } = signedIn;
  if (category === undefined) return { client, categoryId: null };
  const categories = await client.categories.list();
  const found = categories.find(({ name }) => name.toLowerCase() === category.toLowerCase());
  if (found !== undefined) return { client, categoryId: found.id };
  throw invalidInputError("category", `category ${category} not found`, {
    hint: `there are ${categories.map(({ name }) => name).join(", ")}`,
  });
}

async function saveDraftOnServer(
  draft: GeneratedText,
  { client, categoryId }: DraftServer,
): Promise<StoredDraftResult> {
  const { frontMatter, body } = readMarkdownFile(draft.text);
  const { title = draft.title, description = "", tags = [], lang } = frontMatter;
  const sop = await client.sops.create({
    body: {
      title,
      description: description || title,
      markdown: body,
      tags,
      isAiGenerated: draft.source.kind === "ai",
      ...(lang === undefined ? {} : { lang }),
      ...(categoryId === null ? {} : { categoryId }),
    },
  });
  return { sop: { id: sop.id, number: sop.number }, text: `${sop.number}  ${printableText(title)}\n` };
}

function printDraftOrigin(
  { out }: CommandContext,
  { text, source, findings, assumptions }: GeneratedText,
  { lang = "en" }: GenerateOptions,
): void {
  if (source.kind === "ai") return printDraftNotes(out, source.made, { assumptions, findings });
  const why =
    source.found === null
      ? ""
      : ` (${source.found.length > 0 ? `it has ${source.found.join(", ")}` : "no other fits"})`;
  const how = "To use AI, set OPENAI_API_KEY, or --save it to a server with AI";
  out.note(`From the template ${source.template}${why}, without AI. ${how}.`);
  const own = readMarkdownFile(text).frontMatter.lang ?? "en";
  const isOther = own.split("-")[0]?.toLowerCase() !== lang.split("-")[0]?.toLowerCase();
  if (isOther) out.note(`It is in "${own}", not in "${lang}": templates are not translated.`);
  printOpenIssues(out, findings);
}

/**
 * Asks the server's AI for a draft. The server stores the draft as an SOP.
 * @returns null if the server has no AI: no key, or switched off; prints the reason
 * @throws ApiError
 */
async function generateOnServer(context: CommandContext, request: GenerateRequest): Promise<CommandResult | null> {
  const { prompt, lang: language, client, categoryId: category } = request;
  const watched = showAnswerProgress(context.out, "Asking the server's AI…", 0);
  try {
    const { ai, ...sop } = await client.ai.generateSop({ body: { prompt, category, language } });
    const { model, prompt: instruction, usage, calls, assumptions, findings } = ai;
    const made = { model, prompt: instruction, usage, calls };
    printDraftNotes(context.out, made, ai);
    const { id, number, title } = sop;
    const data = { title, source: { kind: "ai", made }, assumptions, findings, sop: { id, number } };
    return { exit: exit.done, data, text: `${number}  ${printableText(title)}\n` };
  } catch (error) {
    if (!(error instanceof ApiError) || (error.code !== "ai_key_missing" && error.code !== "ai_disabled")) throw error;
    context.out.note(`The server's AI can't be asked: ${printableText(error.serverMessage ?? error.code)}.`);
    return null;
  } finally {
    watched.stop();
  }
}

/** Prints notes about a draft for its author on stderr. */
function printDraftNotes(
  out: CommandOutput,
  made: { model: string; usage: AiUsage },
  { assumptions, findings }: DraftNotes,
): void {
  const { promptTokens, completionTokens } = made.usage;
  out.note(printableText(`By ${made.model} (${promptTokens} + ${completionTokens} tokens): an unchecked draft.`));
  for (const assumption of assumptions) out.note(printableText(`  to confirm: ${assumption}`));
  printOpenIssues(out, findings);
}

function printOpenIssues(out: CommandOutput, findings: DraftNotes["findings"]): void {
  const { length: open } = findings.filter(({ severity }) => severity !== "info");
  if (open > 0) out.note(`${open} ${open === 1 ? "issue" : "issues"} left: sop lint shows them.`);
}
