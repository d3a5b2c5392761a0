/**
 * chaos [--cluster] [--kills 60] [--seed N] [--parts api,worker,…] [--people N] [--patience SECONDS] [--report FILE]
 * [--keep] [--plant no-intent,split-settlement,…]: starts its own platform and kills each of its parts while people
 * pay, then checks that nothing was lost. `--plant` puts known bugs into the platform, to test whether the checks find
 * them. Exits with 1 and prints the violating rows when something was lost. Development only.
 */
import { writeFileSync } from 'node:fs';
import { Dice } from './chaos/dice.js';
import { readOptions } from './chaos/options.js';
import { Run } from './chaos/run.js';
import { ChaosStack } from './chaos/stack/chaosStack.js';
import { printKill, printReport } from './chaos/verdict.js';

const say = (line: string): void => console.log(line);

async function main(): Promise<boolean> {
  const options = readOptions(process.argv.slice(2));
  const { kills, seed, plants } = options;
  const dice = new Dice(seed);
  const stack = await ChaosStack.prepare(options, dice, say);
  stopOnSignal(stack);
  try {
    const fault = plants.length > 0 ? `, with planted faults ${plants.join(', ')}` : '';
    say(`Chaos with seed ${seed}${fault}. Starting a platform in ${stack.settings.dataDir} …`);
    const run = new Run(stack, options, dice, (kill) => printKill(kill, kills, say));
    const report = await run.toItsEnd();
    printReport(report, say);
    if (options.report) writeFileSync(options.report, `${JSON.stringify(report, null, 2)}\n`);
    return report.passed;
  } finally {
    await stack.end();
  }
}

let interrupted = false;

function stopOnSignal(stack: ChaosStack): void {
  const stop = (why: string, code: number) => {
    if (interrupted) return;
    interrupted = true;
    say(why);
    void stack.end().finally(() => process.exit(code));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => stop('\nStopping all processes …', 130));
  process.on('uncaughtException', (error) => stop(error.stack ?? error.message, 1));
}

main().then(
  (passed) => interrupted || process.exit(passed ? 0 : 1),
  (error: Error) => {
    // An interrupted run is being shut down, so this error is expected.
    if (interrupted) return;
    console.error(error.message);
    process.exit(1);
  },
);
