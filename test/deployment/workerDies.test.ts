/** A worker is killed in the middle of much work: the next worker completes it, and nothing is lost or happens twice. */
import '../../models/wireAreas.js';
import type { Catcher } from '../../development/standins/mail/catcher.js';
import { STORAGE_PROVISIONER } from '../../development/stack/storage.js';
import { registerSearchAttributes } from '../../gateways/temporal/searchAttributes.js';
import { aPushWorld } from '../gateways/push.support.js';
import { aStore } from '../gateways/storage.support.js';
import { startMailServer, stopMailServer } from '../support/accountMail.js';
import { anApi } from '../support/apiWorld.js';
import { workerDies } from '../support/workerDies.js';
import { killedBulkActions } from './workerDiesBulkActions.support.js';
import { killedExports } from './workerDiesExports.support.js';
import { killedForums } from './workerDiesForums.support.js';
import { killedMails } from './workerDiesMails.support.js';
import { killedPushes } from './workerDiesPushes.support.js';
import { killedStorage } from './workerDiesStorage.support.js';

const api = anApi();
const storage = aStore();
const push = aPushWorld();
const mailbox = {} as Catcher;

beforeAll(async () => {
  Object.assign(mailbox, await startMailServer());
  await registerSearchAttributes();
});
afterAll(() => stopMailServer(mailbox));

/** Faults of the push stand-in end with each test, and an alert reaches the people of all organizations: mails come first. */
const cases = [
  ...killedMails(mailbox),
  ...killedPushes(push),
  ...killedExports({ api, storage }),
  ...killedStorage({ api, storage }),
  ...killedForums(),
  ...killedBulkActions(),
];

workerDies(cases, () => {
  const { key, keyId, teamId, topic, url, ca } = push.apnsSettings;
  const { bucket, accessKeyId, secretAccessKey } = storage.settings;
  return {
    SMTP_URL: mailbox.smtpUrl,
    APNS_KEY: key,
    APNS_KEY_ID: keyId,
    APNS_TEAM_ID: teamId,
    APNS_TOPIC: topic,
    APNS_URL: url,
    APNS_CA: ca,
    STORAGE_BUCKET: bucket,
    STORAGE_ENDPOINT: storage.url,
    STORAGE_ACCESS_KEY_ID: accessKeyId,
    STORAGE_SECRET_ACCESS_KEY: secretAccessKey,
    STORAGE_ALLOWED_HOSTS: new URL(storage.url).host,
    STORAGE_PROVISIONING_ACCESS_KEY_ID: STORAGE_PROVISIONER.accessKeyId,
    STORAGE_PROVISIONING_SECRET_ACCESS_KEY: STORAGE_PROVISIONER.secretAccessKey,
    STORAGE_PROVISIONING_ENDPOINT: storage.url,
    STORAGE_PROVISIONING_IDENTITY_ENDPOINT: storage.url,
    STORAGE_PROVISIONING_REGION: 'us-east-1',
    STORAGE_PROVISIONING_NAME: 'membership',
  };
});
