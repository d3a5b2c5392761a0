/** The stand-ins of APNs and FCM with their protocols, and phones that show what arrived. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { listen, type Listening } from '../kit/listen.js';
import { serveApns } from './apns.js';
import { control } from './control.js';
import { type App, DEFAULT_APP, makeCredentials, readCredentials } from './credentials.js';
import { Faults } from './faults.js';
import { serveFcm } from './fcm.js';
import { Phones } from './phones.js';
import { Requests, type Standin } from './standin.js';

export interface PushStandinOptions {
  /** Port of APNs; 0 chooses a free one, as for the other ports. */
  apnsPort: number;
  fcmPort: number;
  controlPort: number;
  /** Folder for credentials and arrived messages, which survive a restart. */
  folder: string;
  app?: App;
  log?: (line: string) => void;
  /** Returns the time in milliseconds. */
  now?: () => number;
}

export interface PushStandin extends Standin {
  apnsUrl: string;
  fcmUrl: string;
  controlUrl: string;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';

/** Starts APNs, FCM and the control port. Resolves when all three listen. */
export async function startPushStandin(options: PushStandinOptions): Promise<PushStandin> {
  const { folder, app = DEFAULT_APP, log = () => {}, now = Date.now } = options;
  makeCredentials(folder);
  mkdirSync(folder, { recursive: true });
  const { tls, apnsKey, serviceAccount } = readCredentials(folder);
  const phones = new Phones(path.join(folder, 'phones.jsonl'));
  const standin: Standin = { phones, faults: new Faults(), requests: new Requests(), now };
  const open: Listening[] = [];
  const opened = async (listening: Promise<Listening>) => {
    open.push(await listening);
    return open.at(-1)?.port;
  };
  const close = async () => {
    standin.faults.lift();
    await Promise.all(open.map((one) => one.close()));
  };
  try {
    const { apnsPort, fcmPort, controlPort } = options;
    const apns = await opened(serveApns(standin, { port: apnsPort, host: HOST, tls, key: apnsKey, app }));
    const fcm = await opened(serveFcm(standin, { port: fcmPort, host: HOST, account: serviceAccount, log }));
    const side = await opened(listen(controlPort, HOST, (exchange) => control(standin, exchange), log));
    const urls = {
      apnsUrl: `https://${HOST}:${apns}`,
      fcmUrl: `http://${HOST}:${fcm}`,
      controlUrl: `http://${HOST}:${side}`,
    };
    log(`push stand-ins: APNs at ${urls.apnsUrl}, FCM at ${urls.fcmUrl}, control and phones at ${urls.controlUrl}`);
    return { ...standin, ...urls, close };
  } catch (error) {
    await close();
    throw error;
  }
}
