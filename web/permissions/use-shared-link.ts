import { linkForOthers } from "#core/export/other-devices.ts";
import { useRead } from "../api.ts";

/** Returns the complete address of a screen, for users to share. */
export function useSharedLink(path: string): string {
  const { data } = useRead("auth", "check", {});
  return linkForOthers(window.location, path, data?.address).href;
}
