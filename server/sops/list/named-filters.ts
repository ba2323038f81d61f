/** Filters name an owner by id or username, and a team by id or slug. */
import type { Actor } from "#core/permissions/actor.ts";
import { isId } from "#core/ids.ts";
import type { Services } from "../../http/services.ts";
import type { ListFilters } from "./streams.ts";

/** The same query with ids. A name that is not known stays, and finds nothing. */
export async function withIds<Query extends Pick<ListFilters, "owner" | "team">>(
  { db }: Pick<Services, "db">,
  { companyId }: Actor,
  query: Query,
): Promise<Query> {
  const company = db.forCompany(companyId);
  const isName = (text: string | undefined): text is string => text !== undefined && text !== "none" && !isId(text);
  const [owner, team] = await Promise.all([
    isName(query.owner) ? company.collection("users").findOne({ username: query.owner }) : null,
    isName(query.team) ? company.collection("teams").findOne({ slug: query.team }) : null,
  ]);
  return { ...query, ...(owner ? { owner: owner._id } : {}), ...(team ? { team: team._id } : {}) };
}
