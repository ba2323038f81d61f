import { schemaGroup } from "../contract/schema.ts";
import { ApiKeyTest, ApiKeyTested, UserSettings, UserSettingsUpdate } from "./schema.ts";

export const settingsSchemas = schemaGroup({
  get: { output: UserSettings },
  update: { body: UserSettingsUpdate, output: UserSettings },
  testApiKey: { body: ApiKeyTest, output: ApiKeyTested },
});
