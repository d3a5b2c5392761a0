/** A stand-in as a program of its own: it ends with its supervisor, or when it is told to. */
import { exitWithSupervisor } from '../../../bin/serving/exitWithSupervisor.js';

type Start = () => Promise<{ close(): Promise<unknown> }>;

/** @param start resolves once it listens */
export function runStandin(start: Start): void {
  exitWithSupervisor();
  untilToldToLeave(start).catch((error: Error) => {
    console.error(error.message);
    process.exit(1);
  });
}

async function untilToldToLeave(start: Start): Promise<void> {
  const standin = await start();
  const leave = async () => {
    await standin.close();
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void leave());
}
