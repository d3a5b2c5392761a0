/** Runs the stand-ins of the push gateways as a program of their own. Development only. */
import { appOf, pushFolder } from './stack/push.js';
import { readSettings } from './stack/settings.js';
import { runStandin } from './standins/kit/program.js';
import { startPushStandin } from './standins/push/server.js';

runStandin(async () => {
  const settings = readSettings(process.env);
  const { apns, fcm, pushControl } = settings.ports;
  return startPushStandin({
    apnsPort: apns,
    fcmPort: fcm,
    controlPort: pushControl,
    folder: pushFolder(settings),
    app: appOf(settings.environment),
    log: (line) => console.log(line),
  });
});
