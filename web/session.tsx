/** The signed-in user of all tabs. When the user changes, all caches are discarded. */
import { QueryClientProvider, type QueryClient } from "@tanstack/react-query";
import { createContext, use, useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from "react";
import type { PermittedAction } from "#core/permissions/actions.ts";
import type { Actor, SopFacts } from "#core/permissions/actor.ts";
import { can } from "#core/permissions/can.ts";
import type { Me } from "#core/sign-in/schema.ts";
import type { UnsentReason } from "#core/users/schema.ts";
import { ApiError, type Send } from "#core/api/client.ts";
import type { SopRow } from "#core/sops/schema.ts";
import { ClientContext, createAppClient, createQueryClient, queryKeyOf, useRead, type Output } from "./api.ts";
import { discardPrefetched, sessionChannel } from "./prefetched-reads.ts";

interface SessionControl {
  /** Replaces the caches in all tabs after signing in (a user) or out (null). */
  restart(user: Me | null): void;
  /**
   * Stores whether the user is signing out here. The sign-in page isn't shown until signing out has finished or failed.
   */
  leave(isLeaving: boolean): void;
  isLeaving: boolean;
  /**
   * Called when the server reports that no one is signed in. Works like `restart(null)`, and the sign-in page says why.
   */
  end(): void;
  /** Discards this tab's cache after it got answers for two different users, so that all data is read again. */
  discardCache(): void;
  /** True if the last session ended without the user signing out here. */
  hasEnded: boolean;
  /**
   * Returns a number that grows when the user changes. A screen that closes compares it, so that it sends nothing as
   * the next user.
   */
  turn(): number;
}

const SessionContext = createContext<SessionControl | null>(null);
const MeContext = createContext<Me | null>(null);
export const MeProvider = MeContext.Provider;

/**
 * Keeps one user's data from the next user: when the user changes, the cache is replaced and all screens mount again.
 */
export function Session({ send, children }: { send: Send; children: ReactNode }) {
  const client = useMemo(() => createAppClient(send), [send]);
  const [cache, setCache] = useState(() => ({
    turn: 0,
    queries: createQueryClient(),
    hasEnded: false,
    isLeaving: false,
  }));
  const channel = useRef<BroadcastChannel>(null);
  const turn = useRef(0);

  const replaceCache = useCallback((hasEnded: boolean, seed?: (fresh: QueryClient, old: QueryClient) => void) => {
    discardPrefetched();
    turn.current += 1;
    setCache((old) => {
      const queries = createQueryClient();
      seed?.(queries, old.queries);
      return { turn: old.turn + 1, queries, hasEnded, isLeaving: false };
    });
  }, []);

  useEffect(() => {
    const opened = new BroadcastChannel(sessionChannel);
    opened.addEventListener("message", ({ data }) => replaceCache(data === "ended"));
    channel.current = opened;
    return () => opened.close();
  }, [replaceCache]);

  // These functions stay the same, so that components that use them don't run their effects again.
  const actions = useMemo(
    () => ({
      restart: (user: Me | null) => {
        replaceCache(false, (fresh, old) => seedSession(fresh, old, user));
        channel.current?.postMessage("changed");
      },
      end: () => {
        replaceCache(true, (fresh, old) => seedSession(fresh, old, null));
        channel.current?.postMessage("ended");
      },
      discardCache: () => replaceCache(false),
      leave: (isLeaving: boolean) => setCache((old) => ({ ...old, isLeaving })),
      turn: () => turn.current,
    }),
    [replaceCache],
  );
  const { hasEnded, isLeaving } = cache;
  const control = useMemo<SessionControl>(() => ({ ...actions, hasEnded, isLeaving }), [actions, hasEnded, isLeaving]);

  return (
    <ClientContext value={client}>
      <SessionContext value={control}>
        <QueryClientProvider key={cache.turn} client={cache.queries}>
          {children}
        </QueryClientProvider>
      </SessionContext>
    </ClientContext>
  );
}

/**
 * Fills a new cache with the result of signing in or out, so that the user isn't read again. `user` is null after
 * signing out.
 */
function seedSession(fresh: QueryClient, old: QueryClient, user: Me | null) {
  const known = old.getQueryData<Output<"auth", "check">>(queryKeyOf("auth", "check"));
  const own = { authenticated: user !== null, userId: user?.id ?? null, eventSeq: user?.eventSeq ?? null };
  const check: Output<"auth", "check"> = { ...assumedRules, ...known, ...own };
  fresh.setQueryData(queryKeyOf("auth", "check"), check);
  if (user) fresh.setQueryData(queryKeyOf("auth", "me"), { user });
}

export function useSession(): SessionControl {
  const control = use(SessionContext);
  if (!control) throw new Error("useSession needs a Session above it");
  return control;
}

/** The rules for accounts and passwords until the server has reported its own. */
const assumedRules = { registration: "closed", passwordMinimum: 6, address: "", sendsEmail: true };

export type SessionState = { state: "loading" | "out" } | { state: "failed"; retry(): void } | { state: "in"; me: Me };

/**
 * Reads who is signed in. The user is read only if the sign-in check succeeds. If the server refuses that read, no one
 * is signed in.
 */
export function useSignedIn(): SessionState {
  const check = useRead("auth", "check", {});
  const me = useRead("auth", "me", {}, { enabled: check.data?.authenticated === true });
  const { discardCache, isLeaving } = useSession();
  const checked = check.data?.userId;
  // Another tab can change the cookie between the two reads.
  const isOther = typeof checked === "string" && me.data !== undefined && me.data.user.id !== checked;
  useEffect(() => {
    if (isOther) discardCache();
  }, [isOther, discardCache]);
  // While the user signs out, the screen stays until the answer, because the server ends the session first.
  if (check.data?.authenticated === false && !isLeaving) return { state: "out" };
  if (isOther) return { state: "loading" };
  if (me.data) return { state: "in", me: me.data.user };
  if (me.error instanceof ApiError && me.error.status === 401) return { state: "out" };
  const broken = check.isError ? check : me.isError ? me : null;
  if (broken && !broken.isFetching) return { state: "failed", retry: () => void broken.refetch() };
  return { state: "loading" };
}

/** The server's rules for new accounts and passwords, known after the sign-in check. */
export function useAccountRules() {
  return { ...assumedRules, ...useRead("auth", "check", {}).data };
}

/** Why the server won't email the user's invitations, as far as the client can tell; null if it will. */
export function useInvitationUnsentReason(): Exclude<UnsentReason, "limit"> | null {
  const { sendsEmail } = useAccountRules();
  const { role, emailVerified } = useMe();
  if (!sendsEmail) return "no_mail_server";
  return emailVerified || role === "system_admin" ? null : "unconfirmed";
}

/** The id of the last event before any other read. The sign-in check is read first, and later checks keep its value. */
export function useFirstEventId(): string {
  const { data } = useRead("auth", "check", {});
  const { eventSeq } = useMe();
  return data?.eventSeq ?? eventSeq;
}

/** The signed-in user. Only components inside the guard can call this. */
export function useMe(): Me {
  const me = use(MeContext);
  if (!me) throw new Error("useMe needs the guard above it");
  return me;
}

export function actorOfUser(me: Me): Actor {
  return { userId: me.id, companyId: me.companyId, role: me.role, teamIds: me.teamIds, allow: me.allow, deny: me.deny };
}

/** The facts about an SOP that `can` needs. Answers never contain deleted SOPs. */
export type SopLike = Pick<
  SopRow,
  "companyId" | "authorId" | "ownerId" | "teamId" | "status" | "restricted" | "published" | "version"
> &
  Pick<SopFacts, "grants" | "approvers">;

/**
 * Checks permissions with the server's own rules, as in `const may = useMay(); may("sop.create"); may("sop.edit",
 * sop)`.
 */
export function useMay(): (action: PermittedAction, sop?: SopLike) => boolean {
  const actor = actorOfUser(useMe());
  return (action, sop) => can(actor, action, sop && { ...sop, deletedAt: null });
}
