import { useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import { ApiError } from "#core/api/client.ts";
import { spokenText } from "#core/language/catalog.ts";
import { isMaskedKey, keyRefusals } from "#core/settings/ai-key.ts";
import { errorMessageOf, useWrite } from "../api.ts";
import { Alert } from "../ui/Alert.tsx";
import { Button } from "../ui/Button.tsx";
import { Field } from "../ui/Field.tsx";
import { Input } from "../ui/Input.tsx";
import { aiTexts } from "./texts.ts";

export interface AiFormValues {
  openaiApiKey: string;
  aiFeaturesEnabled: boolean;
}

interface KeyFieldProps {
  form: UseFormReturn<AiFormValues>;
  /** True if a key is stored, which the field shows masked. */
  isStored: boolean;
  error: string | undefined;
}

/** Shows the masked key and whether the provider accepts it. */
export function KeyField({ form, isStored, error }: KeyFieldProps) {
  const key = form.watch("openaiApiKey");
  const { test, result, isTesting } = useKeyTest(key);
  return (
    <div className="grid gap-3">
      <Field label={aiTexts.key} hint={isStored ? aiTexts.keyHint : undefined} error={error}>
        {(control) => (
          <div className="flex flex-wrap gap-2 @md:flex-nowrap">
            <Input
              {...control}
              {...form.register("openaiApiKey")}
              // A masked key can be visible; a key that the user types can't.
              type={isMaskedKey(key) ? "text" : "password"}
              autoComplete="off"
              spellCheck={false}
              data-1p-ignore
              data-lpignore="true"
              placeholder={aiTexts.keyPlaceholder}
              className="font-mono"
              onFocus={(event) => isMaskedKey(key) && event.target.select()}
            />
            <Button busy={isTesting} onClick={test}>
              {isTesting ? aiTexts.testing : aiTexts.test}
            </Button>
          </div>
        )}
      </Field>
      {result && <TestResult result={result} />}
    </div>
  );
}

function TestResult({ result: { isValid, title, message } }: { result: KeyTest }) {
  return (
    <Alert tone={isValid ? "success" : "destructive"} live>
      {title !== null && <strong className="font-semibold">{`${title}: `}</strong>}
      {message}
    </Alert>
  );
}

interface KeyTest {
  isValid: boolean;
  /** Null if the message says the same. */
  title: string | null;
  message: string;
}

const noKey = keyRefusals.invalid();
const noKeyTest = (): KeyTest => ({ isValid: false, title: null, message: spokenText(noKey) });

/** Tests a key. The result stays until the key changes. */
function useKeyTest(key: string): { test(): void; result: KeyTest | null; isTesting: boolean } {
  const { mutate, isPending } = useWrite("settings", "testApiKey");
  const [last, setLast] = useState<(KeyTest & { key: string }) | null>(null);
  const showResult = (result: KeyTest) => setLast({ key, ...result });
  const testKey = () => {
    setLast(null);
    // A masked key lacks characters, so the server can't test it.
    if (key.trim() === "" || isMaskedKey(key)) return showResult(noKeyTest());
    mutate(
      { body: { apiKey: key.trim() } },
      {
        onSuccess: () => showResult({ isValid: true, title: aiTexts.valid, message: aiTexts.accepted }),
        onError: (error) =>
          showResult(
            error instanceof ApiError && error.reason?.id === noKey.id
              ? noKeyTest()
              : { isValid: false, title: aiTexts.invalid, message: errorMessageOf(error, aiTexts.testFailed) },
          ),
      },
    );
  };
  return { test: testKey, result: last?.key === key ? last : null, isTesting: isPending };
}
