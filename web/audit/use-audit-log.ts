import { printedName } from "#core/users/printed-name.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useRead } from "../api.ts";
import { useMe } from "../session.tsx";
import { usePages } from "../use-pages.ts";
import { useUrlFilters } from "../use-url-filters.ts";

const defaultFilters = { search: "", userId: "", action: "", entityType: "", entityId: "", from: "", to: "" };
const auditQueries = { queryKey: ["audit"] };

/** Reads the log with the filters in the address, page by page. `given` has the filters that are set. */
export function useAuditLog() {
  const queryClient = useQueryClient();
  const { filters, set, clear, isFiltered } = useUrlFilters(defaultFilters);
  const given = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ""));
  // Every action adds to the log, so nothing is cached for the next visit.
  useEffect(() => () => queryClient.removeQueries(auditQueries), [queryClient]);
  return {
    filters,
    set,
    clear,
    isFiltered,
    given,
    pages: usePages("audit", given),
    refresh: () => void queryClient.invalidateQueries(auditQueries),
  };
}

export type AuditFilters = ReturnType<typeof useAuditLog>["filters"];

/**
 * Returns a function that finds the current name for an id in the log; undefined if the user can't see the record or it
 * is gone.
 */
export function useNameLookup(): (id: string) => string | undefined {
  const people = useRead("users", "list", {});
  const teams = useRead("teams", "list", {});
  const categories = useRead("categories", "list", {});
  const { company } = useMe();
  const names = new Map([[company], teams.data ?? [], categories.data ?? []].flat().map(({ id, name }) => [id, name]));
  for (const person of people.data ?? []) names.set(person.id, printedName(person));
  return (id) => names.get(id);
}
