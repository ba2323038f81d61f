import { errorMessageOf } from "../api.ts";
import { useToast } from "../ui/Toast.tsx";
import { catalog } from "#core/language/catalog.ts";

const texts = catalog("permissions.use-error-toast", {
  error: "Error",
});

/** Shows a toast with the server's reason for a refusal. */
export function useErrorToast(fallback: string): (error: unknown) => void {
  const toast = useToast();
  return (error) => toast({ title: texts.error, description: errorMessageOf(error, fallback), variant: "destructive" });
}
