import { useState } from "react";
import { invalidKeyMessage, isMasked } from "#core/settings/ai-key.ts";
import { messageOf, useWrite } from "../api.ts";
import { aiTexts } from "./texts.ts";

export interface KeyTest {
  isValid: boolean;
  message: string;
}

/** The result shows until the key changes: none, then valid or invalid with a message. */
export function useKeyTest(key: string): { test(): void; result: KeyTest | null; isTesting: boolean } {
  const { mutate, isPending } = useWrite("settings", "testApiKey");
  const [last, setLast] = useState<(KeyTest & { key: string }) | null>(null);
  const told = (isValid: boolean, message: string) =>
    setLast({ key, isValid, message: message.replace(`${aiTexts.invalid}: `, "") });
  const test = () => {
    setLast(null);
    // a masked key is not the key: the server could only refuse it
    if (key.trim() === "" || isMasked(key)) return told(false, invalidKeyMessage);
    mutate(
      { body: { apiKey: key.trim() } },
      {
        onSuccess: ({ message }) => told(true, message),
        onError: (error) => told(false, messageOf(error, aiTexts.testFailed)),
      },
    );
  };
  return { test, result: last?.key === key ? last : null, isTesting: isPending };
}
