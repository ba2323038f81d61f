/**
 * Runs native git on a repository of another host. The token is in git's environment, never in its arguments. Git
 * connects only to the checked addresses and follows no redirect.
 */
import { isIP } from "node:net";
import type { Refs } from "#core/mirror/plan.ts";
import { runGit, type GitRun, type GitRunOptions } from "../repository/git-process.ts";
import { resolveAllowedAddresses, RemoteProblem, type OutgoingHost } from "../outgoing/addresses.ts";
import { parseMirrorAddress } from "./hosts.ts";
import type { MessageWithId } from "#core/language/catalog.ts";
import { refusals } from "./refusals.ts";

export interface RemoteRepository {
  url: string;
  username: string;
  token: string;
}

export interface RemoteOptions {
  /** The path of git; null if this server has none. */
  git: string | null;
  hosts: readonly OutgoingHost[];
  /** The repository that git runs in. */
  gitdir: string;
  signal: AbortSignal;
}

export interface OpenRemote {
  /** The parsed address. Git gets only this form of it. */
  url: string;
  /** @param patterns full names of refs, with `*` @throws RemoteProblem */
  list(patterns: readonly string[]): Promise<Refs>;
  /**
   * Pushes without force.
   * @returns the refs that the remote rejected because they moved there, and a forced push would lose their commits
   * @throws RemoteProblem
   */
  push(refs: readonly { ref: string; oid: string }[]): Promise<string[]>;
  /** Runs git with the remote's settings. @throws RemoteProblem when it fails */
  run(args: readonly string[], more?: GitRunOptions): Promise<GitRun>;
}

/** The minimum version of git. Earlier ones ignore the setting that keeps git at the checked address. */
const leastGit = [2, 37] as const;
const listBytes = 32 * 1024 * 1024;
/**
 * The maximum number of refs in one push. A repository can have thousands of tags, and a process can't get all of them
 * as arguments.
 */
const pushedAtOnce = 500;
const lowMemorySettings = ["pack.threads=1", "pack.windowMemory=32m", "pack.deltaCacheSize=16m"];
/** The minimum speed, in bytes a second. A remote that is slower for a minute counts as unreachable. */
const leastSpeedSettings = ["http.lowSpeedLimit=1000", "http.lowSpeedTime=60"];
const moved = /\((?:non-fast-forward|fetch first|already exists|needs force|stale info)\)/;

/** @throws RemoteProblem if the remote isn't allowed, or this server can't use remotes */
export async function openRemote(
  remote: RemoteRepository,
  { git, hosts, gitdir, signal }: RemoteOptions,
): Promise<OpenRemote> {
  const { username, token } = remote;
  const { href: url, protocol, hostname, port } = parseMirrorAddress(remote.url, hosts);
  if (git === null) throw new RemoteProblem(refusals.noGit());
  if (!isSupportedGitVersion((await runGit(git, gitdir, ["version"])).stdout.toString()))
    throw new RemoteProblem(refusals.oldGit({ least: leastGit.join(".") }));
  const addresses = await resolveAllowedAddresses(url, hosts);
  const to = addresses.map((address) => (isIP(address) === 6 ? `[${address}]` : address));
  const resolve = `${hostname}:${port || (protocol === "https:" ? 443 : 80)}:${to.join(",")}`;
  const basic = Buffer.from(`${username}:${token}`).toString("base64");
  const hidden = [["http.extraHeader", `Authorization: Basic ${basic}`]] as const;
  const settings = [
    "protocol.allow=never",
    `protocol.${protocol.replace(":", "")}.allow=always`,
    "http.followRedirects=false",
    // git gets the checked address of the host, unless the host is itself an IP address
    ...(isIP(hostname.replace(/^\[|\]$/g, "")) > 0 ? [] : [`http.curloptResolve=${resolve}`]),
    ...leastSpeedSettings,
    ...lowMemorySettings,
  ];
  // a remote could repeat the token, which must not get into a log or an answer
  const withoutToken = (text: string) => text.replaceAll(token, "[token]").replaceAll(basic, "[token]");

  const run: OpenRemote["run"] = async (args, more = {}) => {
    const ran = await runGit(git, gitdir, args, { as: "mirror", settings, hidden, signal, withHelpers: true, ...more });
    signal.throwIfAborted();
    return { ...ran, stderr: withoutToken(ran.stderr) };
  };

  return {
    url,

    async run(args, more) {
      const ran = await run(args, more);
      if (ran.code !== 0) throw remoteProblemFrom(ran.stderr);
      return ran;
    },

    async list(patterns) {
      const { code, stdout, stderr } = await run(["ls-remote", "--refs", url, ...patterns], { atMost: listBytes });
      if (code !== 0) throw remoteProblemFrom(stderr);
      const lines = stdout.toString("utf8").split("\n").filter(Boolean);
      return new Map(lines.map((line) => [line.slice(41), line.slice(0, 40)]));
    },

    async push(refs) {
      const elsewhere: string[] = [];
      for (let from = 0; from < refs.length; from += pushedAtOnce) {
        const specs = refs.slice(from, from + pushedAtOnce).map(({ ref, oid }) => `${oid}:${ref}`);
        const { code, stdout, stderr } = await run(["push", "--porcelain", "--no-verify", url, ...specs]);
        const rejected = stdout
          .toString("utf8")
          .split("\n")
          .filter((line) => line.startsWith("!\t"));
        for (const line of rejected) {
          const [, spec = "", summary = ""] = line.split("\t");
          const ref = spec.slice(spec.indexOf(":") + 1);
          if (!moved.test(summary))
            throw new RemoteProblem(refusals.refRefused({ ref, said: safeRemoteMessage(withoutToken(summary)) }));
          elsewhere.push(ref);
        }
        if (code !== 0 && rejected.length === 0) throw remoteProblemFrom(stderr);
      }
      return elsewhere;
    },
  };
}

function isSupportedGitVersion(version: string): boolean {
  const [major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(version)?.slice(1) ?? []).map(Number);
  return major > leastGit[0] || (major === leastGit[0] && minor >= leastGit[1]);
}

const known: readonly [RegExp, MessageWithId][] = [
  [/could not read Username|Authentication failed|returned error: 401/i, refusals.tokenRefused()],
  [/returned error: 403|Permission to .* denied/i, refusals.noPush()],
  [/not found|returned error: 404/i, refusals.noRepository()],
  [/redirect|returned error: 30\d/i, refusals.redirected()],
  [/died of signal|out of memory|attempting to allocate/i, refusals.costly()],
  [/SSL|TLS|certificate/i, refusals.certificate()],
  [
    /Could not resolve|(?:Failed|Couldn't) .*connect|timed out|too slow|Connection .*(?:refused|reset)/i,
    refusals.unreachable(),
  ],
];

/** Returns the problem for users. Operators find git's own words in the log. */
function remoteProblemFrom(stderr: string): RemoteProblem {
  return new RemoteProblem(remoteFailureReason(stderr), { cause: safeRemoteMessage(stderr) });
}

/**
 * Returns the reason of a failure, in our words or in those of the remote. Git's own words have ports, addresses and
 * paths, which would reveal the network of this server.
 */
function remoteFailureReason(stderr: string): MessageWithId {
  const found = known.find(([pattern]) => pattern.test(stderr));
  if (found) return found[1];
  const said = stderr.split("\n").findLast((line) => /^remote: (?:error|fatal)\b/i.test(line));
  return said === undefined ? refusals.unusable() : refusals.unusableSaid({ said: safeRemoteMessage(said) });
}

/**
 * Makes text of a remote safe to show: it can't control a terminal, fill a screen or contain a password in an address.
 */
function safeRemoteMessage(text: string): string {
  const plain = text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, " ")
    .replaceAll(/\/\/[^\s/@]+@/g, "//")
    .trim();
  return plain.length > 200 ? `${plain.slice(0, 200)}…` : plain;
}
