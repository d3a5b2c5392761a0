/** What a command was asked for, and how it says what it can be asked for. */
import { parseArgs, type ParseArgsConfig } from 'node:util';

type Options = NonNullable<ParseArgsConfig['options']>;

/**
 * The options of a command. `--help` prints `usage`, and whatever it does not know prints it too; both end the process,
 * with 0 and with 1.
 */
export function readCommandLine<const O extends Options>(usage: string, options: O, args = process.argv.slice(2)) {
  try {
    if (!args.some((one) => one === '--help' || one === '-h')) return parseArgs({ args, options }).values;
    console.log(`Usage: ${usage}`);
    return process.exit(0);
  } catch (error) {
    console.error(`${(error as Error).message}\nUsage: ${usage}`);
    return process.exit(1);
  }
}
