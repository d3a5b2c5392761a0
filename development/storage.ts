/** Runs the stand-in of the object storage as a program of its own. Development only. */
import { readSettings } from './stack/settings.js';
import { OWN_STORAGE, storageFolder, STORAGE, STORAGE_PROVISIONER } from './stack/storage.js';
import { runStandin } from './standins/kit/program.js';
import { startStorageStandin } from './standins/storage/server.js';

runStandin(async () => {
  const settings = readSettings(process.env);
  return startStorageStandin({
    port: settings.ports.storage,
    folder: storageFolder(settings),
    buckets: [
      { ...STORAGE, secretAccessKey: process.env['STORAGE_SECRET_ACCESS_KEY'] || STORAGE.secretAccessKey },
      OWN_STORAGE,
    ],
    provisioner: STORAGE_PROVISIONER,
    log: (line) => console.log(line),
  });
});
