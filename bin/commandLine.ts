/** Parses command lines and prints usage. */
import { parseArgs, type ParseArgsConfig } from 'node:util';

type Options = NonNullable<ParseArgsConfig['options']>;

/**
 * Parses a command's options. `--help` prints `usage` and exits with 0; an unknown option prints it and exits with 1.
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
