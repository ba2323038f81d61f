import { messageOf } from "../api.ts";
import { useToast } from "../ui/Toast.tsx";

/** Tells what the server refused, in its own words. */
export function useErrorToast(fallback: string): (error: unknown) => void {
  const toast = useToast();
  return (error) => toast({ title: "Error", description: messageOf(error, fallback), variant: "destructive" });
}
