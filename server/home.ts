import { homedir, userInfo } from "node:os";
import process from "node:process";

/** `/` for a user whom the system doesn't list: a service of systemd, or a container, can have such a one. */
export function homeFolder(): string {
  try {
    return homedir();
  } catch {
    return "/";
  }
}

/** The number of a user whom the system doesn't list. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? "unknown"}`;
  }
}
