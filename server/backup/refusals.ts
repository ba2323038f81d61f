import { sentences } from "#core/language/catalog.ts";

export const refusals = sentences("server.backup.refusals", {
  damaged: "the backup is damaged: {what}. Use another one",
  cutOff: "the backup ends too early: it was cut off. Use another one",
  folder: "{file} is a folder: name the file of the backup",
  noFile: "there is no file {file}",
  otherFile: "{file} is no backup of Sopwright",
  otherFormat: "the backup has format {format}, this program reads {formatVersion}. {newer}",
  newerSchema: "the backup has schema {schema}, this program knows up to {latestSchema}. {newer}",
  olderSchema:
    "the backup has schema {schema}, this program reads those from {oldestSchema}. Restore it with version 1.0.0-beta.1, start that, and make another backup",
  folderInUse: "{dataDir} is in use: it has {found}. Set DATA_DIR to an empty folder{beside}",
  missingKeys: "{kept} lacks keys of the backup: {missing}",
  unfinishedRestore: "a restore into this database still runs, or was stopped. Then drop the database",
  databaseInUse: "the database of MONGODB_URI is in use: {name} has documents. Name another database",
  differs: "the restored database differs: {difference}",
  sameIndex: "the backup is damaged: two documents of {name} have the same {index}",
  unknownEncryption: "the keys in the backup are encrypted in a way that this program doesn't know",
  wrongPassphrase: "the passphrase is wrong, or the keys in the backup are damaged",
  fileExists: "{file} exists: choose another name",
  draftExists: "{draft} exists: another backup writes it. If none runs, one was killed: delete it",
  noSpace: "no space left in {folder}: free some space there, or name another folder",
  unwritable: "{folder}: {reason}. Name a folder that this user can write",
  betweenVersions: "the stored data is between two versions: start the server, which goes on, then back up",
});
