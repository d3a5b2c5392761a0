/** One run: starts the stack, uses it while parts are killed, waits until it is idle, and checks the rules. */
import { Books } from './books.js';
import { keptPromises, noInternalErrors, sawOwnWrites, servedSoon, somethingHappened } from './checks/answers.js';
import { soundBulletins } from './checks/bulletins.js';
import type { Finding } from './checks/finding.js';
import { soundMoney } from './checks/money.js';
import { askAboutPages, pagesRecorded } from './checks/pages.js';
import { soundPledges } from './checks/pledges.js';
import { finishedWork, unrest, undeliveredEvents } from './checks/work.js';
import { Clock } from './clock.js';
import type { Dice } from './dice.js';
import { Gateway } from './gateway.js';
import { type Kill, Killer } from './killer.js';
import { Diary } from './load/diary.js';
import { Load } from './load/load.js';
import { wakePledges } from './load/pledges.js';
import { soundPushes } from './checks/pushes.js';
import { readsElsewhere } from './checks/replica.js';
import { Mailbox } from './mailbox.js';
import { Phones } from './phones.js';
import { type ChaosOptions, partsOf } from './options.js';
import { Processes } from './processes.js';
import { untilQuiet } from './quiet.js';
import { type Report, reportOf, type Rest } from './report.js';
import type { ChaosStack } from './stack/chaosStack.js';

export class Run {
  private readonly books: Books;
  private readonly processes: Processes;
  private readonly gateway: Gateway;
  private readonly diary = new Diary();
  private readonly phones: Phones;
  private readonly mailbox: Mailbox;
  private readonly load: Load;
  private readonly clock: Clock;
  private readonly killer: Killer;

  /** @param told called after each kill */
  constructor(
    private readonly stack: ChaosStack,
    private readonly options: ChaosOptions,
    dice: Dice,
    told: (kill: Kill) => void,
  ) {
    const { settings, supervisor, ownerUrl } = stack;
    this.books = new Books(ownerUrl);
    this.processes = Processes.at(settings.temporalAddress);
    this.gateway = new Gateway(settings.urls.gateway, `http://127.0.0.1:${settings.ports.gatewayControl}`);
    this.phones = new Phones(`http://127.0.0.1:${settings.ports.pushControl}`);
    this.mailbox = new Mailbox(`http://127.0.0.1:${settings.ports.mailbox}`);
    this.load = new Load(stack, this.gateway, this.phones, this.diary, dice.for('load'));
    this.clock = new Clock(this.processes, ownerUrl, dice.for('clock'));
    const { load, books, mailbox } = this;
    this.killer = new Killer(supervisor, { load, books, mailbox }, dice.for('kills'), options, told);
  }

  /**
   * Does the whole run.
   * @throws Error when a part does not start or come back, or does not answer at the end
   */
  async toItsEnd(): Promise<Report> {
    await this.stack.start();
    const began = Date.now();
    try {
      await this.useAndKill();
      const rest = await this.comeToRest();
      const findings = [...rest.findings, ...(await this.judge())];
      const { options, load } = this;
      const seconds = Math.round((Date.now() - began) / 1000);
      const { kills } = this.killer;
      return await reportOf(
        {
          options,
          kills,
          load,
          scheduleRuns: this.clock.triggered,
          rest: { seconds: rest.seconds, unrest: rest.unrest },
          seconds,
          findings,
        },
        this.books,
      );
    } finally {
      await Promise.all([this.books.close(), this.processes.close()]);
    }
  }

  private async useAndKill(): Promise<void> {
    this.load.begin(this.options.people);
    const others = this.load
      .organizations()
      .flatMap(({ id, chapter_ids: [, ...chapterIds] }) =>
        chapterIds.map((chapterId) => ({ organizationId: id, chapterId })),
      );
    this.clock.begin(others);
    await this.killer.kill(this.options.kills, this.options.parts);
    await Promise.all([this.load.end(), this.clock.end()]);
  }

  /**
   * Waits until the platform is idle. First the platform must discover all outcomes without events. It would do so when
   * its timers end; clicks on the open pages make it ask the gateway at once, and the processes of pledges are woken. Then the gateway is restarted, which
   * delivers all withheld events.
   */
  private async comeToRest(): Promise<Rest & { findings: Finding[] }> {
    const began = Date.now();
    const { supervisor } = this.stack;
    const ourSide = () => unrest(this.books, this.processes);
    await Promise.all(partsOf(this.options).map((part) => supervisor.untilUp(part)));
    await askAboutPages(this.books, this.load);
    await wakePledges(this.stack.ownerUrl);
    const restless = await untilQuiet(ourSide, this.options.patience);
    const pageFinding = await pagesRecorded(
      this.books,
      this.gateway,
      'payments on a page are found before their event arrives',
    );
    supervisor.crash('gateway');
    await supervisor.untilUp('gateway');
    const everything = async () => [...(await undeliveredEvents(this.gateway)), ...(await ourSide())];
    // If the platform did not become idle by itself, it has used up its time, so wait only a few seconds more.
    const remaining = await untilQuiet(everything, restless.length > 0 ? 5 : this.options.patience);
    const seconds = Math.round((Date.now() - began) / 100) / 10;
    return { seconds, unrest: remaining.length > 0 ? remaining : restless, findings: [pageFinding] };
  }

  private async judge(): Promise<Finding[]> {
    const { ownerUrl, settings } = this.stack;
    return [
      await somethingHappened(this.books),
      await keptPromises(this.books, this.diary),
      noInternalErrors(this.diary),
      sawOwnWrites(this.diary),
      ...(this.options.cluster ? [servedSoon(this.killer.kills), await readsElsewhere(settings)] : []),
      ...(await finishedWork(this.books, this.processes, this.gateway, this.mailbox)),
      ...(await soundPushes(this.books, this.phones)),
      ...(await soundPledges(this.books, this.gateway)),
      ...(await soundBulletins(this.books, this.mailbox)),
      ...(await soundMoney(ownerUrl, this.books, this.gateway)),
    ];
  }
}
