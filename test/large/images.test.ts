/**
 * Pictures made to exhaust memory, uploaded by applicants without an account, three at a time in four rounds: the memory of the API
 * process and of its decoders stays bounded, and is released.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { STORAGE } from '../../development/stack/storage.js';
import { inviting } from '../api/organizations/invitations/invitations.support.js';
import { aStore } from '../gateways/storage.support.js';
import { aTerm } from '../support/world.js';

const MEGABYTE = 1024 * 1024;
const storage = aStore();
const stage = inviting();
let api: ChildProcess;
let url: string;
let draft: string;

beforeAll(async () => {
  const period = await stage.admin.post<{ id: string }>(
    `/api/organizations/${stage.world.organizationId}/recruitment-periods/`,
    {
      term: await aTerm(stage.world, 2101),
      name: 'Intake',
      opens_at: '2020-01-01T00:00:00.000Z',
      closes_at: '2100-01-01T00:00:00.000Z',
    },
  );
  expect((await stage.admin.post(`/api/recruitment-periods/${period.body.id}/activate/`)).status).toBe(200);
  const begun = await stage.nobody.post<{ token: string }>(`/api/pnm/public/${stage.world.slug}/drafts/`, {
    contents: { first_name: 'Ada', last_name: 'Applicant', chapter: stage.world.chapterId },
  });
  draft = begun.body.token;
  api = spawn(process.execPath, [path.resolve('dist/bin/api.js')], {
    env: {
      ...process.env,
      LOG_LEVEL: 'info',
      PORT: '0',
      TEMPORAL_ADDRESS: '127.0.0.1:1',
      THROTTLE_LIMITS: JSON.stringify({ pnm_attachment: 10_000, default_anonymous: 100_000 }),
      STORAGE_BUCKET: STORAGE.bucket,
      STORAGE_ACCESS_KEY_ID: STORAGE.accessKeyId,
      STORAGE_SECRET_ACCESS_KEY: STORAGE.secretAccessKey,
      STORAGE_ENDPOINT: storage.url,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  url = await new Promise((resolve, reject) => {
    api.once('exit', (code) => reject(new Error(`The API ended with ${code}.`)));
    createInterface({ input: api.stdout as NodeJS.ReadableStream }).on('line', (text) => {
      const { msg, port } = JSON.parse(text) as { msg: string; port?: number };
      if (msg === 'the API is listening') resolve(`http://127.0.0.1:${port}`);
    });
  });
});
afterAll(() => api.kill('SIGKILL'));

async function send(picture: Buffer): Promise<Response> {
  const body = new FormData();
  body.append('file', new Blob([new Uint8Array(picture)]), 'me.jpg');
  const address = `${url}/api/pnm/public/${stage.world.slug}/drafts/${draft}/attachments/?kind=headshot`;
  return fetch(address, { method: 'POST', body });
}

const upload = async (picture: Buffer): Promise<number> => (await send(picture)).status;

/** The API process and all processes below it, with their resident memory in bytes. */
function runningProcesses(): { pid: number; bytes: number }[] {
  const parents = new Map<number, number>();
  const resident = new Map<number, number>();
  for (const pid of readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)) {
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      parents.set(pid, Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]));
      resident.set(pid, Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024);
    } catch {
      // The process has ended since the folder was listed.
    }
  }
  const isBelow = (pid: number | undefined): boolean =>
    pid !== undefined && (pid === api.pid || isBelow(parents.get(pid)));
  return [...resident].flatMap(([pid, bytes]) => (isBelow(pid) ? { pid, bytes } : []));
}

const residentBytes = (): number => runningProcesses().reduce((sum, { bytes }) => sum + bytes, 0);

/**
 * Uploads a picture three at a time in four rounds. @returns the answers, the largest increase of memory and the increase
 * afterwards, in MB
 */
async function attack(picture: Buffer) {
  const before = residentBytes();
  let peak = before;
  const sampling = setInterval(() => {
    peak = Math.max(peak, residentBytes());
  }, 20);
  const answers: number[] = [];
  for (let round = 0; round < 4; round += 1)
    answers.push(...(await Promise.all([upload(picture), upload(picture), upload(picture)])));
  clearInterval(sampling);
  await sleep(2_000);
  const inMegabytes = (bytes: number) => Math.round((bytes - before) / MEGABYTE);
  return { answers, peak: inMegabytes(peak), left: inMegabytes(residentBytes()) };
}

const plain = (side: number, more: sharp.JpegOptions = {}) =>
  sharp({ create: { width: side, height: side, channels: 3, background: 'teal' }, limitInputPixels: false })
    .jpeg({ progressive: true, quality: 30, ...more })
    .toBuffer();

test('twelve pictures of 119 megapixels are refused and add less than 150 MB, which is released', async () => {
  await upload(await plain(100));
  const picture = await plain(10_920);
  const { answers, peak, left } = await attack(picture);
  console.log(`hostile pictures of ${Math.round(picture.length / 1024)} kB: ${peak} MB at most, ${left} MB afterwards`);
  expect(answers).toEqual(Array.from({ length: 12 }, () => 400));
  expect(peak).toBeLessThan(150);
  expect(left).toBeLessThan(50);
});

test('twelve pictures of 50 megapixels without chroma subsampling are accepted, and their memory is released', async () => {
  const picture = await plain(7_070, { chromaSubsampling: '4:4:4' });
  const { answers, peak, left } = await attack(picture);
  console.log(
    `accepted pictures of ${Math.round(picture.length / 1024)} kB: ${peak} MB at most, ${left} MB afterwards`,
  );
  expect(answers).toEqual(Array.from({ length: 12 }, () => 201));
  // At most two decoders run at a time, and libjpeg needs 6 bytes a pixel for such a picture.
  expect(peak).toBeLessThan(900);
  expect(left).toBeLessThan(50);
});

test('while two decoders are stopped, another picture waits for 5 s and is answered 503 with Retry-After', async () => {
  const picture = await plain(7_070);
  const uploads = [upload(picture), upload(picture)];
  let decoders: number[] = [];
  while (decoders.length < 2) {
    await sleep(10);
    decoders = runningProcesses().flatMap(({ pid }) => (pid === api.pid ? [] : pid));
  }
  for (const pid of decoders) process.kill(pid, 'SIGSTOP');

  const sentAt = performance.now();
  const refused = await send(await plain(100));
  expect([refused.status, await refused.json()]).toMatchObject([503, { code: 'busy' }]);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(performance.now() - sentAt).toBeGreaterThan(4_900);
  expect(performance.now() - sentAt).toBeLessThan(8_000);

  for (const pid of decoders) process.kill(pid, 'SIGCONT');
  expect(await Promise.all(uploads)).toEqual([201, 201]);
});
