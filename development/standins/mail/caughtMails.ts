/** The mails that the catcher holds: the last thousand, in memory and as JSON lines on disk. */
import { appendFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export interface CaughtMail {
  id: string;
  message_id: string;
  from: string;
  /** Where reports about it are wanted: the reverse path of its envelope. */
  return_path: string;
  /** Whom it was delivered to, whatever the headers say. */
  to: string[];
  subject: string;
  text: string;
  html: string;
  headers: Record<string, string>;
  at: string;
}

const KEPT = 1000;

export class CaughtMails {
  private mails: CaughtMail[];
  private linesOnDisk: number;

  /** @param file where the mails survive a restart; absent: nowhere */
  constructor(private readonly file?: string) {
    if (file) mkdirSync(path.dirname(file), { recursive: true });
    this.mails = file ? load(file) : [];
    this.linesOnDisk = this.mails.length;
    this.rewrite();
  }

  add(mail: CaughtMail): void {
    this.mails.push(mail);
    if (this.mails.length > KEPT) this.mails.shift();
    if (!this.file) return;
    appendFileSync(this.file, `${JSON.stringify(mail)}\n`);
    this.linesOnDisk += 1;
    if (this.linesOnDisk >= 2 * KEPT) this.rewrite();
  }

  /** Newest last. @param to only mails delivered to this address, in any case of letters */
  list(to?: string): CaughtMail[] {
    const wanted = to?.toLowerCase();
    return wanted ? this.mails.filter((mail) => mail.to.some((one) => one.toLowerCase() === wanted)) : this.mails;
  }

  find(id: string): CaughtMail | undefined {
    return this.mails.find((mail) => mail.id === id);
  }

  clear(): void {
    this.mails = [];
    this.rewrite();
  }

  private rewrite(): void {
    if (!this.file) return;
    writeFileSync(`${this.file}.new`, this.mails.map((mail) => `${JSON.stringify(mail)}\n`).join(''));
    renameSync(`${this.file}.new`, this.file);
    this.linesOnDisk = this.mails.length;
  }
}

function load(file: string): CaughtMail[] {
  try {
    return readFileSync(file, 'utf8').split('\n').flatMap(parseLine).slice(-KEPT);
  } catch {
    return [];
  }
}

/** The last line may be half of one, when the process was killed while it wrote. */
function parseLine(line: string): CaughtMail[] {
  try {
    return [JSON.parse(line) as CaughtMail];
  } catch {
    return [];
  }
}
