import type { Glossary } from "#core/companies/glossary.ts";
import type { Services } from "../http/services.ts";

const none: Glossary = [];

/** The words that mean the same to a company; one that was founded before there were glossaries has none. */
export async function glossaryOf({ companies }: Pick<Services, "companies">, companyId: string): Promise<Glossary> {
  const company = await companies.get(companyId);
  return (company?.settings as { glossary?: Glossary } | undefined)?.glossary ?? none;
}
