/** Why something can't be done to a user: said before the server has to refuse it. */
import { assignableRoles, roleLabel } from "#core/access/roles.ts";
import type { Me } from "#core/accounts/schema.ts";
import type { User } from "#core/users/schema.ts";
import { texts } from "./texts.ts";

export interface UserRefusals {
  edit: string | undefined;
  resetPassword: string | undefined;
  /** Suspend and activate. */
  status: string | undefined;
  remove: string | undefined;
}

/** You can't manage users whose role you can't assign, nor change your own role, status, email or password here. */
export function refusalsOf(me: Me, user: User): UserRefusals {
  if (user.id === me.id) {
    return { edit: undefined, resetPassword: texts.ownPassword, status: texts.ownStatus, remove: texts.ownRemove };
  }
  const beyond = assignableRoles(me.role).includes(user.role)
    ? undefined
    : `You can't change a ${roleLabel(user.role)}.`;
  return {
    edit: beyond,
    resetPassword: beyond ?? (user.status === "active" ? undefined : texts.activateFirst),
    status: beyond,
    remove: beyond,
  };
}
