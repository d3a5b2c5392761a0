/** Both adapters against the stand-ins of their gateways, over the wire. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  APNS_KEY_ID,
  credentialFiles,
  DEFAULT_APP,
  readCredentials,
} from '../../development/standins/push/credentials.js';
import type { PushRequest } from '../../development/standins/push/standin.js';
import { type PushStandin, startPushStandin } from '../../development/standins/push/server.js';
import type { ArrivedMessage, Environment, Phone, Platform } from '../../development/standins/push/phones.js';
import { type ApnsSettings, apns } from '../../gateways/push/apns.js';
import { type FcmSettings, fcm } from '../../gateways/push/fcm.js';
import { metered } from '../../gateways/push/metered.js';
import type { PushMessage, PushPort } from '../../gateways/push/port.js';

export const aMessage = (differences: Partial<PushMessage> = {}): PushMessage => ({
  recordId: randomUUID(),
  collapseId: randomUUID(),
  token: 'ab'.repeat(32),
  environment: 'production',
  title: 'Dues – reminder',
  body: 'Your invoice is due.',
  badge: 3,
  data: { notification_id: 'n1', target_url: '/invoices/1' },
  ...differences,
});

export interface PushWorld {
  standin: PushStandin;
  apnsSettings: ApnsSettings;
  fcmSettings: FcmSettings;
  ports: Record<Platform, PushPort>;
  /** Another adapter, closed with the others. */
  another(platform: Platform, settings?: Partial<ApnsSettings & FcmSettings>): PushPort;
  phone(platform: Platform, environment?: Environment): Promise<Phone>;
  fault(order: object): Promise<void>;
  arrivals(query?: Record<string, string>): Promise<ArrivedMessage[]>;
  requests(query?: Record<string, string>): Promise<PushRequest[]>;
  control(method: string, path: string, body?: object): Promise<Response>;
}

/** Starts before the tests of a file and ends after them; faults end with each test. */
export function aPushWorld(now?: () => number): PushWorld {
  const world = {} as PushWorld;
  const folder = mkdtempSync(path.join(os.tmpdir(), 'push-test-'));
  const open: { close(): unknown }[] = [];

  beforeAll(async () => {
    const credentials = path.join(folder, 'push');
    const standin = await startPushStandin({
      apnsPort: 0,
      fcmPort: 0,
      controlPort: 0,
      folder: credentials,
      ...(now && { now }),
    });
    open.push(standin);
    const { apnsKey: key, serviceAccount: account } = readCredentials(credentials);
    const ca = readFileSync(credentialFiles(credentials).authority, 'utf8');
    const apnsSettings = { key, keyId: APNS_KEY_ID, ...DEFAULT_APP, url: standin.apnsUrl, ca };
    const fcmSettings = { account, url: standin.fcmUrl, tokenUrl: `${standin.fcmUrl}/token` };
    const another: PushWorld['another'] = (platform, settings = {}) => {
      const adapter =
        platform === 'ios' ? apns({ ...apnsSettings, ...settings }) : fcm({ ...fcmSettings, ...settings });
      open.unshift(adapter);
      return metered(platform, adapter);
    };
    Object.assign(world, {
      standin,
      apnsSettings,
      fcmSettings,
      another,
      ports: { ios: another('ios'), android: another('android') },
    });
  });
  afterEach(() => world.control('DELETE', '/faults'));
  afterAll(async () => {
    for (const one of open) await one.close();
    rmSync(folder, { recursive: true });
  });

  const listed = async (what: string, query: Record<string, string> = {}) =>
    (await world.control('GET', `/${what}?${new URLSearchParams(query)}`)).json();
  return Object.assign(world, {
    control: (method: string, address: string, body?: object) =>
      fetch(`${world.standin.controlUrl}${address}`, {
        method,
        ...(body && { body: JSON.stringify(body) }),
      }),
    phone: async (platform: Platform, environment: Environment = 'production') =>
      (await world.control('POST', '/phones', { platform, environment })).json() as Promise<Phone>,
    fault: async (order: object) => expect((await world.control('POST', '/faults', order)).status).toBe(201),
    arrivals: (query?: Record<string, string>) => listed('ledger', query) as Promise<ArrivedMessage[]>,
    requests: (query?: Record<string, string>) => listed('requests', query) as Promise<PushRequest[]>,
  });
}
