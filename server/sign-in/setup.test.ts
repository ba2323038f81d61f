import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pino from "pino";
import { afterAll, expect, test } from "vitest";
import { damageDocument } from "../../test/damage.ts";
import { readConfig } from "../config.ts";
import { serve } from "../serve.ts";

const dataDir = mkdtempSync(path.join(tmpdir(), "sopwright-setup-"));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const config = readConfig({
  PORT: "0",
  DATA_DIR: dataDir,
  PASSWORD_BLOCKLIST: "off",
  ADMIN_USERNAME: "grace",
  ADMIN_PASSWORD: "a long walk to the river",
});
const log = pino({ level: "silent" });

test("a damaged record of the only administrator ends no start, and opens no set-up", async () => {
  const first = await serve({ config, log });
  expect(first.setupToken).toBeNull();
  const admin = await first.services.db.collection("users").findOne({ username: "grace" });
  await first.stop();
  damageDocument(path.join(dataDir, "sopwright.db"), admin?._id ?? "");
  const again = await serve({ config, log });
  expect(again.setupToken).toBeNull();
  expect(await again.services.db.collection("users").find({})).toEqual([]);
  await again.stop();
});
