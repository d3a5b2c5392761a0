/** Any store that speaks S3, by the AWS SDK. */
import type http from 'node:http';
import type https from 'node:https';
import type { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  NoSuchKey,
  NotFound,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { atPace, shortWords } from './bounds.js';
import { type Download, ObjectMissing, type StoragePort, StorageUnavailable } from './port.js';

export interface S3Settings {
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Left out: AWS itself. */
  endpoint?: string | undefined;
  /** Where browsers reach it, if elsewhere: signatures hold for one host. */
  publicEndpoint?: string | undefined;
}

export interface S3Agents {
  httpAgent?: http.Agent;
  httpsAgent?: https.Agent;
}

/** The least that S3 takes for a part that is not the last; so much of an upload is in memory. */
const PART_BYTES = 5 * 1024 * 1024;
const TRIES = 3;
const CONNECT_MS = 3_000;
const ANSWER_MS = 20_000;
/** For what somebody waits for before anything else happens. */
const QUICK_MS = 8_000;

/** Opens no connection by itself. @param agents what connects, where not every address is open */
export function s3(settings: S3Settings, agents: S3Agents = {}): StoragePort {
  const { bucket: Bucket, endpoint, publicEndpoint = endpoint } = settings;
  const client = new S3Client(optionsOf(settings, endpoint, agents));
  const signer = new S3Client(optionsOf(settings, publicEndpoint, agents));
  keepAnswersShort(client);
  return {
    async put(Key, Body) {
      const upload = new Upload({ client, params: { Bucket, Key, Body }, partSize: PART_BYTES, queueSize: 1 });
      const given = failureOf(Body);
      try {
        await upload.done();
      } catch (error) {
        throw given() ?? unavailable(error);
      }
    },
    async get(Key) {
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key })).catch((error: unknown) => {
        throw unavailable(error);
      });
      return atPace(Body as Readable);
    },
    async has(Key) {
      const abortSignal = AbortSignal.timeout(QUICK_MS);
      try {
        await client.send(new HeadObjectCommand({ Bucket, Key }), { abortSignal });
        return true;
      } catch (error) {
        if (error instanceof NotFound) return false;
        throw unavailable(error);
      }
    },
    async remove(Key) {
      const abortSignal = AbortSignal.timeout(ANSWER_MS);
      await client.send(new DeleteObjectCommand({ Bucket, Key }), { abortSignal }).catch((error: unknown) => {
        // With a bucket goes what was in it.
        if ((error as Error).name !== 'NoSuchBucket') throw unavailable(error);
      });
    },
    signedUrl: (Key, { name, mediaType, seconds }: Download) =>
      getSignedUrl(
        signer,
        new GetObjectCommand({
          Bucket,
          Key,
          ResponseContentDisposition: attachment(name),
          ResponseContentType: mediaType,
          ResponseCacheControl: 'private, no-store',
        }),
        { expiresIn: seconds },
      ),
    close() {
      client.destroy();
      signer.destroy();
    },
  };
}

const optionsOf = (settings: S3Settings, endpoint: string | undefined, agents: S3Agents): S3ClientConfig => ({
  region: settings.region,
  credentials: { accessKeyId: settings.accessKeyId, secretAccessKey: settings.secretAccessKey },
  maxAttempts: TRIES,
  requestHandler: {
    connectionTimeout: CONNECT_MS,
    requestTimeout: ANSWER_MS,
    throwOnRequestTimeout: true,
    socketTimeout: ANSWER_MS,
    ...agents,
  },
  // Not every store knows the newer checksums; ours are beside the row.
  requestChecksumCalculation: 'WHEN_REQUIRED',
  responseChecksumValidation: 'WHEN_REQUIRED',
  ...(endpoint && { endpoint, forcePathStyle: true }),
});

/** An answer that is no object is read as a whole. */
function keepAnswersShort(client: S3Client): void {
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const result = await next(args);
        const response = result.response as { statusCode: number; body: Readable };
        const isObject = commandName === 'GetObjectCommand' && response.statusCode < 300;
        if (!isObject) response.body = shortWords(response.body, ANSWER_MS);
        return result;
      },
    // Next to the connection, before anything is made of the answer.
    { step: 'deserialize', priority: 'low', name: 'keepAnswersShort' },
  );
}

/** What ended the stream, if it was not the store that failed. */
function failureOf(stream: Readable): () => Error | null {
  let failure: Error | null = null;
  stream.once('error', (error) => (failure = error));
  return () => failure;
}

function unavailable(cause: unknown): StorageUnavailable {
  if (cause instanceof NoSuchKey) return new ObjectMissing('The store has no such object.', { cause });
  const { name } = cause as Error;
  return new StorageUnavailable(`The store did not do what it was asked (${name}).`, { cause });
}

/** RFC 6266: a name in plain letters, and the whole one in UTF-8. */
function attachment(name: string): string {
  const plain = name.replaceAll(/[^\w.-]/g, '_');
  const whole = encodeURIComponent(name).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${whole}`;
}
