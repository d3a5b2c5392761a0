/** Posts at the network, through its REST API (LinkedIn, Posts API). */
import { z } from 'zod';
import { config } from '../../config.js';
import { type Answer, sendRequest } from './sendRequest.js';
import { NetworkBusy, type NetworkPost, NetworkUnavailable, PostRefused } from './port.js';

const PATH = '/rest/posts';
/** The number of the person's newest posts that are searched. */
const SEARCHED_POSTS = 50;
/** The tolerated difference between the network's clock and ours. */
const SKEW_MS = 120_000;
const BUSY_SECONDS = 60;
const MAX_BUSY_SECONDS = 86_400;

const Posts = z.object({
  elements: z.array(z.object({ id: z.string(), commentary: z.string().nullish(), createdAt: z.number().nullish() })),
});

/** @see NetworkPort.publish */
export async function publish(post: NetworkPost): Promise<string> {
  const answer = await sendRequest(config.SOCIALNET_API_URL + PATH, {
    method: 'POST',
    headers: { ...headersOf(post), 'Content-Type': 'application/json' },
    body: JSON.stringify({
      author: urnOf(post),
      commentary: escaped(post.text),
      visibility: 'PUBLIC',
      distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
      ...(post.linkUrl && { content: { article: { source: post.linkUrl, title: new URL(post.linkUrl).hostname } } }),
      lifecycleState: 'PUBLISHED',
      isReshareDisabledByAuthor: false,
    }),
  });
  const id = answer.headers.get('x-restli-id');
  if (answer.status === 201 && id && id.length <= 255) return id;
  throw failureOf(answer);
}

/** @see NetworkPort.find */
export async function findPost(post: NetworkPost & { since: Date }): Promise<string | null> {
  const query = new URLSearchParams({
    q: 'author',
    author: urnOf(post),
    count: String(SEARCHED_POSTS),
    sortBy: 'CREATED',
  });
  const answer = await sendRequest(`${config.SOCIALNET_API_URL}${PATH}?${query}`, {
    headers: { ...headersOf(post), 'X-RestLi-Method': 'FINDER' },
  });
  if (answer.status !== 200) throw failureOf(answer);
  const posts = Posts.safeParse(answer.body);
  if (!posts.success) throw new NetworkUnavailable('posts_malformed');
  const match = posts.data.elements.find(
    ({ commentary, createdAt }) =>
      unescaped(commentary ?? '') === post.text && (createdAt ?? 0) >= post.since.getTime() - SKEW_MS,
  );
  return match?.id ?? null;
}

const urnOf = ({ subject }: NetworkPost): string => `urn:li:person:${subject}`;
const headersOf = ({ accessToken }: NetworkPost) => ({
  Authorization: `Bearer ${accessToken}`,
  'LinkedIn-Version': config.SOCIALNET_API_VERSION,
  'X-Restli-Protocol-Version': '2.0.0',
});

/** Escapes the characters that are special in the network's text format; hashtags stay. */
const escaped = (text: string): string => text.replaceAll(/[\\|{}@[\]()<>*_~]|#(?![\p{L}\p{N}])/gu, String.raw`\$&`);
const unescaped = (text: string): string => text.replaceAll(/\\(.)/gsu, '$1');

/** Translates the response to a request that failed. After a failure of the server the outcome is unknown. */
function failureOf({ status, headers, body }: Answer): Error {
  if (status === 401) return new PostRefused('not_linked');
  if (status === 403) return new PostRefused('not_permitted');
  if (status === 429) {
    const seconds = Number(headers.get('retry-after'));
    return new NetworkBusy(seconds > 0 ? Math.min(seconds, MAX_BUSY_SECONDS) : BUSY_SECONDS);
  }
  const bodyText = JSON.stringify(body ?? '');
  const [, duplicateOf] = /duplicate of (urn:li:\w+:\d+)/i.exec(bodyText) ?? [];
  if (status === 422 && duplicateOf) return new PostRefused('duplicate', duplicateOf);
  if (status === 400 || status === 413 || status === 422) return new PostRefused('refused');
  return new NetworkUnavailable(`posts_${status}`);
}
