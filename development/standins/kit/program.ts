/** Runs a stand-in as a program of its own. It ends with its supervisor or on a signal. */
import { exitWithSupervisor } from '../../../bin/serving/exitWithSupervisor.js';

type Start = () => Promise<{ close(): Promise<unknown> }>;

/**
 * Runs a stand-in until a signal arrives or the supervisor ends.
 * @param start starts the stand-in and resolves when it listens
 */
export function runStandin(start: Start): void {
  exitWithSupervisor();
  runUntilSignal(start).catch((error: Error) => {
    console.error(error.message);
    process.exit(1);
  });
}

async function runUntilSignal(start: Start): Promise<void> {
  const standin = await start();
  const shutDown = async () => {
    await standin.close();
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void shutDown());
}
