import { sharedLink } from "#core/export/other-devices.ts";
import { useRead } from "../api.ts";

/** The address of a screen in a form that can be shared. */
export function useSharedLink(path: string): string {
  const { data } = useRead("auth", "check", {});
  return sharedLink(window.location, path, data?.address).href;
}
