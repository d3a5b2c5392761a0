/** Prints the demo's output. Colors are used only on a terminal. */

const terminal = process.stdout.isTTY;
const painted = (code: number) => (text: string) => (terminal ? `\x1b[${code}m${text}\x1b[0m` : text);
const bold = painted(1);
const dim = painted(2);
const green = painted(32);
const red = painted(31);

export const screen = {
  chapter: (title: string) => console.log(`\n${bold(title)}`),
  step: (text: string) => console.log(`  … ${text}`),
  done: (text: string) => console.log(`  ${green('✓')} ${text}`),
  note: (text: string) => console.log(`    ${dim(text)}`),
  failed: (text: string) => console.error(`  ${red('✗')} ${text}`),
};

/** Formats cents as dollars. */
export const money = (cents: number | null): string =>
  cents === null ? 'an amount you may not see' : `$${(cents / 100).toFixed(2)}`;
