import { homedir, userInfo } from "node:os";
import process from "node:process";

/**
 * Returns the user's home folder; `/` for a user without an entry in the system, as in a systemd service or a
 * container.
 */
export function homeFolder(): string {
  try {
    return homedir();
  } catch {
    return "/";
  }
}

/** Returns the user's name, or the id of a user without an entry in the system. */
export function systemUserName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? "unknown"}`;
  }
}
