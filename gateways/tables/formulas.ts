/** Characters that begin a formula, including full-width forms. Some programs skip tabs and line ends before them. */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;

/**
 * Returns text that spreadsheets do not execute as a formula (CSV injection). CSV has no types, so an apostrophe marks
 * it as text. Text that has one already gets another, so that removing one restores the original.
 */
export const withoutFormula = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

/** Restores the original text: removes the apostrophe that `withoutFormula` added, and keeps any other. */
export const asWritten = (text: string): string =>
  text.startsWith("'") && withoutFormula(text.slice(1)) === text ? text.slice(1) : text;
