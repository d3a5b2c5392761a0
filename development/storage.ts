/** The stand-in of the store of files as a program of its own. Development only. */
import { exitWithSupervisor } from '../bin/serving/exitWithSupervisor.js';
import { readSettings } from './stack/settings.js';
import { storageFolder, STORAGE } from './stack/storage.js';
import { startStorageStandin } from './standins/storage/server.js';

async function main(): Promise<void> {
  exitWithSupervisor();
  const settings = readSettings(process.env);
  const standin = await startStorageStandin({
    port: settings.ports.storage,
    folder: storageFolder(settings),
    bucket: STORAGE.bucket,
    credentials: STORAGE,
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
