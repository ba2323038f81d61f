/** Runs a server: opens services, listens, and stops gracefully. `main.ts` runs one server; tests run several. */
import { localServerAddress } from "./admin/status.ts";
import { storeServerAddress } from "./database/sqlite/lock.ts";
import type { Server as HttpServer } from "node:http";
import path from "node:path";
import { createServer, isIPv6, type AddressInfo, type Server } from "node:net";
import { endWithTimeout } from "./jobs/end-in-time.ts";
import { assertBackupPassphrase } from "./backup/passphrase-strength.ts";
import { createBackups } from "./backup/schedule.ts";
import { startDiskCacheLimit } from "./capacity/disk-caches.ts";
import { ensureSystemAdmin, renewSetupToken } from "./sign-in/setup.ts";
import { createApp } from "./app.ts";
import { createDenials } from "./audit/denials.ts";
import { startSequencer, type Sequencer } from "./audit/sequencer.ts";
import { findLostLogs } from "./audit/verify-company.ts";
import { startDailyVerification } from "./audit/verify-daily.ts";
import { isLoopback, type Config } from "./config.ts";
import { startFollowingRotation } from "./integrity/follow-rotation.ts";
import { loadKnownLossLookup } from "./findings/known-losses.ts";
import { findMissingUserLines } from "./integrity/ledger.ts";
import { createIntegrityChecks, startIntegrityChecks } from "./integrity/daily.ts";
import { createRequestGate, type RequestGate } from "./http/closing.ts";
import { createAddressCheck } from "./http/address-check.ts";
import { createHttpServer } from "./http/listener.ts";
import type { Services } from "./http/services.ts";
import { deadlineJobs } from "./deadline-list.ts";
import { startDeadlines, type Deadlines } from "./jobs/deadlines.ts";
import { createRecentRecorder } from "./favorites/recorder.ts";
import { createLeases } from "./jobs/leases.ts";
import { createJobWatch } from "./jobs/overdue.ts";
import { startMirrors, type Mirrors } from "./mirror/job.ts";
import { createStatusGatherer } from "./status/gather.ts";
import { createReadiness } from "./status/readiness.ts";
import { startOfferingSnapshots } from "./snapshots/job.ts";
import { startSweeping } from "./sweep.ts";
import { startCatchingUp } from "./repository/catch-up.ts";
import { createHandlersByOutbox, startOutboxes } from "./outboxes.ts";
import { paths, readVersion } from "./paths.ts";
import { openServices, type OpenServicesOptions } from "./services.ts";
import { createViewCounter } from "./sops/view/view-counter.ts";

export interface RunningServer {
  /** The server's public address: PUBLIC_URL, or the bound address. */
  url: string;
  /** The bound address, such as `http://localhost:3000`. */
  listensOn: string;
  services: Services;
  /** The token of the one-time link; null once there is a system administrator. */
  setupToken: string | null;
  /** The jobs that run at a certain time. */
  deadlines: Deadlines;
  /** The job that chains the audit log. */
  sequencer: Sequencer;
  /** The job that pushes to mirrors of repositories. */
  mirrors: Mirrors;
  /**
   * Resolves when a newer version of the program takes over the data. This server then refuses writes and must be
   * stopped.
   */
  outdated: Promise<Error>;
  /**
   * Stops the server. `/readyz` reports the stop, and requests are served until `drained`. Then the server refuses new
   * requests, lets running requests finish and closes everything.
   */
  stop(drained?: Promise<void>): Promise<void>;
}

const drainMs = 25_000;
/** Milliseconds for background work to end. It is longer than the time that an outbox gives its items. */
const endMs = 15_000;

export async function serveRequests(options: OpenServicesOptions): Promise<RunningServer> {
  await assertBackupPassphrase(options.config.backup);
  const beforeChanges = () => assertFreePort(options.config);
  const services = await openServices({ ...options, beforeChanges });
  const { config, db, clock, log } = services;
  const { space } = services;
  const jobs = createJobWatch(log, () => performance.now(), space.isFull);
  const { keys, repositories, blobs, damage } = services;
  const integrity = createIntegrityChecks({ db, blobs, clock, log, keys, repositories, config });
  let stopping = false;
  let newerVersion: string | null = null;
  void db.outdated.then(({ message }) => {
    newerVersion = message;
    log.error(message);
  });
  try {
    for (const line of await findLostLogs(db)) damage.note(line);
    const setupToken = (await ensureSystemAdmin(services)) ? null : await renewSetupTokenUnlessUsersMissing(services);
    const views = createViewCounter(db, clock, log);
    const recent = createRecentRecorder(db, clock, log);
    const denials = createDenials(db, clock, log);
    const backups = createBackups(services);
    let publicOrigin = config.publicUrl === null ? "" : new URL(config.publicUrl).origin;
    const addresses = createAddressCheck({ config, clock, log, own: () => publicOrigin });
    const handlers = createHandlersByOutbox(services);
    const status = createStatusGatherer({
      services,
      addressWarning: addresses.warning,
      jobs,
      backups,
      async damage() {
        const all = [...new Set([...(await damage.lines()), ...(await integrity.damage())])];
        if (all.length === 0) return all;
        const isKnown = await loadKnownLossLookup(db, keys);
        return all.filter((line) => isKnown(line) === null);
      },
      emailKinds: Object.keys(handlers.emails),
      version: readVersion(),
      takenOver: () => newerVersion,
    });
    const readiness = createReadiness(status, jobs, () => (stopping ? ["stopping"] : []));
    const closing = createRequestGate();
    const app = await createApp({
      services,
      views,
      recent,
      denials,
      readiness,
      closing,
      status,
      webDir: paths.web,
      packagesDir: paths.packages,
      publicOrigin: () => publicOrigin,
      addresses,
    });
    const server = createHttpServer(app.callback());
    // with this header, a proxy opens its next connection to another server, and no connection closes during a request
    server.prependListener("request", (_, answer) => {
      if (stopping) answer.setHeader("Connection", "close");
    });
    await listenOnHost(server, config.port, config.host);
    const { port } = server.address() as AddressInfo;
    const listensOn = `http://${hostInUrl(config.host)}:${port}`;
    if (db.engine === "sqlite") storeServerAddress(config.dataDir, localServerAddress({ ...config, port }));
    const url = config.publicUrl ?? listensOn;
    if (publicOrigin === "") publicOrigin = new URL(url).origin;
    services.address.url = url;

    const leases = createLeases(db);
    const outboxes = startOutboxes(services, handlers, { leases, jobs });
    const stopSweeping = startSweeping(services, leases, jobs);
    const stopFollowing = startFollowingRotation(services, jobs);
    const stopCatchingUp = startCatchingUp(services, leases, jobs);
    space.watch();
    services.search.tidy().catch((error: unknown) => log.error({ err: error }, "search"));
    const due = startDeadlines(services, leases, jobs, deadlineJobs);
    const mirrors = startMirrors(services, leases, jobs);
    const announce = options.announce ?? (() => undefined);
    const sequencer = startSequencer({ db, clock, keys, leases, jobs, dataDir: config.dataDir, announce });
    const stopVerifying = startDailyVerification({ db, clock, keys, leases, jobs, log, config });
    const stopBackups = backups.start({ leases, jobs });
    const stopChecking = startIntegrityChecks(integrity, { leases, jobs });
    const { snapshots } = services;
    const caches = [repositories.cache, services.search.cache];
    const onMongo = snapshots && {
      caches: { close: startDiskCacheLimit(caches, { atMost: config.cacheBytes, jobs, log }) },
      snapshots: {
        close: startOfferingSnapshots(caches, { snapshots, dir: path.join(config.dataDir, "snapshots"), jobs, log }),
      },
    };

    return {
      url,
      listensOn,
      services,
      setupToken,
      deadlines: due,
      sequencer,
      mirrors,
      outdated: db.outdated,
      async stop(drained) {
        stopping = true;
        await drained;
        services.events.close();
        await closeServer(server, closing);
        stopCatchingUp();
        jobs.close();
        // each service may have data left to write, while the database is unreachable or a row is locked
        const ends = {
          deadlines: due,
          denials,
          sequencer,
          rotation: { close: stopFollowing },
          sweep: { close: stopSweeping },
          verification: { close: stopVerifying },
          checks: { close: stopChecking },
          backups: { close: stopBackups },
          ...onMongo,
          mirrors,
          ...outboxes,
          views,
          recent,
        };
        const ended = Object.entries(ends).map(([name, one]) => endWithTimeout(endMs, name, () => one.close()));
        for (const one of await Promise.allSettled(ended))
          if (one.status === "rejected") log.error({ err: one.reason as unknown }, "stopping");
        await services.close();
        log.flush();
      },
    };
  } catch (error) {
    await services.close();
    throw error;
  }
}

/**
 * Creates the token of the one-time link, which replaces the earlier one.
 * @returns null if records of users are missing, because the link would then let a stranger become an administrator
 */
async function renewSetupTokenUnlessUsersMissing(services: Services): Promise<string | null> {
  const { db, keys, damage } = services;
  const isKnown = await loadKnownLossLookup(db, keys);
  const newlyMissingUsers = async () => (await findMissingUserLines(db)).filter((line) => isKnown(line) === null);
  const lines = await newlyMissingUsers();
  for (const line of lines) damage.note(line, async () => (await newlyMissingUsers()).includes(line));
  return lines.length > 0 ? null : renewSetupToken(services);
}

function hostInUrl(host: string): string {
  if (isLoopback(host)) return "localhost";
  return isIPv6(host) ? `[${host}]` : host;
}

/**
 * Checks that the port is free by listening for a moment. The server itself must not answer before the data is up to
 * date.
 */
async function assertFreePort({ port, host }: Config): Promise<void> {
  if (port === 0) return;
  const server = createServer();
  await listenOnHost(server, port, host);
  await new Promise((resolve) => server.close(resolve));
}

function listenOnHost(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

/**
 * Closes the server: idle connections at once, busy connections when their requests end, all others after a time limit.
 */
async function closeServer(server: HttpServer, closing: RequestGate): Promise<void> {
  const cut = setTimeout(() => server.closeAllConnections(), drainMs);
  // close idle connections repeatedly, because a connection becomes idle after its last answer
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  await closing.begin();
  await new Promise((resolve) => server.close(resolve));
  clearTimeout(cut);
  clearInterval(idle);
}
