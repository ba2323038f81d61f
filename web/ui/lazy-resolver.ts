/** Validation that loads when it is first needed: the form shows before zod is there. */
import type { FieldValues, Resolver } from "react-hook-form";

/** `useForm({resolver: lazyResolver(() => import("./register-resolver.ts").then((m) => m.registerResolver))})` */
export function lazyResolver<T extends FieldValues>(load: () => Promise<Resolver<T>>): Resolver<T> {
  let loading: Promise<Resolver<T>> | undefined;
  return async (values, context, options) => {
    loading ??= load();
    try {
      return await (
        await loading
      )(values, context, options);
    } catch (error) {
      loading = undefined;
      throw error;
    }
  };
}
