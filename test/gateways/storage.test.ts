/**
 * The storage port over its wire protocol: what the storage checks and answers, and how it is interpreted.
 * @jest-environment node
 */
import { createHash, randomBytes } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { STORAGE_PROVISIONER } from '../../development/stack/storage.js';
import { withMinimumRate, shortWords } from '../../gateways/storage/bounds.js';
import { withProvisioner } from '../../gateways/storage/provisioning/withProvisioner.js';
import { planParts } from '../../gateways/storage/provisioning/planParts.js';
import { PARTS, ProvisioningUnavailable } from '../../gateways/storage/provisioning/port.js';
import { type StoragePort, StorageUnavailable } from '../../gateways/storage/port.js';
import { s3, type S3Settings } from '../../gateways/storage/s3.js';
import { verifyChecksum } from '../../gateways/storage/verifyChecksum.js';
import { aStore } from './storage.support.js';

const storage = aStore();
let port: StoragePort;
const open: StoragePort[] = [];
const another = (settings: Partial<S3Settings> = {}) => {
  const opened = s3({ ...storage.settings, ...settings });
  open.push(opened);
  return opened;
};
beforeAll(() => void (port = another()));
afterAll(() => open.forEach((one) => one.close()));

const DOWNLOAD = { name: 'Liste "für" März.csv', mediaType: 'text/csv', seconds: 300 };
const bytesAt = async (address: string) => Buffer.from(await (await fetch(address)).arrayBuffer());
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

test('a file of several parts is downloaded unchanged, under its name', async () => {
  const bytes = randomBytes(11 * 1024 * 1024);
  await port.put('org/large', Readable.from([bytes.subarray(0, 7_000_001), bytes.subarray(7_000_001)]));
  const address = await port.signedUrl('org/large', DOWNLOAD);
  expect(sha256(await bytesAt(address))).toBe(sha256(bytes));
  const { headers } = await fetch(address);
  expect(headers.get('content-type')).toBe('text/csv');
  expect(headers.get('content-disposition')).toBe(
    `attachment; filename="Liste__f_r__M_rz.csv"; filename*=UTF-8''Liste%20%22f%C3%BCr%22%20M%C3%A4rz.csv`,
  );
});

test('a signed address is valid for its time and its object, and only unchanged', async () => {
  await port.put('org/one', Readable.from([Buffer.from('one')]));
  await port.put('org/two', Readable.from([Buffer.from('two')]));
  const address = await port.signedUrl('org/one', DOWNLOAD);
  expect((await bytesAt(address)).toString()).toBe('one');
  expect((await fetch(address.replace('org/one', 'org/two'))).status).toBe(403);
  expect((await fetch(address.replace('attachment', 'inline'))).status).toBe(403);
  expect((await fetch(address, { method: 'DELETE' })).status).toBe(403);
  expect((await fetch(address.split('?')[0] as string)).status).toBe(403);
  storage.clock.skewMs = 301_000;
  expect((await fetch(address)).status).toBe(403);
  storage.clock.skewMs = 0;
});

test('removing an object works, also a second time', async () => {
  await port.put('org/gone', Readable.from([Buffer.from('gone')]));
  await port.remove('org/gone');
  await port.remove('org/gone');
  expect((await fetch(await port.signedUrl('org/gone', DOWNLOAD))).status).toBe(404);
});

test('a short outage is retried, and wrong credentials, another bucket and a storage outage are storage failures', async () => {
  storage.fail(503, 1);
  await port.put('org/retried', Readable.from([Buffer.from('kept')]));
  storage.fail('lost', 1);
  await port.put('org/lost', Readable.from([Buffer.from('kept')]));
  expect(storage.objects.keys()).toEqual(expect.arrayContaining(['org/retried', 'org/lost']));
  const put = (at: StoragePort) => at.put('org/never', Readable.from([Buffer.from('x')]));
  for (const wrong of [{ secretAccessKey: 'another' }, { bucket: 'another' }, { endpoint: 'http://127.0.0.1:9' }])
    await expect(put(another(wrong))).rejects.toBeInstanceOf(StorageUnavailable);
  storage.fail(503, 3);
  await expect(port.remove('org/retried')).rejects.toBeInstanceOf(StorageUnavailable);
  expect(storage.objects.keys()).not.toContain('org/never');
});

test('an upload that ends early stores no object, and returns the error of its stream', async () => {
  const failure = new Error('the sender is gone');
  async function* broken() {
    yield randomBytes(6 * 1024 * 1024);
    throw failure;
  }
  await expect(port.put('org/half', Readable.from(broken()))).rejects.toBe(failure);
  expect(storage.objects.keys()).not.toContain('org/half');
});

test('a downloaded file is accepted only with the size and checksum of the upload', async () => {
  const bytes = randomBytes(1000);
  const facts = { size_bytes: bytes.length, sha256: sha256(bytes) };
  const read = (...parts: Buffer[]) => buffer(verifyChecksum(Readable.from(parts), facts));
  expect(await read(bytes.subarray(0, 400), bytes.subarray(400))).toEqual(bytes);
  const other = Buffer.from(bytes).fill(0, 0, 4);
  for (const parts of [[bytes.subarray(1)], [bytes, Buffer.from('x')], [other], []])
    await expect(read(...parts)).rejects.toBeInstanceOf(StorageUnavailable);
  async function* endless() {
    for (;;) yield bytes;
  }
  await expect(buffer(verifyChecksum(Readable.from(endless()), facts))).rejects.toBeInstanceOf(StorageUnavailable);
});

test('an endless answer is aborted', async () => {
  let sent = 0;
  const server = http.createServer((request, response) => {
    request.resume();
    response.writeHead(403, { 'Content-Type': 'application/xml' });
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536, 'x'))) sent += 65_536;
    };
    response.on('drain', more).on('error', () => undefined);
    more();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await expect(another({ endpoint }).remove('org/one')).rejects.toBeInstanceOf(StorageUnavailable);
  expect(sent).toBeLessThan(100_000_000);
  server.closeAllConnections();
  server.close();
});

describe('slow storage', () => {
  beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] }));
  afterEach(() => jest.useRealTimers());
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  test('slow answers and slow objects are aborted', async () => {
    const words = shortWords(new Readable({ read() {} }), 20_000);
    const reading = expect(buffer(words)).rejects.toThrow('too slow');
    jest.advanceTimersByTime(20_000);
    await reading;
    const source = new Readable({ read() {} });
    const object = buffer(withMinimumRate(source));
    const refused = expect(object).rejects.toThrow('too slow');
    for (let ticks = 0; ticks < 3; ticks += 1) {
      source.push(Buffer.alloc(1_000));
      await settled();
      jest.advanceTimersByTime(10_000);
    }
    await refused;
    expect(source.destroyed).toBe(true);
  });

  test('a slow consumer and an object at the minimum rate are not aborted', async () => {
    const full = withMinimumRate(
      Readable.from([Buffer.alloc(500_000, 1), Buffer.alloc(500_000, 2)], { objectMode: false }),
    );
    await settled();
    jest.advanceTimersByTime(600_000);
    expect(await buffer(full)).toHaveLength(1_000_000);
    const source = new Readable({ read() {} });
    const read = buffer(withMinimumRate(source));
    for (let ticks = 0; ticks < 6; ticks += 1) {
      source.push(Buffer.alloc(700_000));
      for (let turns = 0; turns < 50; turns += 1) await settled();
      jest.advanceTimersByTime(10_000);
    }
    source.push(null);
    expect(await read).toHaveLength(4_200_000);
  });
});

test('a provisioned key opens its own prefix and nothing else, repeated provisioning is harmless, and two keys are the maximum', async () => {
  const wanted = { bucket: 'membership-x', prefix: 'files/', region: 'eu-central-1', user: 'membership-x' };
  const settings = { ...STORAGE_PROVISIONER, endpoint: storage.url, identityEndpoint: storage.url };
  await withProvisioner(settings, wanted, async (provider) => {
    for (const name of [...PARTS, ...PARTS]) await provider.parts[name].create();
    const [first, second] = [await provider.createKey(), await provider.createKey()];
    expect(await planParts(provider, { accessKeyId: first.id, isActive: true })).toEqual(
      Object.fromEntries([...PARTS, 'key', 'config'].map((name) => [name, 'exists'])),
    );
    await expect(provider.createKey()).rejects.toMatchObject({ answer: expect.stringMatching(/^LimitExceeded/) });
    const at = (bucket: string, { id, secret } = first) =>
      another({ bucket, accessKeyId: id, secretAccessKey: secret });
    const own = at('membership-x');
    await own.put('files/one', Readable.from(['one']));
    expect([await own.has('files/one'), await own.has('files/two')]).toEqual([true, false]);
    for (const [bucket, key] of [
      ['membership-x', 'other/one'],
      [storage.settings.bucket, 'files/one'],
    ] as const)
      await expect(at(bucket).put(key, Readable.from(['x']))).rejects.toThrow('AccessDenied');
    storage.identities.disableKey(second.id);
    expect(await provider.keys()).toEqual([
      { id: first.id, active: true },
      { id: second.id, active: false },
    ]);
    await expect(provider.createKey()).rejects.toBeInstanceOf(ProvisioningUnavailable);
    for (const { id } of [first, first, second]) await provider.deleteKey(id);
    await expect(own.remove('files/one')).rejects.toThrow('InvalidAccessKeyId');
  });
});
