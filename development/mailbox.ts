/** Runs the mail catcher as a program of its own. Development only. */
import path from 'node:path';
import { readSettings } from './stack/settings.js';
import { runStandin } from './standins/kit/program.js';
import { startCatcher } from './standins/mail/catcher.js';

runStandin(async () => {
  const { ports, dataDir } = readSettings(process.env);
  const catcher = await startCatcher({
    smtpPort: ports.smtp,
    httpPort: ports.mailbox,
    file: path.join(dataDir, 'mail.jsonl'),
    bouncesPort: ports.bounces,
  });
  console.log(`Catching mail at ${catcher.smtpUrl}, showing it at ${catcher.url}`);
  return catcher;
});
