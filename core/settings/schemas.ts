import { schemaGroup } from "../contract/schema.ts";
import { ApiKeyTest, ApiKeyTested, UserSettings, UserSettingsUpdate } from "./schema.ts";

export const settingsSchemas = schemaGroup({
  get: { summary: "The asker's settings; an AI key is shown masked", output: UserSettings },
  update: {
    summary: "Change them: an empty AI key removes the stored one, a masked one leaves it",
    body: UserSettingsUpdate,
    output: UserSettings,
  },
  testApiKey: { summary: "Ask the AI provider whether it knows this key", body: ApiKeyTest, output: ApiKeyTested },
});
