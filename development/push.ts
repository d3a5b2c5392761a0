/** The stand-ins of the push gateways as a program of their own. Development only. */
import { exitWithSupervisor } from '../bin/serving/exitWithSupervisor.js';
import { appOf, pushFolder } from './stack/push.js';
import { readSettings } from './stack/settings.js';
import { startPushStandin } from './standins/push/server.js';

async function main(): Promise<void> {
  exitWithSupervisor();
  const settings = readSettings(process.env);
  const { apns, fcm, pushControl } = settings.ports;
  const standin = await startPushStandin({
    apnsPort: apns,
    fcmPort: fcm,
    controlPort: pushControl,
    folder: pushFolder(settings),
    app: appOf(settings.environment),
    log: (line) => console.log(line),
  });
  const leave = async () => {
    await standin.close();
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void leave());
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
