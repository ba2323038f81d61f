import type { Glossary } from "#core/companies/glossary.ts";
import type { Services } from "../http/services.ts";

const none: Glossary = [];

/** Loads the company's synonyms; none for a company created before there were synonyms. */
export async function loadGlossary({ companies }: Pick<Services, "companies">, companyId: string): Promise<Glossary> {
  const company = await companies.get(companyId);
  return (company?.settings as { glossary?: Glossary } | undefined)?.glossary ?? none;
}
