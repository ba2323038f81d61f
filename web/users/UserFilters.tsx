import { assignableRoles, roleLabel } from "#core/access/roles.ts";
import { useMe } from "../session.tsx";
import { ListSearch } from "../sops/ListSearch.tsx";
import { Select } from "../ui/Select.tsx";
import { statusOptions, texts } from "./texts.ts";

export type UserFilterValues = { search: string; role: string; status: string };

interface UserFiltersProps {
  filters: UserFilterValues;
  set(change: Partial<UserFilterValues>, options?: { replace?: boolean }): void;
}

/** Search, role (those the viewer may assign), status. */
export function UserFilters({ filters, set }: UserFiltersProps) {
  const { role } = useMe();
  const roleOptions = [
    { value: "all", label: texts.allRoles },
    ...assignableRoles(role).map((value) => ({ value, label: roleLabel(value) })),
  ];
  return (
    <section aria-label={texts.filters} className="grid grid-cols-2 gap-3 lg:grid-cols-[minmax(0,1fr)_12rem_10rem]">
      <div className="col-span-2 lg:col-span-1">
        <ListSearch
          label={texts.search}
          value={filters.search}
          onSearch={(search) => set({ search }, { replace: true })}
        />
      </div>
      <Select
        aria-label={texts.role}
        options={roleOptions}
        value={filters.role}
        onChange={(event) => set({ role: event.target.value })}
      />
      <Select
        aria-label={texts.status}
        options={statusOptions}
        value={filters.status}
        onChange={(event) => set({ status: event.target.value })}
      />
    </section>
  );
}
