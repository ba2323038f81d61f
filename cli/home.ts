import { homedir, userInfo } from "node:os";
import process from "node:process";

/** Returns the home folder, or `/` for a user without an account, such as in a container or a systemd service. */
export function homeFolder(): string {
  try {
    return homedir();
  } catch {
    return "/";
  }
}

/** Returns the user's name, or the user's number if it has no account. */
export function operatingSystemUserName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? "unknown"}`;
  }
}
