import { useState } from "react";
import { tradeLabels, trades, type Trade } from "#core/templates/trades.ts";
import { errorMessageOf, useRead, useWrite } from "../api.ts";
import { useMe } from "../session.tsx";
import { Field } from "../ui/Field.tsx";
import { Input } from "../ui/Input.tsx";
import { Step } from "./Step.tsx";
import { texts } from "./texts.ts";

/**
 * Returns the company name that registration filled in. The field doesn't show it, because the user enters the real
 * name.
 */
const defaultCompanyName = (name: string) => texts.sCompany({ name });

export function CompanyStep({ onDone }: { onDone(): void }) {
  const me = useMe();
  const company = useRead("company", "get", {});
  const update = useWrite("company", "update");
  const known = me.company.name === defaultCompanyName(me.name) ? "" : me.company.name;
  const [name, setName] = useState(known);
  const [chosen, setChosen] = useState<Trade | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const stored = trades.find((trade) => tradeLabels[trade] === company.data?.industry) ?? null;
  const trade = chosen ?? stored;
  const save = async () => {
    const named = name.trim();
    const body = { ...(named !== "" && { name: named }), ...(trade && { industry: tradeLabels[trade] }) };
    try {
      if (Object.keys(body).length > 0) await update.mutateAsync({ body });
      onDone();
    } catch (error) {
      setFailure(errorMessageOf(error, texts.failed));
    }
  };
  return (
    <Step
      at={1}
      title={texts.companyTitle}
      text={texts.companyText}
      failure={failure}
      next={texts.continue}
      busy={update.isPending}
      onNext={() => void save()}
      onSkip={onDone}
    >
      <Field label={texts.companyName}>
        {(control) => (
          <Input
            {...control}
            autoComplete="organization"
            maxLength={120}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <fieldset>
        <legend className="text-sm font-medium">
          {texts.trade} <span className="font-normal text-muted">{texts.tradeHint}</span>
        </legend>
        <div className="mt-2 grid grid-cols-[repeat(auto-fill,minmax(min(max(10rem,45%),100%),1fr))] gap-2">
          {trades.map((one) => (
            <label
              key={one}
              className="flex min-h-11 items-center gap-2.5 rounded-md border border-line px-3 py-2 text-sm hover:bg-sunken has-checked:border-primary has-checked:bg-primary-soft"
            >
              <input
                type="radio"
                name="trade"
                className="size-4 shrink-0 accent-primary"
                checked={trade === one}
                onChange={() => setChosen(one)}
              />
              {tradeLabels[one]}
            </label>
          ))}
        </div>
      </fieldset>
    </Step>
  );
}
