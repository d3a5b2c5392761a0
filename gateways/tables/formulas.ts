/** The signs that begin a formula, full-width ones too. Tab and line ends are left out by some programs before they look. */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;

/**
 * Text that no spreadsheet takes for a formula, and runs. In CSV, which knows no types, an apostrophe before it says that it is text. Who
 * has one there already gets another: who takes one away reads what was written.
 */
export const withoutFormula = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

/** What was written: without the apostrophe that kept it from being a formula, and with any other. */
export const asWritten = (text: string): string =>
  text.startsWith("'") && withoutFormula(text.slice(1)) === text ? text.slice(1) : text;
