/** The actions of a row's menu on a user. Each shows its success as a toast or a link. */
import { useState } from "react";
import type { UnsentReason, User } from "#core/users/schema.ts";
import { printedName } from "#core/users/printed-name.ts";
import { errorMessageOf, useWrite } from "../api.ts";
import { useToast } from "../ui/Toast.tsx";
import { texts } from "./texts.ts";
import type { UserScope } from "./user-scope.ts";

/** A link that the administrator has to pass on. */
export interface OneTimeLink {
  user: Pick<User, "name">;
  link: string;
  /** The reason why a user with an email address got no email; absent if the user has no address. */
  unsent?: UnsentReason | undefined;
}

export function useUserActions({ group }: UserScope) {
  const toast = useToast();
  const update = useWrite(group, "update");
  const remove = useWrite(group, "remove");
  const resetPassword = useWrite(group, "resetPassword");
  const [link, setLink] = useState<OneTimeLink | null>(null);

  const showError = (error: unknown, title: string, fallback?: string) => {
    const words = errorMessageOf(error, fallback ?? "");
    toast({ title, ...(words && { description: words }), variant: "destructive" });
  };

  const setStatus = (user: User, status: User["status"]): Promise<User> =>
    update.mutateAsync({ params: { id: user.id }, body: { ...user, status } });
  const showUpdated = ({ name, status }: User, undo?: () => void) =>
    toast({
      title: texts.updated,
      description: texts.isNow({ name, status }),
      ...(undo && { action: { label: texts.undo, onClick: undo } }),
    });
  /** Restores the status that the user had before being activated. */
  const restoreStatus = async (user: User): Promise<void> => {
    try {
      showUpdated(await setStatus(user, user.status));
    } catch (error) {
      showError(error, texts.updateFailed);
    }
  };

  return {
    link,
    setLink,
    removing: remove.isPending,
    changing: update.isPending,
    /** Activates a user with any other status, by sending the whole user (`docs/spec/statuses.md`). */
    async activate(user: User) {
      try {
        const { status } = await setStatus(user, "active");
        showUpdated({ ...user, status }, () => void restoreStatus(user));
      } catch (error) {
        showError(error, texts.updateFailed);
      }
    },
    /** @returns the reason for a refusal, or null after success */
    async suspend(user: User): Promise<string | null> {
      try {
        showUpdated(await setStatus(user, "suspended"));
        return null;
      } catch (error) {
        return errorMessageOf(error, texts.updateFailed);
      }
    },
    async resetPassword(user: User) {
      try {
        const answer = await resetPassword.mutateAsync({ params: { id: user.id } });
        if (answer.link === undefined) {
          toast({ title: texts.reset, description: texts.resetLinkSent({ to: user.email ?? printedName(user) }) });
        } else setLink({ user, link: answer.link, unsent: answer.unsent });
      } catch (error) {
        showError(error, texts.error, texts.resetFailed);
      }
    },
    /** @returns the reason for a refusal, or null after success */
    async remove(user: User): Promise<string | null> {
      try {
        await remove.mutateAsync({ params: { id: user.id } });
        toast({ title: texts.removed, description: texts.canNoLongerSign({ user: printedName(user) }) });
        return null;
      } catch (error) {
        return errorMessageOf(error, texts.removeFailed);
      }
    },
  };
}
