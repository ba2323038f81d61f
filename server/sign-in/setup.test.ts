import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import pino from "pino";
import { afterAll, expect, test } from "vitest";
import { damageDocument } from "../../test/damage.ts";
import { verifyCompanyAudit } from "../audit/verify-company.ts";
import { readConfig } from "../config.ts";
import { serveRequests } from "../serve.ts";

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
  const first = await serveRequests({ config, log });
  expect(first.setupToken).toBeNull();
  const admin = await first.services.db.collection("users").findOne({ username: "grace" });
  await first.stop();
  damageDocument(path.join(dataDir, "sopwright.db"), admin?._id ?? "");
  const again = await serveRequests({ config, log });
  expect(again.setupToken).toBeNull();
  expect(await again.services.db.collection("users").find({})).toEqual([]);
  await again.stop();
});

test("lost users and a lost audit log open no set-up, and are damage", async () => {
  const dir = path.join(dataDir, "emptied");
  const first = await serveRequests({ config: { ...config, dataDir: dir }, log });
  const { db } = first.services;
  const company = await db.collection("companies").findOne({});
  const companyId = company?._id ?? "";
  // as after the first change of the repository
  await db.collection("counters").updateOne({ _id: companyId }, { $set: { repoSeq: 1 } });
  await first.stop();
  const file = new DatabaseSync(path.join(dir, "sopwright.db"));
  file.exec("DELETE FROM users");
  file.exec("DELETE FROM audit_logs");
  file.close();
  const again = await serveRequests({ config: { ...config, dataDir: dir, admin: null }, log });
  try {
    expect(again.setupToken).toBeNull();
    expect(await again.services.damage.lines()).toEqual([
      `company ${companyId}: all rows of the audit log are missing`,
      `company ${companyId}: the counter userCount is 1, but there are 0`,
    ]);
    const report = await verifyCompanyAudit(
      again.services.db,
      { _id: companyId, createdAt: company?.createdAt ?? "" },
      { keys: [] },
    );
    expect(report.findings.map(({ message }) => message)).toContain("all rows of the audit log are missing");
  } finally {
    await again.stop();
  }
});

test("damaged counters of a company without an administrator end no start", async () => {
  const dir = path.join(dataDir, "counters");
  const first = await serveRequests({ config: { ...config, dataDir: dir }, log });
  const { db } = first.services;
  const company = await db.collection("companies").findOne({});
  await db.collection("users").updateOne({ username: "grace" }, { $set: { role: "viewer" } });
  const [counters] = await db.collection("counters").find({});
  expect(counters?._id).toBe(company?._id);
  await first.stop();
  damageDocument(path.join(dir, "sopwright.db"), counters?._id ?? "", 0, JSON.stringify(counters).slice(0, 80));
  const again = await serveRequests({ config: { ...config, dataDir: dir, admin: null }, log });
  try {
    expect(again.setupToken).not.toBeNull();
    await expect(again.services.db.collection("counters").findOne({ _id: company?._id ?? "" })).rejects.toThrow(
      "can't be read",
    );
  } finally {
    await again.stop();
  }
});
