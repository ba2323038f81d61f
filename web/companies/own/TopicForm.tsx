import type { ReactNode } from "react";
import type { FieldValues } from "react-hook-form";
import { Form } from "../../ui/Form.tsx";
import type { ServerForm } from "../../use-server-form.ts";
import { countDirtyValues, SaveBar } from "../../shell/SaveBar.tsx";
import { Topic } from "./Topic.tsx";

interface TopicFormProps<T extends FieldValues> {
  title: string;
  description?: string;
  form: Pick<ServerForm<T>, "formState" | "submit" | "reset">;
  mayChange: boolean;
  /** Content above the form, such as a warning. */
  before?: ReactNode;
  /** Content below the form. */
  after?: ReactNode;
  children: ReactNode;
}

/** A settings page with one form. The bar with the Save button appears with the first change. */
export function TopicForm<T extends FieldValues>({
  form,
  mayChange,
  before,
  after,
  children,
  ...topic
}: TopicFormProps<T>) {
  const { errors, isSubmitting, dirtyFields, defaultValues } = form.formState;
  return (
    <Topic {...topic}>
      {before}
      <Form onSubmit={form.submit} error={errors.root?.message} label={topic.title}>
        <fieldset disabled={!mayChange} className="min-w-0">
          {children}
        </fieldset>
        <SaveBar
          changes={countDirtyValues(dirtyFields)}
          busy={isSubmitting}
          onCancel={() => form.reset(defaultValues as T, { keepDirtyValues: false })}
        />
      </Form>
      {after}
    </Topic>
  );
}
