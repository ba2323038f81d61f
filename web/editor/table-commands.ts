/** Commands of a table's menus and handles. The header row stays in place, because a Markdown table needs one. */
import { Selection, type Command, type EditorState, type Transaction } from "@milkdown/kit/prose/state";
import {
  addColumnAfter,
  addColumnBefore,
  deleteColumn,
  deleteTable,
  isInTable,
  moveTableColumn,
  moveTableRow,
  selectedRect,
  TableMap,
} from "@milkdown/kit/prose/tables";
import { addRow, removeRow } from "./commands.ts";
import { texts } from "./texts.ts";

/** Moves the row at the caret up or down, but never past the header. */
export const moveRow =
  (by: -1 | 1): Command =>
  (state, dispatch) => {
    if (!isInTable(state)) return false;
    const { top, left, map } = selectedRect(state);
    const to = top + by;
    if (top === 0 || to < 1 || to >= map.height) return false;
    const move = moveTableRow({ from: top, to, select: false });
    return move(state, dispatch && ((tr) => dispatch(withCaretInCell(state, tr, to, left))));
  };

/** Adds to a transaction that the caret moves into the cell at this row and column of the changed table. */
function withCaretInCell(state: EditorState, tr: Transaction, row: number, column: number): Transaction {
  const { tableStart } = selectedRect(state);
  const table = tr.doc.nodeAt(tableStart - 1);
  if (!table) return tr;
  const cell = tableStart + TableMap.get(table).positionAt(row, column, table);
  return tr.setSelection(Selection.near(tr.doc.resolve(cell + 1)));
}

export const moveColumn =
  (by: -1 | 1): Command =>
  (state, dispatch) => {
    if (!isInTable(state)) return false;
    const { top, left, map } = selectedRect(state);
    const to = left + by;
    if (to < 0 || to >= map.width) return false;
    const move = moveTableColumn({ from: left, to, select: false });
    return move(state, dispatch && ((tr) => dispatch(withCaretInCell(state, tr, top, to))));
  };

export interface TableCommand {
  label: string;
  command: Command;
  isRemoval?: true;
}

/** Deletes the column at the caret, unless the table has no other column. */
const deleteColumnUnlessLast: Command = (state, dispatch) =>
  isInTable(state) && selectedRect(state).map.width > 1 && deleteColumn(state, dispatch);

/** Adds a row at the end and puts the caret into it. */
export const addRowAtEnd: Command = (state, dispatch) => {
  if (!isInTable(state)) return false;
  const { table, tableStart } = selectedRect(state);
  return runCommandInCell(state, tableStart + table.content.size - 2, addRow("below"), dispatch);
};

export const addColumnAtEnd: Command = (state, dispatch) => {
  if (!isInTable(state)) return false;
  const { table, tableStart, map } = selectedRect(state);
  const goThere = dispatch && ((tr: Transaction) => dispatch(withCaretInCell(state, tr, 0, map.width)));
  return runCommandInCell(state, tableStart + (table.firstChild?.nodeSize ?? 0) - 2, addColumnAfter, goThere);
};

/** Runs a command as if the caret were at this position. */
function runCommandInCell(
  state: EditorState,
  at: number,
  command: Command,
  dispatch?: (tr: Transaction) => void,
): boolean {
  const there = state.tr.setSelection(Selection.near(state.doc.resolve(at), -1));
  return command(
    state.apply(there),
    dispatch &&
      ((tr) => {
        const all = state.tr;
        for (const step of tr.steps) all.step(step);
        dispatch(all.setSelection(Selection.fromJSON(all.doc, tr.selection.toJSON())));
      }),
  );
}

export const rowCommands: readonly TableCommand[] = [
  { label: texts.rowAbove, command: addRow("above") },
  { label: texts.rowBelow, command: addRow("below") },
  { label: texts.rowUp, command: moveRow(-1) },
  { label: texts.rowDown, command: moveRow(1) },
  { label: texts.removeRow, command: removeRow, isRemoval: true },
];

export const columnCommands: readonly TableCommand[] = [
  { label: texts.columnLeft, command: addColumnBefore },
  { label: texts.columnRight, command: addColumnAfter },
  { label: texts.columnToLeft, command: moveColumn(-1) },
  { label: texts.columnToRight, command: moveColumn(1) },
  { label: texts.removeColumn, command: deleteColumnUnlessLast, isRemoval: true },
];

const all = [...rowCommands, ...columnCommands];
export const tableChanges: readonly TableCommand[] = all.filter(({ isRemoval }) => !isRemoval);
export const tableRemovals: readonly TableCommand[] = [
  ...all.filter(({ isRemoval }) => isRemoval),
  { label: texts.removeTable, command: deleteTable },
];
