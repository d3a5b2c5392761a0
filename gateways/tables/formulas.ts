/**
 * Matches text that a spreadsheet may execute as a formula, including full-width signs. Tabs and line ends count as
 * well, because some programs skip them before a formula.
 */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;

/**
 * Returns text that spreadsheets do not execute as a formula (CSV injection). CSV has no types, so an apostrophe before
 * the text marks it as text. A formula that already begins with an apostrophe gets a second one, so that the original
 * can be restored by removing one.
 */
export const withoutFormula = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

/** Restores the original text: removes the apostrophe that `withoutFormula` added, and keeps any other. */
export const asWritten = (text: string): string =>
  text.startsWith("'") && withoutFormula(text.slice(1)) === text ? text.slice(1) : text;
