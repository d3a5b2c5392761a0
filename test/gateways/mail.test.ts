/**
 * Mail over the wire: the real client against the mail catcher, and against servers that misbehave.
 * @jest-environment node
 */
import { mkdtempSync, rmSync } from 'node:fs';
import dns from 'node:dns';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import tls from 'node:tls';
import { config } from '../../config.js';
import { type Catcher, startCatcher } from '../../development/standins/mail/catcher.js';
import type { CaughtMail } from '../../development/standins/mail/caughtMails.js';
import { type Mail, type MailPort, MailRefused, MailUnavailable } from '../../gateways/mail/port.js';
import { type OwnSmtp, ownSmtp } from '../../gateways/mail/ownSmtp.js';
import { smtpMail } from '../../gateways/mail/smtp.js';
import { makeKeyPair } from '../../gateways/saml/certificate.js';
import { until } from '../support/rudeMailServer.js';

const folder = mkdtempSync(path.join(os.tmpdir(), 'mail-test-'));
const file = path.join(folder, 'mail.jsonl');
const settings = { from: 'Platform <no-reply@example.org>', requireTls: false };
const open: { close(): unknown }[] = [];
let catcher: Catcher;
let mail: MailPort;

const aMail = (differences: Partial<Mail> = {}): Mail => ({
  to: 'kim@example.org',
  subject: 'Dues – reminder',
  text: 'Please pay.',
  messageId: 'invoice.42',
  ...differences,
});

beforeAll(async () => {
  catcher = await startCatcher({ smtpPort: 0, httpPort: 0, file });
  mail = smtpMail({ ...settings, url: catcher.smtpUrl });
  open.push(mail, catcher);
});

afterAll(async () => {
  for (const one of open) await one.close();
  rmSync(folder, { recursive: true });
});

beforeEach(() => fetch(`${catcher.url}/messages`, { method: 'DELETE' }));

const messages = async (query = '') => (await (await fetch(`${catcher.url}/messages${query}`)).json()) as CaughtMail[];

/** A server on a socket with the answers of the test. */
async function aServer(converse: (socket: net.Socket) => void): Promise<MailPort> {
  const server = net.createServer((socket) => converse(socket.on('error', () => undefined)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as net.AddressInfo;
  const adapter = smtpMail({ ...settings, url: `smtp://127.0.0.1:${port}` });
  open.push(adapter, server);
  return adapter;
}

test('a mail arrives with its recipient, text, HTML, headers and message id', async () => {
  const sent = aMail({ html: '<p>Please <b>pay</b>.</p>', headers: { 'List-Id': 'dues.example.org' } });
  await expect(mail.send(sent)).resolves.toBe('sent');
  expect(await messages()).toEqual([
    {
      id: expect.any(String),
      attachments: [],
      message_id: '<invoice.42@example.org>',
      from: 'no-reply@example.org',
      return_path: 'no-reply@example.org',
      to: ['kim@example.org'],
      subject: 'Dues – reminder',
      text: expect.stringContaining('Please pay.'),
      html: expect.stringContaining('<p>Please <b>pay</b>.</p>'),
      headers: expect.objectContaining({ 'list-id': 'dues.example.org', to: 'kim@example.org' }),
      at: expect.any(String),
    },
  ]);
});

test('a message id with a domain and a sender of its own are kept', async () => {
  await mail.send(
    aMail({
      messageId: '<a.b@mail.example.org>',
      from: { name: 'Treasurer', address: 'treasurer@chapter.example.org' },
    }),
  );
  const [caught] = await messages();
  expect(caught).toMatchObject({ message_id: '<a.b@mail.example.org>', from: 'treasurer@chapter.example.org' });
});

test('a mail has a return path for reports, a reply address, and headers of its thread', async () => {
  await mail.send(
    aMail({
      returnPath: 'b.1@bounces.example.org',
      replyTo: 'treasurer@example.org',
      conversation: 'thread.7',
      unsubscribeUrl: 'https://api.example.org/unsubscribe/abc/',
    }),
  );
  const [caught] = await messages();
  expect(caught).toMatchObject({ return_path: 'b.1@bounces.example.org', from: 'no-reply@example.org' });
  expect(caught?.headers).toMatchObject({
    'reply-to': 'treasurer@example.org',
    references: '<thread.7@example.org>',
    'in-reply-to': '<thread.7@example.org>',
    'list-unsubscribe': '<https://api.example.org/unsubscribe/abc/>',
    'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
  });
});

test('a line break in data cannot begin another header', async () => {
  const hostile = 'A\r\nBcc: b@example.org\r\n\r\n<b>';
  await mail.send(
    aMail({
      subject: hostile,
      from: { name: hostile, address: 'treasurer@example.org' },
      replyTo: hostile,
      conversation: hostile,
      unsubscribeUrl: `https://api.example.org/${hostile}`,
      headers: { 'X-Kind': hostile },
    }),
  );
  const [caught] = await messages();
  expect(caught?.to).toEqual(['kim@example.org']);
  expect(caught?.headers).not.toHaveProperty('bcc');
  expect(caught?.text).toBe('Please pay.\n');
});

test('the mailbox lists mails of one recipient, in any case of letters', async () => {
  await mail.send(aMail());
  await mail.send(aMail({ to: 'Robin@example.org' }));
  expect(await messages()).toHaveLength(2);
  expect((await messages('?to=robin@EXAMPLE.org')).map(({ to }) => to)).toEqual([['Robin@example.org']]);
});

test('many simultaneous mails arrive once each', async () => {
  const addresses = Array.from({ length: 60 }, (_, index) => `member${index}@example.org`);
  await Promise.all(addresses.map((to) => mail.send(aMail({ to, messageId: `bulletin.${to}` }))));
  expect((await messages()).flatMap(({ to }) => to).sort()).toEqual(addresses.sort());
});

test('the mailbox page shows the text of a mail and executes none of it', async () => {
  await mail.send(aMail({ subject: '<script>alert(1)</script>', html: '<script>alert(2)</script>' }));
  const [caught] = await messages();
  const list = await (await fetch(catcher.url)).text();
  const page = await (await fetch(`${catcher.url}/mails/${caught?.id}`)).text();
  expect(`${list}${page}`).not.toContain('<script>');
  expect(list).toContain('kim@example.org');
  expect(page).toContain('sandbox');
});

test('an unknown mail is 404 and another method 405', async () => {
  expect((await fetch(`${catcher.url}/messages/nothing`)).status).toBe(404);
  expect((await fetch(`${catcher.url}/messages`, { method: 'POST' })).status).toBe(405);
});

test('caught mails survive a restart of the catcher', async () => {
  await mail.send(aMail({ messageId: 'kept' }));
  const again = await startCatcher({ smtpPort: 0, httpPort: 0, file });
  open.push(again);
  expect(again.mails.list().map(({ message_id }) => message_id)).toEqual(['<kept@example.org>']);
});

test('a recipient that the server does not know is a permanent failure', async () => {
  const failure = await mail.send(aMail({ to: 'reject-550@example.org' })).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(MailRefused);
  expect(failure).toMatchObject({ code: 550 });
});

test.each(['nobody', 'a@example.org, b@example.org', 'a@example.org\r\nBcc: b@example.org', ''])(
  'an invalid recipient is refused before the mail is sent: %j',
  async (to) => {
    await expect(mail.send(aMail({ to }))).rejects.toBeInstanceOf(MailRefused);
    expect(await messages()).toEqual([]);
  },
);

test('a full mailbox is a temporary failure whose message does not contain the recipient', async () => {
  const failure = await mail.send(aMail({ to: 'reject-452@example.org' })).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(MailUnavailable);
  expect(failure).toMatchObject({ reason: '452', mayHaveBeenSent: false });
  expect(String(failure)).not.toContain('example.org');
});

test('an unreachable server is a temporary failure', async () => {
  const nowhere = smtpMail({ ...settings, url: 'smtp://127.0.0.1:1' });
  open.push(nowhere);
  await expect(nowhere.send(aMail())).rejects.toMatchObject({ name: 'MailUnavailable', mayHaveBeenSent: false });
});

test('a server that refuses the client, not the message, is a temporary failure', async () => {
  const closed = await aServer((socket) => socket.end('554 no service here\r\n'));
  await expect(closed.send(aMail())).rejects.toMatchObject({ name: 'MailUnavailable', mayHaveBeenSent: false });
});

test('a message that the server refuses after reading it is a permanent failure', async () => {
  const strict = await aServer(until(/^\.$/, (socket) => socket.write('554 unwanted\r\n')));
  await expect(strict.send(aMail())).rejects.toMatchObject({ name: 'MailRefused', code: 554 });
});

test('a mail is unsent when the connection is lost before the message was offered', async () => {
  const rude = await aServer(until(/^RCPT/, (socket) => socket.destroy()));
  await expect(rude.send(aMail())).rejects.toMatchObject({ name: 'MailUnavailable', mayHaveBeenSent: false });
});

test('a mail may have been sent when the connection is lost after the message, and is not sent again', async () => {
  let offered = 0;
  const lossy = await aServer(
    until(/^\.$/, (socket) => {
      offered += 1;
      socket.destroy();
    }),
  );
  await expect(lossy.send(aMail())).rejects.toMatchObject({ name: 'MailUnavailable', mayHaveBeenSent: true });
  expect(offered).toBe(1);
});

test('a server without encryption gets no mail when encryption is required', async () => {
  const careful = smtpMail({ ...settings, url: catcher.smtpUrl, requireTls: true });
  open.push(careful);
  await expect(careful.send(aMail())).rejects.toBeInstanceOf(MailUnavailable);
  expect(await messages()).toEqual([]);
});

/** A server with the test's answer to each command, which records what it receives. */
async function aTalker(replies: Record<string, string>, host = '127.0.0.1', port = 0) {
  const heard: string[] = [];
  const server = net.createServer((socket) => {
    socket.on('error', () => undefined).write(replies['greeting'] ?? '220 test\r\n');
    socket.on('data', (data) => {
      for (const line of data.toString().split('\r\n').filter(Boolean)) {
        heard.push(line);
        const command = Object.keys(replies).find((begins) => line.startsWith(begins));
        socket.write(command ? (replies[command] as string) : line === 'DATA' ? '354 go on\r\n' : '250 fine\r\n');
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  open.push(server);
  return { heard, port: (server.address() as net.AddressInfo).port };
}

test('the client sends no password without encryption', async () => {
  const { heard, port } = await aTalker({ EHLO: '250-test\r\n250 AUTH PLAIN LOGIN\r\n', STARTTLS: '502 no\r\n' });
  const careful = smtpMail({ ...settings, url: `smtp://club:secret@127.0.0.1:${port}`, requireTls: true });
  open.push(careful);
  await expect(careful.send(aMail())).rejects.toMatchObject({ step: 'tls' });
  expect(heard.map((line) => line.split(' ')[0])).toEqual(['EHLO', 'STARTTLS']);
});

describe('a server that an organization chose', () => {
  const sender = { name: 'Club', address: 'club@example.org' };
  const chosen = (host: string, differences: Partial<OwnSmtp> = {}) => {
    const port = Number(new URL(catcher.smtpUrl).port);
    const server = { host, port, security: 'starttls', username: 'club', password: 'secret' } as const;
    const own = ownSmtp({ ...server, ...differences }, sender);
    open.push(own);
    return own;
  };
  const allow = (allowed: boolean) => Object.assign(config, { SSO_ALLOW_PRIVATE_ADDRESSES: allowed });
  /** Sets the addresses of names; the last answer is repeated. */
  const resolving = (...answers: (string | Error)[]) =>
    jest.spyOn(dns, 'lookup').mockImplementation(((_name: string, _options: object, done: CallableFunction) => {
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      if (typeof answer === 'string') done(null, [{ address: answer, family: net.isIP(answer) }]);
      else done(answer);
    }) as never);
  afterEach(() => {
    jest.restoreAllMocks();
    allow(false);
  });

  test.each(['127.0.0.1', 'localhost', '::1', '169.254.169.254', '0x7f.1'])(
    'a chosen server is not connected at %s, which is no public address',
    async (host) => {
      const unreached = { name: 'MailUnavailable', reason: 'forbidden_address', step: 'resolve' };
      await expect(chosen(host).send(aMail())).rejects.toMatchObject(unreached);
    },
  );

  test('a chosen server whose name resolves to this host at a later connection is refused then', async () => {
    const attacked = await aTalker({});
    // In place of the internet: a public address leads to another host, on the same port.
    const [PUBLIC, ELSEWHERE] = ['8.8.4.4', '127.0.0.2'];
    const reached = await aTalker({ STARTTLS: '502 no\r\n' }, ELSEWHERE, attacked.port);
    const connect = net.connect.bind(net) as (options: net.TcpNetConnectOpts) => net.Socket;
    jest.spyOn(net, 'connect').mockImplementation(((options: net.TcpNetConnectOpts) =>
      connect({
        ...options,
        lookup: (name, asked, done) =>
          options.lookup?.(name, { ...asked, all: true }, (error, found) => {
            if (error) return done(error, '');
            const [{ address }] = found as [dns.LookupAddress];
            const led = { address: address === PUBLIC ? ELSEWHERE : address, family: 4 };
            done(null, asked.all ? [led] : led.address, 4);
          }),
      })) as never);
    const lookups = resolving(PUBLIC, '127.0.0.1');

    const own = chosen('mail.example.org', { port: attacked.port });
    await expect(own.send(aMail())).rejects.toMatchObject({ step: 'tls' });
    expect(reached.heard.map((line) => line.split(' ')[0])).toEqual(['EHLO', 'STARTTLS']);
    await expect(own.send(aMail())).rejects.toMatchObject({ reason: 'forbidden_address', step: 'resolve' });
    expect(attacked.heard).toEqual([]);
    // Only the connection looks the name up.
    expect(lookups).toHaveBeenCalledTimes(2);
  });

  test('a chosen server with one private address among several is not connected at any of them', async () => {
    jest.spyOn(dns, 'lookup').mockImplementation(((_name: string, _options: object, done: CallableFunction) =>
      done(null, [
        { address: '8.8.4.4', family: 4 },
        { address: '10.0.0.1', family: 4 },
      ])) as never);
    await expect(chosen('mail.example.org').send(aMail())).rejects.toMatchObject({ reason: 'forbidden_address' });
  });

  test('a chosen server is used on a private address in development, with its own sender', async () => {
    allow(true);
    await chosen('localhost').send(aMail({ from: sender }));
    expect(await messages()).toMatchObject([{ from: 'club@example.org', message_id: '<invoice.42@example.org>' }]);
  });

  test('a chosen server whose name does not resolve is a temporary failure', async () => {
    resolving(Object.assign(new Error('?'), { code: 'ENOTFOUND' }));
    const nowhere = { name: 'MailUnavailable', reason: 'ENOTFOUND', step: 'resolve' };
    await expect(chosen('nowhere.example.org').send(aMail())).rejects.toMatchObject(nowhere);
  });

  test.each([
    ['greeting', '554', { greeting: '554 not you\r\n' }],
    ['auth', '535', { EHLO: '250-test\r\n250 AUTH PLAIN\r\n', AUTH: '535 5.7.8 club and secret are wrong\r\n' }],
    ['sender', '553', { MAIL: '553 5.7.1 club@example.org is not yours\r\n' }],
    ['recipient', '451', { RCPT: '451 later\r\n' }],
    ['data', '452', { DATA: '452 full\r\n' }],
  ])('a failure of a chosen server names its step: %s', async (step, reason, replies) => {
    allow(true);
    const { port } = await aTalker(replies);
    const failure = await chosen('127.0.0.1', { port })
      .send(aMail())
      .catch((error: unknown) => error);
    const ofServer = step !== 'recipient' && step !== 'data';
    expect(failure).toMatchObject({ name: 'MailUnavailable', step, reason, ofServer, mayHaveBeenSent: false });
    expect(String(failure)).not.toMatch(/club|secret|example/);
  });

  test('an unreachable chosen server and one with an untrusted certificate are different failures', async () => {
    allow(true);
    await expect(chosen('127.0.0.1', { port: 1 }).send(aMail())).rejects.toMatchObject({
      step: 'connect',
      reason: 'ECONNREFUSED',
    });
    const { certificate: cert, privateKey: key } = await makeKeyPair('localhost', Date.now());
    const server = tls.createServer({ cert, key });
    open.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as net.AddressInfo;
    await expect(chosen('localhost', { port, security: 'tls' }).send(aMail())).rejects.toMatchObject({
      step: 'tls',
      reason: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    });
  });
});
