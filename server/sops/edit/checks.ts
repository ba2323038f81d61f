/** Checks a text by the company's rules before an approval or a publication. An error blocks publishing. */
import { AppError } from "#core/errors.ts";
import type { PresetName } from "#core/lint/rule.ts";
import { sopKeyOf } from "#core/markdown/sop-links.ts";
import type { Actor } from "#core/permissions/actor.ts";
import { presets, severityOfRule } from "#core/lint/presets.ts";
import type { TextRules } from "#core/companies/settings.ts";
import { sentenceOfMessage } from "#core/language/catalog.ts";
import { type Finding } from "#core/lint/finding.ts";
import type { CheckedText } from "#core/sops/schema.ts";
import type { Services } from "../../http/services.ts";
import { findVisibleSops } from "../links/titles.ts";
import type { SopText } from "./version-of.ts";
import { refusals } from "./refusals.ts";

type CheckServices = Pick<Services, "companies" | "render" | "db">;

/** The maximum number of findings that a refusal lists. The refusal only counts the other findings. */
const findingsListedAtMost = 50;

/**
 * Refuses a text with errors.
 * @throws AppError unprocessable, with the errors as `details.findings`, whose lines are counted in the body
 */
export async function assertTextReady(services: CheckServices, actor: Actor, text: SopText): Promise<void> {
  const rules = await textRulesOfCompany(services, actor.companyId);
  if (rules === "off") return;
  const found = await checkUnsavedText(services, actor, text, rules);
  const errors = found.filter(({ severity }) => severity === "error");
  const [first, ...others] = errors;
  if (first === undefined) return;
  const message = refusals.findings({
    line: Math.max(0, first.line),
    finding: sentenceOfMessage(first),
    more: others.length,
  });
  throw new AppError("unprocessable", message, { findings: errors.slice(0, findingsListedAtMost) });
}

/**
 * Checks a text by the company's rules, or by the recommended rules if those are stricter. Marks findings that block
 * publishing.
 */
export async function checkText(services: CheckServices, actor: Actor, text: SopText): Promise<CheckedText> {
  const rules = await textRulesOfCompany(services, actor.companyId);
  const preset = rules === "regulated" ? rules : "recommended";
  const found = await checkUnsavedText(services, actor, text, preset);
  const findings = found.map((finding) => ({ ...finding, stops: blocksPublishing(finding, rules) }));
  return { findings: findings.slice(0, checkedAtMost), more: Math.max(0, findings.length - checkedAtMost) };
}

/** Finds issues in a text. A link to an SOP that the actor can't see counts as a link to no SOP. */
async function checkUnsavedText(
  services: CheckServices,
  actor: Actor,
  text: SopText,
  preset: PresetName,
): Promise<Finding[]> {
  const linked = [...text.markdown.matchAll(/\/sop\/([\w%-]+(?:\.[\w%-]+)*)/gi)].flatMap(
    ([, name = ""]) => sopKeyOf(name) ?? [],
  );
  const seen = await findVisibleSops(services, actor, linked);
  const sops = Object.fromEntries(
    [...seen].map(([key, { sop }]) => [key, sop.status === "archived" ? ("archived" as const) : ("there" as const)]),
  );
  return services.render.findings({ ...text, preset, sops });
}

const checkedAtMost = 200;

function blocksPublishing({ rule }: Finding, rules: TextRules): boolean {
  if (rules === "off") return false;
  return (
    rule === "ai/unreviewed" ||
    (rule in presets[rules].rules ? severityOfRule(rule, rules) === "error" : rule.startsWith("parse/"))
  );
}

async function textRulesOfCompany({ companies }: CheckServices, companyId: string): Promise<TextRules> {
  return (await companies.get(companyId))?.settings.textRules ?? "minimal";
}
