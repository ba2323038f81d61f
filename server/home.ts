import { homedir, userInfo } from "node:os";
import process from "node:process";

/** The user's home folder; `/` for a user that the system doesn't list, as in a service of systemd or a container. */
export function homeFolder(): string {
  try {
    return homedir();
  } catch {
    return "/";
  }
}

/** The user's name, or the number of a user that the system doesn't list. */
export function systemUserName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? "unknown"}`;
  }
}
