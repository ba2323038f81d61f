/**
 * Remembers the browsers in which a user has signed in: wrong passwords entered elsewhere don't lock the user out there
 * (`docs/security.md`, Sign-in limits).
 */
import { randomBytes } from "node:crypto";
import type { Context } from "koa";
import type { Clock } from "#core/clock.ts";
import type { Collections, KnownDeviceDocument } from "../database/documents.ts";
import type { Database } from "../database/port.ts";
import { hashOf } from "./secrets.ts";

const keptMs = 365 * 24 * 3600 * 1000;
const devicesPerUser = 20;
const deviceCookieName = (secure: boolean) => (secure ? "__Host-device" : "device");

export interface KnownDevices {
  /** Returns the value of the browser's cookie if this user has signed in with this browser; else null. */
  named(ctx: Context, userId: string): Promise<string | null>;
  /** Remembers this browser for a year. Call after a sign-in. Replaces a cookie that an attacker may have set. */
  remember(ctx: Context, userId: string): Promise<void>;
}

export function createKnownDevices(db: Database<Collections>, clock: Clock, secure: boolean): KnownDevices {
  const devices = db.collection("known_devices");
  const cookie = new RegExp(`(?:^|;\\s*)${deviceCookieName(secure)}=([\\w-]{43})(?:;|$)`);
  const knownDeviceId = async (ctx: Context, userId: string) => {
    const value = cookie.exec(ctx.get("cookie"))?.[1];
    if (value === undefined) return null;
    // a damaged record makes the browser an unknown one
    const [found] = await devices.find({ _id: hashOf(value), userId }, { limit: 1 });
    return found && found.expiresAt > clock.now() ? value : null;
  };

  async function removeOldestDevices(userId: string) {
    const old = await devices.find({ userId }, { sort: { lastUsedAt: -1 }, skip: devicesPerUser, limit: 100 });
    for (const { _id } of old) await devices.deleteOne({ _id });
  }

  return { named: knownDeviceId, remember: rememberDevice };

  async function rememberDevice(ctx: Context, userId: string): Promise<void> {
    const known = await knownDeviceId(ctx, userId);
    const value = known ?? randomBytes(32).toString("base64url");
    const expiresAt = new Date(clock.millis() + keptMs).toISOString();
    const used = { lastUsedAt: clock.now(), expiresAt } satisfies Partial<KnownDeviceDocument>;
    if (known) await devices.updateOne({ _id: hashOf(value) }, { $set: used });
    else {
      await devices.insertOne({ _id: hashOf(value), userId, ...used });
      await removeOldestDevices(userId);
    }
    ctx.state["device"] = { value, maxAge: keptMs };
  }
}

/** Sends the cookie of a browser that this request has remembered. Call after the session's cookie is set. */
export function sendDeviceCookie(ctx: Context, secure: boolean): void {
  const device = ctx.state["device"] as { value: string; maxAge: number } | undefined;
  if (!device) return;
  const { value, maxAge } = device;
  ctx.cookies.set(deviceCookieName(secure), value, {
    maxAge,
    httpOnly: true,
    sameSite: "lax",
    secure,
    overwrite: true,
  });
}
