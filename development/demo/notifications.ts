/**
 * Demo of notifications: they arrive live, are held during quiet hours and released later, and the demo shows what
 * became of each mail and why. The platform publishes an alert while a member listens.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { DemoClient, DemoFailed, problem } from './client.js';
import type { DemoFacts } from './facts.js';
import { screen } from './screen.js';

interface SocketMessage {
  type: string;
  quiet?: boolean;
  notification?: { id: string; title: string; category: string };
}

interface Explained {
  email: { outcome: string; reason: string | null; at: string | null; you_can_change: boolean };
}

const TIMEOUT_MS = 30_000;

/**
 * Shows who receives notifications, when, and why.
 * @throws DemoFailed
 */
export async function showNotifications(facts: DemoFacts): Promise<boolean> {
  screen.chapter('Notifications: who receives them, when, and why');
  const [organization] = facts.organizations as [DemoFacts['organizations'][number]];
  const { member, platform_admin } = organization.users;
  if (!facts.realtime_url || !platform_admin) throw new DemoFailed('demo.json does not say where to listen.');
  const platform = await DemoClient.signIn(facts.base_url, platform_admin);
  const listener = await DemoClient.signIn(facts.base_url, member, organization.slug);
  await listener.put('/api/notifications/quiet-hours/', nightOff);
  const bell = await Bell.open(facts.realtime_url, listener);
  try {
    screen.done(`${member.email} is connected to ${facts.realtime_url}`);
    await live(platform, listener, bell, facts, member.email);
    await held(platform, listener, bell, facts, member.email);
  } finally {
    await listener.put('/api/notifications/quiet-hours/', nightOff);
    bell.close();
  }
  return true;
}

const NIGHT = { start_time: '00:00', end_time: '23:59', timezone: 'UTC' };
const nightOff = { ...NIGHT, enabled: false };

async function live(platform: DemoClient, listener: DemoClient, bell: Bell, facts: DemoFacts, address: string) {
  screen.chapter('1. Delivered at once');
  const title = await publish(platform);
  const { notification } = await bell.waitFor(title);
  screen.done(`The bell rings: "${title}" (${notification?.category})`);
  await waitForMail(facts, address, title);
  await explain(listener, notification?.id ?? '');
}

async function held(platform: DemoClient, listener: DemoClient, bell: Bell, facts: DemoFacts, address: string) {
  screen.chapter('2. Held by quiet hours, and released');
  await listener.put('/api/notifications/quiet-hours/', { ...NIGHT, enabled: true });
  screen.step('the member’s quiet hours begin now');
  const title = await publish(platform);
  const { notification, quiet } = await bell.waitFor(title);
  if (!quiet) throw new DemoFailed('The notification was not marked quiet.');
  screen.done('It is in the list, but the bell does not ring.');
  const id = notification?.id ?? '';
  for (let waited = 0; (await explained(listener, id)).email.reason !== 'quiet_hours'; waited += 1) {
    if (waited > 30) throw new DemoFailed('The mail was not held by quiet hours.');
    await sleep(1000);
  }
  await explain(listener, id);
  screen.step('the member ends the quiet hours');
  await listener.put('/api/notifications/quiet-hours/', nightOff);
  await waitForMail(facts, address, title);
  await explain(listener, id);
}

async function publish(platform: DemoClient): Promise<string> {
  const title = `Maintenance on Sunday (${new Date().toISOString().slice(11, 19)})`;
  screen.step('the platform publishes an alert for everyone in every organization');
  const alert = { title, body: 'The platform rests from 02:00 to 03:00 UTC.', audience: 'everyone' };
  const { status, body } = await platform.post('/api/platform/alerts/', alert);
  if (status !== 201) throw new DemoFailed(`The alert was not published: ${problem(body)}`);
  return title;
}

async function waitForMail({ mail_url: mailUrl }: DemoFacts, address: string, title: string): Promise<void> {
  if (!mailUrl) return screen.note('Its mail went to a real server.');
  for (let waited = 0; waited < 60; waited += 1) {
    const mails = (await (await fetch(`${mailUrl}/messages`)).json()) as {
      to: string[];
      subject: string;
      id: string;
    }[];
    if (mails.some(({ to, subject }) => to.includes(address) && subject.includes(title))) {
      screen.done(`It is mailed to ${address}: ${mailUrl}`);
      return;
    }
    await sleep(500);
  }
  throw new DemoFailed(`No mail arrived for ${address}.`);
}

const explained = (listener: DemoClient, id: string) => listener.get<Explained>(`/api/notifications/${id}/explain/`);

async function explain(listener: DemoClient, id: string): Promise<void> {
  for (let waited = 0; waited < 20; waited += 1) {
    const { outcome, reason, at } = (await explained(listener, id)).email;
    if (outcome !== 'waiting' || reason !== null)
      return screen.note(`why? mail: ${outcome}${reason ? `, ${reason}` : ''}${at ? ` (${at})` : ''}`);
    await sleep(500);
  }
}

/** Collects the socket messages of one person. */
class Bell {
  private readonly heard: SocketMessage[] = [];

  private constructor(private readonly socket: WebSocket) {
    socket.on('message', (data: Buffer) => this.heard.push(JSON.parse(data.toString()) as SocketMessage));
  }

  /**
   * Opens the socket of a person who is signed in.
   * @throws DemoFailed
   */
  static open(url: string, { token }: DemoClient): Promise<Bell> {
    const socket = new WebSocket(url, { headers: { Authorization: `Bearer ${token}` } });
    const bell = new Bell(socket);
    return new Promise((resolve, reject) => {
      socket.once('open', () => resolve(bell));
      socket.once('error', (error) => reject(new DemoFailed(`The socket was refused: ${error.message}`)));
    });
  }

  /**
   * Waits for the message with this title.
   * @throws DemoFailed when it does not arrive in time
   */
  async waitFor(title: string): Promise<SocketMessage> {
    for (const until = Date.now() + TIMEOUT_MS; Date.now() < until; await sleep(100)) {
      const message = this.heard.find(({ notification }) => notification?.title === title);
      if (message) return message;
    }
    throw new DemoFailed(`The socket received nothing about "${title}".`);
  }

  close(): void {
    this.socket.close();
  }
}
