/**
 * Resolves the filters of a list: an owner by id or username, a team by id or slug. A category includes its children.
 */
import type { Actor } from "#core/permissions/actor.ts";
import { categoryIdsWithin } from "#core/categories/rules.ts";
import { isId } from "#core/ids.ts";
import { nestingFieldsOf } from "../../categories/store.ts";
import type { Services } from "../../http/services.ts";
import type { ListFilters } from "./streams.ts";

/**
 * Returns the query with ids in place of names, and with the ids of a category and its children as `categories`. An
 * unknown name stays, and matches no SOP.
 */
export async function withResolvedFilters<Query extends Pick<ListFilters, "owner" | "team" | "category">>(
  { db, companies }: Pick<Services, "db" | "companies">,
  { companyId }: Actor,
  query: Query,
): Promise<Query & Pick<ListFilters, "categories">> {
  const company = db.forCompany(companyId);
  const isName = (text: string | undefined): text is string => text !== undefined && text !== "none" && !isId(text);
  const [owner, team, categories] = await Promise.all([
    isName(query.owner) ? company.collection("users").findOne({ username: query.owner }) : null,
    isName(query.team) ? company.collection("teams").findOne({ slug: query.team }) : null,
    isId(query.category ?? "") ? companies.categories(companyId) : [],
  ]);
  const wanted = categoryIdsWithin(nestingFieldsOf(categories), query.category ?? "");
  return {
    ...query,
    ...(owner ? { owner: owner._id } : {}),
    ...(team ? { team: team._id } : {}),
    ...(wanted.length > 1 ? { categories: wanted } : {}),
  };
}
