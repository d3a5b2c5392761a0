/** The last thousand caught mails, in memory and as JSON lines on disk. */
import { appendFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export interface CaughtMail {
  id: string;
  message_id: string;
  from: string;
  /** Envelope sender, which receives delivery reports. */
  return_path: string;
  /** Envelope recipients, independent of the headers. */
  to: string[];
  subject: string;
  text: string;
  html: string;
  headers: Record<string, string>;
  /** Content in base64. */
  attachments: { name: string; media_type: string; content: string }[];
  at: string;
}

const MAX_MAILS = 1000;

export class CaughtMails {
  private mails: CaughtMail[];
  private linesOnDisk: number;

  /** @param file file for the mails, so that they survive a restart */
  constructor(private readonly file?: string) {
    if (file) mkdirSync(path.dirname(file), { recursive: true });
    this.mails = file ? load(file) : [];
    this.linesOnDisk = this.mails.length;
    this.rewrite();
  }

  add(mail: CaughtMail): void {
    this.mails.push(mail);
    if (this.mails.length > MAX_MAILS) this.mails.shift();
    if (!this.file) return;
    appendFileSync(this.file, `${JSON.stringify(mail)}\n`);
    this.linesOnDisk += 1;
    if (this.linesOnDisk >= 2 * MAX_MAILS) this.rewrite();
  }

  /** Lists the mails, newest last. @param to only mails delivered to this address (case-insensitive) */
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
    return readFileSync(file, 'utf8').split('\n').flatMap(parseLine).slice(-MAX_MAILS);
  } catch {
    return [];
  }
}

/** The last line may be incomplete if the process was killed while writing. */
function parseLine(line: string): CaughtMail[] {
  try {
    return [JSON.parse(line) as CaughtMail];
  } catch {
    return [];
  }
}
