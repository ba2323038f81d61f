/** Which server, with whose token, and how requests leave. */
import { parseWebAddress } from "#core/addresses/web-address.ts";
import { routes } from "#core/api/routes.ts";
import { ApiError, createClient, type Answer, type Client, type Request, type Send } from "#core/api/client.ts";
import type { Schemas } from "#core/api/schemas.ts";
import { CliError, exit, interrupted, invalid } from "./exit.ts";
import { findCredential } from "./credentials.ts";
import type { Context } from "./context.ts";
import { withRetries } from "./retry.ts";

export type SopClient = Client<Schemas>;

export interface Connection {
  server: string;
  token: string | null;
  /** Where the token comes from. */
  source: "SOP_TOKEN" | "login" | null;
  username: string | null;
}

/** Texts name it, and nothing is sent there: any user of this machine could hold that port. */
const usualServer = "http://localhost:3000";
/** Importing 50 large documents may take a while; a server that is gone shows at once. */
const answerWithinMs = 180_000;

type Surroundings = Pick<Context, "flags" | "env">;

/** --profile and --server win over SOP_SERVER, that over the last sign-in. */
export async function findConnection({ flags, env }: Surroundings): Promise<Connection> {
  const named = flags.server ?? (flags.profile === undefined ? env["SOP_SERVER"] || undefined : undefined);
  const server = named === undefined ? undefined : serverOrigin(named, env);
  const credential = await findCredential(env, { profile: flags.profile, server });
  if (flags.profile !== undefined && credential === null) {
    throw invalid("no_profile", `no sign-in named ${flags.profile}`, {
      hint: `sop login --profile ${flags.profile} --server <url>`,
    });
  }
  if (credential !== null && server !== undefined && credential.server !== server) {
    throw invalid("profile_server", `the sign-in ${credential.key} is for ${credential.server}, not for ${server}`);
  }
  const url = server ?? serverOrigin(credential?.server ?? usualServer, env);
  const given = env["SOP_TOKEN"] || null;
  if (given !== null && server === undefined && flags.profile === undefined)
    throw noServer("SOP_TOKEN is set, but not the server to send it to");
  if (given !== null) return { server: url, token: given, source: "SOP_TOKEN", username: null };
  const token = credential?.token ?? null;
  return { server: url, token, source: token === null ? null : "login", username: credential?.username ?? null };
}

/** A token or password goes to a server that was named. */
export function noServer(message: string): CliError {
  return invalid("no_server", message, { hint: `set SOP_SERVER, or add --server, such as --server ${usualServer}` });
}

/** `https://sops.example.com`, without path; plain http is for this machine only. */
export function serverOrigin(text: string, env: NodeJS.ProcessEnv): string {
  const url = parseWebAddress(text);
  if (url === null) {
    const { username = "", password = "" } = URL.parse(text) ?? {};
    if (username || password) throw invalid("server", "an address can't contain a name or password");
    throw invalid("server", `${text} is not the address of a server`, { hint: "such as https://sops.example.com" });
  }
  if (url.protocol === "http:" && !isLoopback(url.hostname) && env["ALLOW_INSECURE"] !== "1") {
    throw invalid("insecure", `${url.origin}: plain http is allowed only on this machine`, {
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
  /** Bytes of a file call. */
  download(request: Request): Promise<Uint8Array>;
  /** The bytes of a file call, with its headers. */
  receive(request: Request): Promise<{ bytes: Uint8Array; headers: Headers }>;
  connection: Connection;
}

/** A client with a token. @throws exit 4 without one */
export async function connect(context: Context): Promise<SignedInClient> {
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
  // a pull of many SOPs and images is more than some servers take at once; only the caller knows which writes can be repeated
  const fetched = async (request: Request): Promise<Response> => {
    if (request.method !== "GET") return await fetchFrom(connection.server, signal, request, headers);
    return await withRetries(() => read(request), { signal, isFirst, progress: out.progress });
  };
  const read = async (request: Request): Promise<Response> => {
    const response = await fetchFrom(connection.server, signal, request, headers);
    isFirst = false;
    if (response.status !== 429 && response.status !== 503) return response;
    throw new ApiError(response.status, await response.text(), response.statusText);
  };
  const send: Send = async (request) => answerOf(await fetched(request));
  const receive = async (request: Request) => {
    const response = await fetched(request);
    if (!response.ok) throw new ApiError(response.status, await response.text(), response.statusText);
    return { bytes: await response.bytes(), headers: response.headers };
  };
  const download = async (request: Request) => (await receive(request)).bytes;
  return { client: createClient<Schemas>(routes, send), send, download, receive, connection };
}

/** Requests over `fetch`. @throws CliError exit 5 without an answer, exit 130 after ^C */
export function createSend(server: string, signal: AbortSignal, headers: Record<string, string> = {}): Send {
  return async (request) => answerOf(await fetchFrom(server, signal, request, headers));
}

/** A session to create one token: keeps cookies, and sends the origin as a browser would. */
export function createSessionSend(server: string, signal: AbortSignal): Send {
  const cookies = new Map<string, string>();
  return async (request) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetchFrom(server, signal, request, { origin: server, ...(cookie && { cookie }) });
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=;]+)=([^;]*)/.exec(line) ?? [];
      if (name !== undefined && value !== undefined) cookies.set(name, value);
    }
    return answerOf(response);
  };
}

export async function fetchFrom(
  server: string,
  signal: AbortSignal,
  request: Request,
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
    throw signal.aborted ? interrupted() : unreachable(server, error);
  }
}

/** A body that breaks off is as little an answer as none. */
function answerOf(response: Response): Answer {
  return {
    status: response.status,
    statusText: response.statusText,
    headers: response.headers,
    text: async () => {
      try {
        return await response.text();
      } catch (error) {
        throw unreachable(new URL(response.url).origin, error);
      }
    },
  };
}

function unreachable(server: string, error: unknown): CliError {
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
