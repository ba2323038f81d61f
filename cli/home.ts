import { homedir, userInfo } from "node:os";
import process from "node:process";

/** The home folder, or `/` for a user without an account, such as in a container or a systemd service. */
export function homeFolder(): string {
  try {
    return homedir();
  } catch {
    return "/";
  }
}

/** The user's name, or the user's number if there is no account with it. */
export function operatingSystemUserName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? "unknown"}`;
  }
}
