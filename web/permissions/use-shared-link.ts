import { sharedLink } from "#core/export/other-devices.ts";
import { useRead } from "../api.ts";

/** The address of a screen, to give to other people. */
export function useSharedLink(path: string): string {
  const { data } = useRead("auth", "check", {});
  return sharedLink(window.location, path, data?.address).href;
}
