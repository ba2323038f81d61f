import { homedir, userInfo } from "node:os";
import process from "node:process";

/**
 * Returns the user's home folder; `/` for a user whom the system doesn't list, as in a systemd service or a
 * container.
 */
export function homeFolder(): string {
  try {
    return homedir();
  } catch {
    return "/";
  }
}

/** Returns the user's name, or `user <id>` for a user whom the system doesn't list. */
export function systemUserName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? "unknown"}`;
  }
}
