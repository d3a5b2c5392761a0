/** The mail catcher as a program of its own. Development only. */
import path from 'node:path';
import { startCatcher } from './standins/mail/catcher.js';
import { exitWithSupervisor } from '../bin/serving/exitWithSupervisor.js';
import { readSettings } from './stack/settings.js';

async function main(): Promise<void> {
  exitWithSupervisor();
  const { ports, dataDir } = readSettings(process.env);
  const catcher = await startCatcher({
    smtpPort: ports.smtp,
    httpPort: ports.mailbox,
    file: path.join(dataDir, 'mail.jsonl'),
    bouncesPort: ports.bounces,
  });
  console.log(`Catching mail at ${catcher.smtpUrl}, showing it at ${catcher.url}`);
  const leave = async () => {
    await catcher.close();
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void leave());
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
