/** The typed client for screens. It reads and writes, and marks the reads that a write makes stale. */
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
import { catalog, sentenceOfMessage, spokenText } from "#core/language/catalog.ts";
import type { Route } from "#core/contract/route.ts";
import { signInRefusals } from "#core/sign-in/refusals.ts";
import { routes, type Resource } from "#core/api/routes.ts";
import type { Schemas } from "#core/api/schemas.ts";
import { discardPrefetched, takePrefetched } from "./prefetched-reads.ts";
import { timeUntil } from "./ui/time.ts";

const texts = catalog("api", {
  /** The specification's words for too many attempts, such as wrong passwords. */
  tooMany: "Too many attempts. Please try again {when}.",
  later: "{reason}. Try again {when}.",
});

export type AppClient = Client<Schemas>;
type EndpointGroup = keyof AppClient;
type EndpointName<G extends EndpointGroup> = keyof AppClient[G];
type EndpointTypes<G extends EndpointGroup, N extends EndpointName<G>> = AppClient[G][N] extends (
  ...input: infer I
) => Promise<infer O>
  ? { input: I[0]; output: O }
  : never;
export type Input<G extends EndpointGroup, N extends EndpointName<G>> = EndpointTypes<G, N>["input"];
export type Output<G extends EndpointGroup, N extends EndpointName<G>> = EndpointTypes<G, N>["output"];

/** Sends calls with cookies. A GET takes a prefetched answer if there is one. */
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

/** The cache key of a read, such as `["sops", "get", {params: {id}}]`. */
export function queryKeyOf<G extends EndpointGroup, N extends EndpointName<G>>(
  group: G,
  name: N,
  input?: Input<G, N>,
): QueryKey {
  const isEmpty = input === undefined || Object.keys(input as object).length === 0;
  return isEmpty ? [group, name] : [group, name, input];
}

function callEndpoint<G extends EndpointGroup, N extends EndpointName<G>>(
  client: AppClient,
  group: G,
  name: N,
  input: Input<G, N>,
) {
  const call = client[group][name] as (input: Input<G, N>) => Promise<Output<G, N>>;
  return call(input);
}

/** Reads data, and reads it again when the server reports a change, as in `useRead("sops", "get", {params: {id}})`. */
export function useRead<G extends EndpointGroup, N extends EndpointName<G>>(
  group: G,
  name: N,
  input: Input<G, N>,
  options: {
    enabled?: boolean;
    /**
     * True to keep the data while it is shown, although it changed: for data that never changes or that the user may
     * lose access to.
     */
    still?: boolean;
    /** Reads again when the window gets the focus, because another page may have changed the data. */
    onFocus?: boolean;
  } = {},
) {
  const client = useClient();
  const { enabled = true, still = false, onFocus = false } = options;
  return useQuery({
    enabled,
    refetchOnWindowFocus: onFocus && "always",
    meta: { still },
    queryKey: queryKeyOf(group, name, input),
    queryFn: ({ signal }) => callEndpoint(client, group, name, { ...(input as object), signal } as Input<G, N>),
  });
}

/**
 * Writes data and marks what its route `touches` as stale, as in `useWrite("sops", "update").mutateAsync({params, body,
 * ifMatch})`.
 */
export function useWrite<G extends EndpointGroup, N extends EndpointName<G>>(group: G, name: N) {
  const client = useClient();
  const queryClient = useQueryClient();
  return useMutation<Output<G, N>, Error, Input<G, N>>({
    mutationFn: (input) => withPasswordProof(client, () => callEndpoint(client, group, name, input)),
    onSuccess: () => void refreshQueries(queryClient, resourcesTouchedBy(group, name)),
  });
}

/**
 * Writes, and repeats the write after the user has typed the password if the server demands it. Changes to ways of
 * signing in need a recent password.
 */
async function withPasswordProof<T>(client: AppClient, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof ApiError && error.code === "proof_needed")) throw error;
    const { askForPassword } = await import("./sign-in/ProofDialog.tsx");
    if (!(await askForPassword(client))) throw error;
    return write();
  }
}

function resourcesTouchedBy<G extends EndpointGroup>(group: G, name: EndpointName<G>): readonly Resource[] {
  const rows: Readonly<Record<PropertyKey, Route>> = routes[group];
  return (rows[name]?.touches ?? []) as readonly Resource[];
}

/**
 * The groups and calls that return each resource. A resource that isn't listed is returned only by the group of its
 * name.
 */
const callsReturning: Partial<Record<Resource, readonly string[]>> = {
  me: ["auth", "acknowledgements", "stats"],
  acknowledgements: ["acknowledgements", "stats"],
  // Searches use the company's glossary.
  company: ["auth", "company", "search", "sops"],
  sops: ["sops", "search"],
  // New users can be chosen as approvers.
  users: ["users", "adminUsers", "companyUsers", "approvals.candidates"],
};

/**
 * Marks cached data as stale. Data on screen is read again at once, other data when it is next shown. Data read with
 * `still` counts as other data.
 * @param resources the resources that changed; all if absent
 */
export async function refreshQueries(queryClient: QueryClient, resources?: Iterable<Resource>): Promise<void> {
  discardPrefetched();
  const groups =
    resources && new Set<string>([...resources].flatMap((resource) => callsReturning[resource] ?? [resource]));
  const isTouched = ({ queryKey }: Query) =>
    !groups || groups.has(String(queryKey[0])) || groups.has(`${String(queryKey[0])}.${String(queryKey[1])}`);
  // A first read that is still running may return data from before the change, so it is canceled and started again.
  const isFirstReadRunning = ({ state }: Query) => state.data === undefined && state.fetchStatus === "fetching";
  await queryClient.cancelQueries({ predicate: (query) => isTouched(query) && isFirstReadRunning(query) });
  const isKeptWhileShown = ({ meta, state }: Query) => meta?.["still"] === true && state.data !== undefined;
  await Promise.all([
    queryClient.invalidateQueries({
      predicate: (query) => isTouched(query) && isKeptWhileShown(query),
      refetchType: "none",
    }),
    queryClient.invalidateQueries({ predicate: (query) => isTouched(query) && !isKeptWhileShown(query) }),
  ]);
}

/** The cache never retries, expires or polls, because the server reports changes (`docs/spec/screens.md`). */
export function createQueryClient(): QueryClient {
  const recheckSignInAfter401 = (error: Error) => {
    if (error instanceof ApiError && error.status === 401) {
      void queryClient.invalidateQueries({ queryKey: queryKeyOf("auth", "check") });
    }
  };
  const queryClient = new QueryClient({
    queryCache: new QueryCache({ onError: recheckSignInAfter401 }),
    mutationCache: new MutationCache({ onError: recheckSignInAfter401 }),
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
  queryClient.setQueryDefaults(queryKeyOf("auth", "check"), { structuralSharing: keepFirstEventSeq });
  return queryClient;
}

/**
 * Keeps the first `eventSeq` of the sign-in check while the user is the same, because all other reads came after it.
 */
function keepFirstEventSeq(before: unknown, now: unknown): unknown {
  const [old, fresh] = [before, now] as [Output<"auth", "check"> | undefined, Output<"auth", "check">];
  return old?.eventSeq && old.userId === fresh.userId ? { ...fresh, eventSeq: old.eventSeq } : fresh;
}

/** The message of an answer, in the reader's language. */
export const messageText = (answer: Parameters<typeof sentenceOfMessage>[0]): string =>
  spokenText(sentenceOfMessage(answer));

/** The text for a failure: how long to wait, the server's message, or the screen's own text. */
export function errorMessageOf(error: unknown, fallback: string): string {
  if (!(error instanceof ApiError)) return fallback;
  const { code, reason, serverMessage, retryAfterSeconds: seconds } = error;
  if (seconds === null || (code !== "rate_limited" && code !== "busy")) return serverMessage || fallback;
  if (reason?.id === signInRefusals.attempts().id) return texts.tooMany({ when: timeUntil(seconds) });
  if (!reason || !serverMessage) return serverMessage || fallback;
  return texts.later({ reason: serverMessage, when: timeUntil(seconds) });
}
