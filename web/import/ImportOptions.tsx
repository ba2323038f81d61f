import { Select } from "../ui/Select.tsx";
import { hasUsableFolders, type FolderUse, type ImportPlan } from "./run-import.ts";
import { existingCategoryTexts, folderTexts, splitTexts, texts } from "./texts.ts";
import { selectOptionsOf } from "../ui/options.ts";

interface ImportOptionsProps {
  plan: ImportPlan;
  busy: boolean;
  onFolders(foldersAs: FolderUse): void;
  onSplit(split: ImportPlan["split"]): void;
}

/**
 * Options for folders and long documents. Each change makes a new plan. The selects stay enabled meanwhile, so that
 * they keep the focus.
 */
export function ImportOptions({ plan, busy, onFolders, onSplit }: ImportOptionsProps) {
  return (
    <div className="flex flex-wrap gap-x-6 gap-y-1 py-1 text-sm">
      {hasUsableFolders(plan) && (
        <label className="flex flex-wrap items-center gap-1">
          {texts.folders}
          <Select
            quiet
            options={selectOptionsOf(
              plan.createCategories ? folderTexts : { ...folderTexts, ...existingCategoryTexts },
            )}
            value={plan.foldersAs}
            onChange={(event) => !busy && onFolders(event.target.value as FolderUse)}
          />
        </label>
      )}
      <label className="flex flex-wrap items-center gap-1">
        {texts.split}
        <Select
          quiet
          options={selectOptionsOf(splitTexts)}
          value={plan.split}
          onChange={(event) => !busy && onSplit(event.target.value as ImportPlan["split"])}
        />
      </label>
    </div>
  );
}
