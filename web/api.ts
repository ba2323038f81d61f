/** The typed client for screens: what to read, what to write, and which caches a write makes stale. */
import {
  QueryClient,
  QueryCache,
  MutationCache,
  useMutation,
  useQuery,
  useQueryClient,
  type Query,
  type QueryKey,
} from "@tanstack/react-query";
import { createContext, use } from "react";
import { ApiError, createClient, type Client, type Send } from "#core/api/client.ts";
import { catalog } from "#core/language/catalog.ts";
import type { Resource, Route } from "#core/contract/route.ts";
import { signInRefusals } from "#core/sign-in/refusals.ts";
import { routes } from "#core/api/routes.ts";
import type { Schemas } from "#core/api/schemas.ts";
import { discardPrefetched, takePrefetched } from "./prefetched-reads.ts";
import { timeUntil } from "./ui/time.ts";

const texts = catalog("api", {
  /** The seed's words, for tries of a password and the like. */
  tooMany: "Too many attempts. Please try again {when}.",
  later: "{reason}. Try again {when}.",
});

export type AppClient = Client<Schemas>;
type Group = keyof AppClient;
type Name<G extends Group> = keyof AppClient[G];
type Row<G extends Group, N extends Name<G>> = AppClient[G][N] extends (...input: infer I) => Promise<infer O>
  ? { input: I[0]; output: O }
  : never;
export type Input<G extends Group, N extends Name<G>> = Row<G, N>["input"];
export type Output<G extends Group, N extends Name<G>> = Row<G, N>["output"];

/** All calls send cookies. */
export const browserSend: Send = ({ method, url, headers, body, signal, keepalive }) =>
  (method === "GET" && takePrefetched(url)) ||
  fetch(url, {
    method,
    headers,
    credentials: "include",
    ...(body !== undefined && { body: body as BodyInit }),
    ...(signal && { signal }),
    ...(keepalive && { keepalive }),
  });

export function createAppClient(send: Send): AppClient {
  return createClient<Schemas>(routes, send);
}

export const ClientContext = createContext<AppClient | null>(null);

export function useClient(): AppClient {
  const client = use(ClientContext);
  if (!client) throw new Error("useClient needs a Session above it");
  return client;
}

/** The key of a read derives from its row: `["sops", "get", {params: {id}}]`. */
export function keyOf<G extends Group, N extends Name<G>>(group: G, name: N, input?: Input<G, N>): QueryKey {
  const isEmpty = input === undefined || Object.keys(input as object).length === 0;
  return isEmpty ? [group, name] : [group, name, input];
}

function callRow<G extends Group, N extends Name<G>>(client: AppClient, group: G, name: N, input: Input<G, N>) {
  const call = client[group][name] as (input: Input<G, N>) => Promise<Output<G, N>>;
  return call(input);
}

/**
 * Reads once, and again when the server says that it changed.
 * `useRead("sops", "get", {params: {id}})`, `useRead("stats", "get", {})`
 */
export function useRead<G extends Group, N extends Name<G>>(
  group: G,
  name: N,
  input: Input<G, N>,
  options: {
    enabled?: boolean;
    /** Stays as it was read while it is shown: what never changes, and may go out of sight. */
    still?: boolean;
    /** Is fetched again when the window gets the focus: others may have changed it on another page. */
    onFocus?: boolean;
  } = {},
) {
  const client = useClient();
  const { enabled = true, still = false, onFocus = false } = options;
  return useQuery({
    enabled,
    refetchOnWindowFocus: onFocus && "always",
    meta: { still },
    queryKey: keyOf(group, name, input),
    queryFn: ({ signal }) => callRow(client, group, name, { ...(input as object), signal } as Input<G, N>),
  });
}

/** Writes, and makes stale what its row `touches`. `useWrite("sops", "update").mutateAsync({params, body, ifMatch})` */
export function useWrite<G extends Group, N extends Name<G>>(group: G, name: N) {
  const client = useClient();
  const queryClient = useQueryClient();
  return useMutation<Output<G, N>, Error, Input<G, N>>({
    mutationFn: (input) => withProof(client, () => callRow(client, group, name, input)),
    onSuccess: () => void refresh(queryClient, touchedBy(group, name)),
  });
}

/** What can make a way to sign in needs the password again after a while. Then it is asked for, and the write goes on. */
async function withProof<T>(client: AppClient, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof ApiError && error.code === "proof_needed")) throw error;
    const { askForPassword } = await import("./sign-in/ProofDialog.tsx");
    if (!(await askForPassword(client))) throw error;
    return write();
  }
}

function touchedBy<G extends Group>(group: G, name: Name<G>): readonly Resource[] {
  const rows: Readonly<Record<PropertyKey, Route>> = routes[group];
  return rows[name]?.touches ?? [];
}

/** A resource is read by the group of its name, or by these groups and calls; what concerns me is read by `auth`. */
const readBy: Partial<Record<Resource, readonly string[]>> = {
  me: ["auth", "acknowledgements", "stats"],
  acknowledgements: ["acknowledgements", "stats"],
  // the glossary says what a search finds
  company: ["auth", "company", "search", "sops"],
  sops: ["sops", "search"],
  // who joins can be chosen to approve
  users: ["users", "adminUsers", "companyUsers", "approvals.candidates"],
};

/** What is on screen is fetched again now, the rest when it is next shown. @param resources all when absent */
export async function refresh(queryClient: QueryClient, resources?: Iterable<Resource>): Promise<void> {
  discardPrefetched();
  const groups = resources && new Set<string>([...resources].flatMap((resource) => readBy[resource] ?? [resource]));
  const isTouched = ({ queryKey }: Query) =>
    !groups || groups.has(String(queryKey[0])) || groups.has(`${String(queryKey[0])}.${String(queryKey[1])}`);
  // a first answer that is on its way may be from before the change, and would not be asked for again
  const isOnItsWay = ({ state }: Query) => state.data === undefined && state.fetchStatus === "fetching";
  await queryClient.cancelQueries({ predicate: (query) => isTouched(query) && isOnItsWay(query) });
  const isStill = ({ meta, state }: Query) => meta?.["still"] === true && state.data !== undefined;
  await Promise.all([
    queryClient.invalidateQueries({ predicate: (query) => isTouched(query) && isStill(query), refetchType: "none" }),
    queryClient.invalidateQueries({ predicate: (query) => isTouched(query) && !isStill(query) }),
  ]);
}

/** No retries, fresh forever, no refetch on focus, no polling: the server says what changed (`docs/spec/screens.md`). */
export function createQueryClient(): QueryClient {
  const noticeSignedOut = (error: Error) => {
    if (error instanceof ApiError && error.status === 401) {
      void queryClient.invalidateQueries({ queryKey: keyOf("auth", "check") });
    }
  };
  const queryClient = new QueryClient({
    queryCache: new QueryCache({ onError: noticeSignedOut }),
    mutationCache: new MutationCache({ onError: noticeSignedOut }),
    defaultOptions: {
      queries: {
        retry: false,
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        networkMode: "always",
      },
      mutations: { retry: false, networkMode: "always" },
    },
  });
  queryClient.setQueryDefaults(keyOf("auth", "check"), { structuralSharing: keepStart });
  return queryClient;
}

/** Asked again about the same user, the check still says where the events were before all other reads. */
function keepStart(before: unknown, now: unknown): unknown {
  const [old, fresh] = [before, now] as [Output<"auth", "check"> | undefined, Output<"auth", "check">];
  return old?.eventSeq && old.userId === fresh.userId ? { ...fresh, eventSeq: old.eventSeq } : fresh;
}

/** What to show of a failure: how long to wait, the server's message, or the screen's text. */
export function messageOf(error: unknown, fallback: string): string {
  if (!(error instanceof ApiError)) return fallback;
  const { code, serverMessage, retryAfterSeconds: seconds } = error;
  if (seconds === null || (code !== "rate_limited" && code !== "busy")) return serverMessage || fallback;
  if (!serverMessage || error.reason?.id === signInRefusals.attempts().id)
    return texts.tooMany({ when: timeUntil(seconds) });
  return texts.later({ reason: serverMessage.replace(/[,.].*$/, ""), when: timeUntil(seconds) });
}
