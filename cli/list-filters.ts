/** Declares flags that filter the server's list of SOPs. */
import { type Command, Option } from "commander";
import { shownStatuses, type ShownStatus } from "#core/sops/statuses.ts";
import { parseLanguageTag } from "./option-values.ts";

export interface ListFilterOptions {
  tag?: string;
  owner?: string;
  team?: string;
  lang?: string;
}

export interface StatusFilter extends ListFilterOptions {
  status?: ShownStatus;
}

export const filterFlags = ["status", "tag", "owner", "team", "lang"] as const;

export function addListFilters(command: Command): Command {
  return command
    .option("--tag <tag>", "only SOPs with this tag")
    .option("--owner <user>", "only SOPs of this owner: username, id or none")
    .option("--team <team>", "only SOPs of this team: its short name, id or none")
    .option("--lang <tag>", "only SOPs in this language, such as de", parseLanguageTag);
}

export function addStatusAndListFilters(command: Command): Command {
  return addListFilters(command.addOption(new Option("--status <status>", "only these").choices(shownStatuses)));
}

export interface ServerFilter extends StatusFilter {
  view?: "published";
}

/**
 * Returns the given filters as a query. The status `published` asks for published versions, even if a newer draft
 * exists.
 */
export function serverFiltersOf(options: StatusFilter): ServerFilter {
  const given = filterFlags.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]]));
  const filters = Object.fromEntries(given) as StatusFilter;
  return options.status === "published" ? { ...filters, view: "published" } : filters;
}
