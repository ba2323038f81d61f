/** A form that shows the server's errors under its fields or above the form. */
import { useForm, type FieldValues, type Path, type UseFormProps, type UseFormReturn } from "react-hook-form";
import { errorMessageOf } from "./api.ts";
import { showFieldErrors } from "./ui/server-errors.ts";

interface ServerFormProps<T extends FieldValues> extends UseFormProps<T> {
  /** Fields that the server's errors can name. */
  fields: readonly Path<T>[];
  /** The text above the form if the server gives no message for the user. */
  failed: string;
  /** Sends the values. The form shows an error that `send` throws. */
  send(values: T, form: UseFormReturn<T>): Promise<void>;
}

export interface ServerForm<T extends FieldValues> extends UseFormReturn<T> {
  /** Validates and sends the values. */
  submit(event?: { preventDefault(): void }): Promise<void>;
}

/** Creates a form, as in `useServerForm({resolver, defaultValues, fields: ["name"], failed: texts.failed, send})`. */
export function useServerForm<T extends FieldValues>({
  fields,
  failed,
  send,
  ...options
}: ServerFormProps<T>): ServerForm<T> {
  const form = useForm<T>(options);
  const submit = form.handleSubmit(async (values) => {
    try {
      await send(values as unknown as T, form);
    } catch (error) {
      if (!showFieldErrors(error, fields, form.setError)) {
        form.setError("root", { message: errorMessageOf(error, failed) });
      }
    }
  });
  return { ...form, submit };
}
