/**
 * Reads and changes one person's own permissions. System administrators can change all users, others those of their
 * company.
 */
import { useQueryClient } from "@tanstack/react-query";
import { queryKeyOf, useRead, useWrite, type Output } from "../api.ts";
import { useMay } from "../session.tsx";

export type UserRights = Output<"companyPermissions", "list">;

export function useUserPermissions(id: string) {
  const may = useMay();
  const queryClient = useQueryClient();
  // `adminPermissions` and `companyPermissions` have the same routes at two addresses.
  const group = (may("companies.manage") ? "adminPermissions" : "companyPermissions") as "companyPermissions";
  const params = { id };
  const set = useWrite(group, "set");
  const clear = useWrite(group, "clear");
  /** Caches all permissions of the user, which the server sends after each change. */
  const cachePermissions = (permissions: UserRights) =>
    queryClient.setQueryData(queryKeyOf(group, "list", { params }), permissions);
  return {
    rights: useRead(group, "list", { params }),
    isSaving: set.isPending,
    isClearing: (permissionId: string) => clear.isPending && clear.variables.params.permissionId === permissionId,
    set: async (body: Parameters<typeof set.mutateAsync>[0]["body"]) =>
      cachePermissions(await set.mutateAsync({ params, body })),
    clear: async (permissionId: string) => cachePermissions(await clear.mutateAsync({ params: { id, permissionId } })),
  };
}
