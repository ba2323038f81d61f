import type { Glossary } from "#core/companies/glossary.ts";
import type { Services } from "../http/services.ts";

const none: Glossary = [];

/** The company's synonyms; empty for a company older than synonyms. */
export async function loadGlossary({ companies }: Pick<Services, "companies">, companyId: string): Promise<Glossary> {
  const company = await companies.get(companyId);
  return (company?.settings as { glossary?: Glossary } | undefined)?.glossary ?? none;
}
