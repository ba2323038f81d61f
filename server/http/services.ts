/**
 * Defines the services that handlers use. `main.ts` creates them once; tests create them with another clock and
 * database.
 */
import type { Logger } from "pino";
import type { Shares } from "../capacity/resources.ts";
import type { Blobs } from "../blobs/port.ts";
import type { Clock } from "#core/clock.ts";
import type { Config } from "../config.ts";
import type { Collections } from "../database/documents.ts";
import type { Database } from "../database/port.ts";
import type { Space } from "../data-folder/space.ts";
import type { Passwords } from "../sign-in/passwords.ts";
import type { CompanyCache } from "../companies/cache.ts";
import type { EventHub } from "../events/hub.ts";
import type { Printer } from "../export/printer.ts";
import type { RenderPool } from "../render/pool.ts";
import type { FoundDamage } from "../integrity/found-damage.ts";
import type { Keyring } from "../keys/keyring.ts";
import type { Repositories } from "../repository/repositories.ts";
import type { Snapshots } from "../snapshots/store.ts";
import type { SearchIndexes } from "../search/indexes.ts";
import type { SessionStore } from "./session-store.ts";
import type { MissedSearches } from "../suggestions/missed-searches.ts";
import type { TemplateLibrary } from "../templates/library.ts";

export interface Services {
  config: Config;
  clock: Clock;
  log: Logger;
  db: Database<Collections>;
  /** The bytes of images and PDFs. */
  blobs: Blobs;
  /** The state of the disk. While it is full, content is read-only. */
  space: Space;
  sessions: SessionStore;
  companies: CompanyCache;
  passwords: Passwords;
  /** Damage that requests and jobs met. */
  damage: FoundDamage;
  /** Why this server can't use a part of DATA_DIR; null if it can use all of it. */
  folderWarning: () => string | null;
  /** Encrypts values that the server must read later, and signs audit checkpoints. */
  keys: Keyring;
  /** The queues of shared resources. */
  shares: Shares;
  render: RenderPool;
  /** Makes PDFs and Word files. */
  printer: Printer;
  repositories: Repositories;
  /** Copies of repositories and search indexes for other servers; null on the embedded engine. */
  snapshots: Snapshots | null;
  events: EventHub;
  search: SearchIndexes;
  /** Records searches that had no results. */
  missed: MissedSearches;
  templates: TemplateLibrary;
  /** The server's public address, for links in emails; known once it listens. */
  address: { url: string };
}
