/** Finds the server and the token for a command, and sends requests. */
import { limits } from "#core/limits.ts";
import { parseWebAddress } from "#core/addresses/web-address.ts";
import { routes } from "#core/api/routes.ts";
import { ApiError, createClient, type ApiAnswer, type Client, type ApiRequest, type Send } from "#core/api/client.ts";
import type { Schemas } from "#core/api/schemas.ts";
import { CliError, exit, interruptedError, invalidInputError } from "./exit.ts";
import { findCredential } from "./credentials.ts";
import type { CommandContext } from "./context.ts";
import { withRetries } from "./retry.ts";

export type SopClient = Client<Schemas>;

type SopQuery = NonNullable<Parameters<SopClient["sops"]["list"]>[0]>["query"];

/** Reads the list of the SOPs that match a query, in pages of the largest size. */
export async function* readSopPages(client: SopClient, query: Omit<NonNullable<SopQuery>, "cursor" | "limit">) {
  let cursor: string | undefined;
  do {
    const page = await client.sops.list({
      query: { limit: limits.pageSizeMax, ...query, ...(cursor !== undefined && { cursor }) },
    });
    yield page;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}

export interface ServerConnection {
  server: string;
  token: string | null;
  /** The origin of the token: the variable SOP_TOKEN or a sign-in; null without a token. */
  source: "SOP_TOKEN" | "login" | null;
  username: string | null;
}

/**
 * The address in hints, and of requests without a token if no server is known. No token or password goes to it unless
 * the user names it, because any user of this machine could listen on its port.
 */
const usualServer = "http://localhost:3000";
/**
 * Milliseconds to wait for an answer, because the server can need minutes to import 50 large documents. A request to an
 * unreachable server fails at once.
 */
const answerWithinMs = 180_000;

type ServerContext = Pick<CommandContext, "flags" | "env">;

/** Finds server and token: by --profile or --server, or else by SOP_SERVER, or else by the last sign-in. */
export async function findConnection({ flags, env }: ServerContext): Promise<ServerConnection> {
  const named = flags.server ?? (flags.profile === undefined ? env["SOP_SERVER"] || undefined : undefined);
  const server = named === undefined ? undefined : parseServerOrigin(named, env);
  const credential = await findCredential(env, { profile: flags.profile, server });
  if (flags.profile !== undefined && credential === null) {
    throw invalidInputError("no_profile", `no sign-in named ${flags.profile}`, {
      hint: `sop login --profile ${flags.profile} --server <url>`,
    });
  }
  if (credential !== null && server !== undefined && credential.server !== server) {
    throw invalidInputError(
      "profile_server",
      `the sign-in ${credential.key} is for ${credential.server}, not for ${server}`,
    );
  }
  const url = server ?? parseServerOrigin(credential?.server ?? usualServer, env);
  const given = env["SOP_TOKEN"] || null;
  if (given !== null && server === undefined && flags.profile === undefined)
    throw noServerError("SOP_TOKEN is set, but not the server to send it to");
  if (given !== null) return { server: url, token: given, source: "SOP_TOKEN", username: null };
  const token = credential?.token ?? null;
  return { server: url, token, source: token === null ? null : "login", username: credential?.username ?? null };
}

/**
 * Returns the error for a command that would send a token or password without a named server. No default server gets
 * one.
 */
export function noServerError(message: string): CliError {
  return invalidInputError("no_server", message, {
    hint: `set SOP_SERVER, or add --server, such as --server ${usualServer}`,
  });
}

/**
 * Returns the origin of a server's address, such as `https://sops.example.com`. Allows plain http only for this
 * machine.
 */
export function parseServerOrigin(text: string, env: NodeJS.ProcessEnv): string {
  const url = parseWebAddress(text);
  if (url === null) {
    const { username = "", password = "" } = URL.parse(text) ?? {};
    if (username || password) throw invalidInputError("server", "an address can't contain a name or password");
    throw invalidInputError("server", `${text} is not the address of a server`, {
      hint: "such as https://sops.example.com",
    });
  }
  if (url.protocol === "http:" && !isLoopback(url.hostname) && env["ALLOW_INSECURE"] !== "1") {
    throw invalidInputError("insecure", `${url.origin}: plain http is allowed only on this machine`, {
      hint: "use https://, or set ALLOW_INSECURE=1 on a private network",
    });
  }
  return url.origin;
}

export function isLoopback(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost") || host === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(host);
}

export interface SignedInClient {
  client: SopClient;
  send: Send;
  /** Returns the bytes that a file route answers with. */
  download(request: ApiRequest): Promise<Uint8Array>;
  /** Returns the bytes and headers that a file route answers with. */
  receive(request: ApiRequest): Promise<{ bytes: Uint8Array; headers: Headers }>;
  connection: ServerConnection;
}

/** Connects with a token. @throws exit 4 without one */
export async function connectSignedIn(context: CommandContext): Promise<SignedInClient> {
  const connection = await findConnection(context);
  if (connection.token === null) {
    throw new CliError(exit.access, {
      code: "unauthenticated",
      message: `not signed in at ${connection.server}`,
      hint: `run \`sop login --server ${connection.server}\`, or set SOP_TOKEN`,
    });
  }
  const headers = { authorization: `Bearer ${connection.token}` };
  const { signal, out } = context;
  let isFirst = true;
  // Reads are repeated, because a pull of many SOPs and images can exceed a rate limit. For writes the caller decides.
  const fetchAnswer = async (request: ApiRequest): Promise<Response> => {
    if (request.method !== "GET") return await fetchFromServer(connection.server, signal, request, headers);
    return await withRetries(() => tryRequest(request), { signal, isFirst, progress: out.progress });
  };
  const tryRequest = async (request: ApiRequest): Promise<Response> => {
    const response = await fetchFromServer(connection.server, signal, request, headers);
    isFirst = false;
    if (response.status !== 429 && response.status !== 503) return response;
    throw new ApiError(response.status, await response.text(), response.statusText);
  };
  const send: Send = async (request) => serverAnswerOf(await fetchAnswer(request));
  const receive = async (request: ApiRequest) => {
    const response = await fetchAnswer(request);
    if (!response.ok) throw new ApiError(response.status, await response.text(), response.statusText);
    return { bytes: await response.bytes(), headers: response.headers };
  };
  const download = async (request: ApiRequest) => (await receive(request)).bytes;
  return { client: createClient<Schemas>(routes, send), send, download, receive, connection };
}

/** Returns a function that sends requests by `fetch`. @throws CliError exit 5 without an answer, exit 130 after ^C */
export function createSend(server: string, signal: AbortSignal, headers: Record<string, string> = {}): Send {
  return async (request) => serverAnswerOf(await fetchFromServer(server, signal, request, headers));
}

/**
 * Returns a function that sends requests with a session, which is needed to create a token. The function stores cookies
 * and sends the origin, as a browser would.
 */
export function createSessionSend(server: string, signal: AbortSignal): Send {
  const cookies = new Map<string, string>();
  return async (request) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetchFromServer(server, signal, request, { origin: server, ...(cookie && { cookie }) });
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=;]+)=([^;]*)/.exec(line) ?? [];
      if (name !== undefined && value !== undefined) cookies.set(name, value);
    }
    return serverAnswerOf(response);
  };
}

export async function fetchFromServer(
  server: string,
  signal: AbortSignal,
  request: ApiRequest,
  headers: Record<string, string>,
): Promise<Response> {
  try {
    return await fetch(server + request.url, {
      method: request.method,
      headers: { ...request.headers, ...headers, "user-agent": "sop" },
      body: request.body ?? null,
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(answerWithinMs)]),
    });
  } catch (error) {
    throw signal.aborted ? interruptedError() : unreachableServerError(server, error);
  }
}

/** Converts a response. An error while its body is read counts as no answer from the server. */
function serverAnswerOf(response: Response): ApiAnswer {
  return {
    status: response.status,
    statusText: response.statusText,
    headers: response.headers,
    text: async () => {
      try {
        return await response.text();
      } catch (error) {
        throw unreachableServerError(new URL(response.url).origin, error);
      }
    },
  };
}

function unreachableServerError(server: string, error: unknown): CliError {
  return new CliError(
    exit.network,
    {
      code: "unreachable",
      message: `no answer from ${server} (${networkReason(error)})`,
      hint: "check that the server is running and the address is right; set another with --server or SOP_SERVER",
    },
    error,
  );
}

function networkReason(error: unknown): string {
  const { name, cause, message } = error as {
    name?: string;
    cause?: { code?: string; message?: string };
    message?: string;
  };
  if (name === "TimeoutError") return `waited ${answerWithinMs / 1000} s`;
  return cause?.code ?? cause?.message ?? message ?? "network error";
}
