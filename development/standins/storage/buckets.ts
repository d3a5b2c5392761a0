/** Buckets with their owner, encryption and public access settings. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Answer, Exchange } from '../kit/exchange.js';
import { nothing, refused, xml } from './answers.js';
import { ACCOUNT } from './identityCalls.js';
import { Objects } from './objects.js';

interface Facts {
  /** The account that owns the bucket. */
  owner: string;
  encryption: string | null;
  /** The XML of the request that blocked public access; null when there was none. */
  publicAccess: string | null;
}

const OTHER_ACCOUNT = '200000000002';
const DEFAULT_FACTS: Facts = { owner: OTHER_ACCOUNT, encryption: null, publicAccess: null };

export class Buckets {
  private readonly contents = new Map<string, Objects>();
  private readonly facts: Map<string, Facts>;
  private readonly file: string;

  constructor(
    private readonly folder: string,
    names: readonly string[],
  ) {
    mkdirSync(folder, { recursive: true });
    this.file = path.join(folder, 'buckets.json');
    const stored = existsSync(this.file) ? (JSON.parse(readFileSync(this.file, 'utf8')) as [string, Facts][]) : [];
    this.facts = new Map(stored);
    for (const name of [...names, ...this.facts.keys()]) this.open(name);
  }

  names = (): string[] => [...this.contents.keys()];
  has = (name: string): boolean => this.contents.has(name);
  objectsIn = (name: string): Objects => this.contents.get(name) as Objects;
  factsOf = (name: string): Facts => this.facts.get(name) ?? DEFAULT_FACTS;

  /**
   * Adds a bucket.
   * @param owner by default an account that is not the platform's
   */
  add(name: string, owner = OTHER_ACCOUNT): void {
    this.open(name);
    this.change(name, { ...DEFAULT_FACTS, owner });
  }

  change(name: string, more: Partial<Facts>): void {
    this.facts.set(name, { ...this.factsOf(name), ...more });
    writeFileSync(this.file, JSON.stringify([...this.facts]));
  }

  private open(name: string): void {
    this.contents.set(name, this.contents.get(name) ?? new Objects(path.join(this.folder, name)));
  }
}

const ENCRYPTION = 'ServerSideEncryptionConfiguration';
const PUBLIC_ACCESS = 'PublicAccessBlockConfiguration';

/** Serves the provisioner's requests about a bucket. */
export async function bucketAnswer(
  buckets: Buckets,
  action: string,
  exchange: Exchange,
  name: string,
): Promise<Answer> {
  const body = await exchange.text();
  const { owner, encryption, publicAccess } = buckets.factsOf(name);
  const expected = exchange.header('x-amz-expected-bucket-owner') ?? owner;
  if (action === 'CreateBucket') {
    if (buckets.has(name)) return refused(owner === ACCOUNT ? 'BucketAlreadyOwnedByYou' : 'BucketAlreadyExists');
    buckets.add(name, ACCOUNT);
    return nothing(200, { Location: `/${name}` });
  }
  if (!buckets.has(name)) return refused('NoSuchBucket');
  if (owner !== ACCOUNT || expected !== owner) return refused('AccessDenied');
  switch (action) {
    case 'HeadBucket':
      return nothing(200);
    case 'PutBucketEncryption':
      buckets.change(name, { encryption: /<SSEAlgorithm>(.+?)<\/SSEAlgorithm>/.exec(body)?.[1] ?? null });
      return nothing(200);
    case 'GetBucketEncryption': {
      if (encryption === null) return refused('ServerSideEncryptionConfigurationNotFoundError');
      const rule = `<ApplyServerSideEncryptionByDefault><SSEAlgorithm>${encryption}</SSEAlgorithm></ApplyServerSideEncryptionByDefault>`;
      return xml(200, `<${ENCRYPTION}><Rule>${rule}</Rule></${ENCRYPTION}>`);
    }
    case 'PutPublicAccessBlock':
      buckets.change(name, {
        publicAccess: new RegExp(`<${PUBLIC_ACCESS}.*?>(.*)</${PUBLIC_ACCESS}>`, 's').exec(body)?.[1] ?? null,
      });
      return nothing(200);
    case 'GetPublicAccessBlock':
      if (publicAccess === null) return refused('NoSuchPublicAccessBlockConfiguration');
      return xml(200, `<${PUBLIC_ACCESS}>${publicAccess}</${PUBLIC_ACCESS}>`);
    default:
      return refused('NotImplemented');
  }
}
