/** Checks settings that name a host or a file, writes messages about invalid values, and reads secrets from files. */
import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { nonRegularFileFault } from "./data-files.ts";
import { isAccessDeniedError } from "./file-errors.ts";
import { systemErrorMessage } from "./foreign-failure.ts";

/** Matches the name of a host. The last label can't have only digits, because that would be a mistyped IP address. */
const hostName =
  /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*(?!\d+$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

/** Says whether a text is an IP address or a valid host name. */
export function isHost(text: string): boolean {
  return isIP(text) !== 0 || hostName.test(text);
}

/**
 * Says whether a text such as `mongodb://user:password@one:27017,two/database?replicaSet=rs0` is valid. The driver
 * checks the options.
 */
export function isMongoUri(text: string): boolean {
  const [, srv, hosts = ""] = /^mongodb(\+srv)?:\/\/(?:[^\s/@]*@)?([^\s/?@]+)(?:[/?]\S*)?$/.exec(text) ?? [];
  const all = hosts.split(",");
  return all.every((host) => /^%2F/i.test(host) || canParseHost(host)) && (srv === undefined || all.length === 1);
}

/** Says whether a text is an address such as `smtp://user:password@mail.example.org:587`, in ASCII without spaces. */
export function isSmtpUrl(text: string): boolean {
  const [, rest = ""] = /^smtps?:\/\/([\x21-\x5b\x5d-\x7e]+)$/.exec(text) ?? [];
  return URL.parse(text)?.hostname !== "" && canParseHost(rest);
}

/** Says whether a host is valid by the rules of browsers, which define IP addresses and ports. */
function canParseHost(text: string): boolean {
  return text !== "" && URL.canParse(`http://${text}`);
}

/** Says whether an address has only a protocol, a host and a port, without a path or a slash at the end. */
export function isOrigin(address: string): boolean {
  return URL.parse(address)?.origin === address;
}

const shownCharacters = 100;

/**
 * Returns the end of a message about an invalid value, such as `, not "300.1.1.1"`. User names and passwords in
 * addresses are replaced by `…`.
 */
export function wrongValueSuffix(value: string): string {
  const open = value.replace(/\/\/[^/]*@/, "//…@");
  return `, not ${JSON.stringify(open.length > shownCharacters ? `${open.slice(0, shownCharacters)}…` : open)}`;
}

/**
 * Reads a secret from a file. Refuses a pipe or a device, because reading it may never end.
 * @returns the text without the line end, or why the file can't be read
 */
export function readSecretFile(file: string): { text: string; fault: null } | { text: null; fault: string } {
  const fault = nonRegularFileFault(file);
  if (fault !== null) return { text: null, fault };
  try {
    return { text: readFileSync(file, "utf8").replace(/\r?\n$/, ""), fault: null };
  } catch (error) {
    return { text: null, fault: readFailureReason(error) };
  }
}

function readFailureReason(error: unknown): string {
  const { code, errno = 0 } = error as NodeJS.ErrnoException;
  if (!isAccessDeniedError(error)) return systemErrorMessage(code, errno);
  const user = `user ${process.getuid?.()}`;
  return `permission denied for ${user}. Give ${user} the file, or hand it over as docs/server.md shows`;
}
