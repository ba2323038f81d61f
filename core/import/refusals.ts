import { sentences } from "../language/catalog.ts";

export const refusals = sentences("core.import.refusals", {
  twoParts: "two of its parts hold {path}",
  emptyArchive: "the archive is empty",
  tooMuchText: "{size} of text are too much, a document has at most {most}: split it into several SOPs",
  notText: "the file is not text (it holds NUL bytes)",
  notUtf8: "the file is not UTF-8: save it as UTF-8 in your editor",
  pointerOfLfs: "it is a pointer of Git LFS, not the document: run git lfs pull",
  emptyFile: "the file is empty",
  tooManyFiles: "it holds more than {most, number} files",
  twiceInZip: "it holds {path} twice",
  encryptedZip: "it is encrypted: export it without a password",
  symbolicLink: "it holds a symbolic link ({file}): pack the file it points to",
  unknownMethod: "it is packed by a method that is not read ({method}): pack it as plain zip",
  notZip: "it isn't a zip archive, or its end is missing: download it again",
  outwardPath: "it holds a path that leads out of it ({path})",
  damagedZip: "the zip archive is damaged: download it again",
  largeZip: "it has {size, number} MiB; at most {most, number} MiB are read",
  unpacksToMuch: "it would unpack to {size, number} MiB; at most {most, number} MiB are",
  largeInZip: "{file} unpacks to {size, number} MiB; at most {most, number} MiB are read",
  zipBomb: "it unpacks to far more than an archive of documents does; it was not unpacked",
});
