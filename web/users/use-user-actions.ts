/** What a row's menu does to a user; every outcome is told. */
import { useState } from "react";
import { otherStatus } from "#core/users/rules.ts";
import type { User } from "#core/users/schema.ts";
import { messageOf, useWrite } from "../api.ts";
import { useToast } from "../ui/Toast.tsx";
import { texts } from "./texts.ts";
import type { UserScope } from "./user-scope.ts";

/** A link that is to be handed over by hand. */
export interface HandedLink {
  user: Pick<User, "name">;
  link: string;
}

export function useUserActions({ group }: UserScope) {
  const toast = useToast();
  const update = useWrite(group, "update");
  const remove = useWrite(group, "remove");
  const resetPassword = useWrite(group, "resetPassword");
  const [link, setLink] = useState<HandedLink | null>(null);

  const refused = (error: unknown, title: string, fallback?: string) => {
    const words = messageOf(error, fallback ?? "");
    toast({ title, ...(words && { description: words }), variant: "destructive" });
  };

  return {
    link,
    setLink,
    removing: remove.isPending,
    /** Active becomes suspended, anything else active, by sending the whole user (seed §4). */
    async switchStatus(user: User) {
      const status = otherStatus(user.status);
      try {
        await update.mutateAsync({ params: { id: user.id }, body: { ...user, status } });
        toast({ title: texts.updated, description: `${user.name} is ${status} now.` });
      } catch (error) {
        refused(error, texts.updateFailed);
      }
    },
    async resetPassword(user: User) {
      try {
        const answer = await resetPassword.mutateAsync({ params: { id: user.id } });
        if (answer.link === undefined) {
          toast({ title: texts.reset, description: `A reset link was sent to ${user.email ?? user.name}.` });
        } else setLink({ user, link: answer.link });
      } catch (error) {
        refused(error, texts.error, texts.resetFailed);
      }
    },
    /** @returns why it was refused, or null when it is done */
    async remove(user: User): Promise<string | null> {
      try {
        await remove.mutateAsync({ params: { id: user.id } });
        toast({ title: texts.removed, description: `${user.name} can no longer sign in.` });
        return null;
      } catch (error) {
        return messageOf(error, texts.removeFailed);
      }
    },
  };
}

export type UserActions = ReturnType<typeof useUserActions>;
