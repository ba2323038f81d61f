import type { Path } from "react-hook-form";
import { useWrite, type Output } from "../../api.ts";
import { useToast } from "../../ui/Toast.tsx";
import { useServerForm } from "../../use-server-form.ts";
import { rulesResolver as resolver, type RulesValues } from "./company-forms.ts";
import { rulesTexts as texts } from "./texts.ts";

export type Settings = Output<"company", "get">["settings"];
type Key = keyof RulesValues["settings"] & keyof Settings;

/** A form for some of the company's rules. It sends only these, so that it doesn't overwrite rules that others save. */
export function useRulesForm(settings: Settings, keys: readonly Key[], fields: readonly Path<RulesValues>[]) {
  const toast = useToast();
  const update = useWrite("company", "update");
  const valuesOf = (all: Settings): RulesValues => ({
    settings: Object.fromEntries(keys.map((key) => [key, all[key]])) as RulesValues["settings"],
  });
  return useServerForm<RulesValues>({
    resolver,
    values: valuesOf(settings),
    resetOptions: { keepDirtyValues: true },
    fields,
    failed: texts.failed,
    send: async (values, form) => {
      const saved = await update.mutateAsync({ body: values });
      form.reset(valuesOf(saved.settings), { keepDirtyValues: false });
      toast({ title: texts.saved });
    },
  });
}
