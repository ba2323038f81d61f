/**
 * Checks whether browsers use the configured address. Behind a proxy, people can't sign in if PUBLIC_URL is another
 * address, and all count as one client if TRUSTED_PROXIES leaves out the proxy.
 */
import type { Context, Next } from "koa";
import type { Logger } from "pino";
import type { Clock } from "#core/clock.ts";
import { isLoopback, type Config } from "../config.ts";
import { isInNetworks, type NamedNetwork } from "./network.ts";

export interface AddressCheck {
  watchRequest(ctx: Context, next: Next): Promise<void>;
  /**
   * Notes that the server refused a browser's request because of its origin.
   * @returns whether the browser used this server under that origin
   */
  refused(ctx: Context, origin: string): boolean;
  /** Returns the warning for operators. Strangers can read it, so it names no addresses. */
  warning(): string | null;
}

interface AddressCheckOptions {
  config: Pick<Config, "trustedProxies">;
  clock: Pick<Clock, "millis">;
  log: Pick<Logger, "warn">;
  /** Returns this server's configured address, such as `https://sop.example.org`. */
  own: () => string;
}

/**
 * Networks in which a proxy of this server can be. Headers from other networks are ignored, because any client can send
 * any header.
 */
const near: readonly NamedNetwork[] = [
  { address: "10.0.0.0", prefix: 8 },
  { address: "172.16.0.0", prefix: 12 },
  { address: "192.168.0.0", prefix: 16 },
  { address: "169.254.0.0", prefix: 16 },
  { address: "fc00::", prefix: 7 },
  { address: "fe80::", prefix: 10 },
];
const keptMs = 3_600_000;
/** The maximum number of logged names. Strangers choose the names, so they could otherwise fill the log. */
const loggedAtMost = 10;

export function createAddressCheck({ config, clock, log, own }: AddressCheckOptions): AddressCheck {
  const logged = new Set<string>();
  let elsewhereAt: number | null = null;

  function warnOnce(about: string, facts: object, message: string): void {
    if (logged.has(about) || logged.size >= loggedAtMost) return;
    logged.add(about);
    log.warn(facts, message);
  }

  function warnOfOtherAddress(origin: string): void {
    elsewhereAt = clock.millis();
    warnOnce(
      origin,
      { origin, expected: own() },
      `people reach this server at ${origin}, but it expects ${own()}: set PUBLIC_URL to their address`,
    );
  }

  function isFromNearbyProxy({ req }: Context): boolean {
    const address = req.socket.remoteAddress ?? "";
    return isLoopback(address.replace(/^::ffff:/, "")) || isInNetworks(address, near);
  }

  return {
    async watchRequest(ctx, next) {
      if (isFromNearbyProxy(ctx)) {
        if (config.trustedProxies === 0 && ctx.get("x-forwarded-for") !== "")
          warnOnce(
            "proxy",
            {},
            "requests come through a proxy, but TRUSTED_PROXIES is 0: all people count as one address. Set it to the number of your proxies",
          );
        const [protocol] = ctx.get("x-forwarded-proto").split(",");
        if (protocol?.trim() === "https" && own().startsWith("http:")) warnOfOtherAddress(`https://${ctx.get("host")}`);
      }
      await next();
    },
    refused(ctx, origin) {
      const isHere = URL.parse(origin)?.host === ctx.get("host");
      if (isHere) warnOfOtherAddress(origin);
      else
        warnOnce(
          origin,
          { origin, expected: own() },
          `a request from ${origin} was refused: this server's address is ${own()}. If people use the other one, set PUBLIC_URL to it`,
        );
      return isHere;
    },
    warning() {
      if (elsewhereAt === null || clock.millis() - elsewhereAt > keptMs) return null;
      return "requests arrive at another address than PUBLIC_URL: the log names both";
    },
  };
}
