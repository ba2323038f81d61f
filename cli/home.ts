import { homedir } from "node:os";

/** `/` for a user whom the system doesn't list: a service of systemd, or a container, can have such a one. */
export function homeFolder(): string {
  try {
    return homedir();
  } catch {
    return "/";
  }
}
